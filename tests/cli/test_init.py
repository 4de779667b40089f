from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.cli.options import load_config
from graphmem.config import SECRETS, ServiceConfig
from tests.cli.conftest import Run


def test_every_field_is_written_with_its_default(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    done = run("init", path)
    assert done.code == 0
    assert f"graphmem serve --config {path}" in done.out
    written = json.loads(path.read_text(encoding="utf-8"))
    assert set(written) == set(ServiceConfig.__dataclass_fields__) - SECRETS
    loaded = ServiceConfig.load(path)
    assert loaded.data_dir == tmp_path / "graphmem-data"
    assert replace(loaded, data_dir=ServiceConfig().data_dir) == ServiceConfig()


def test_a_file_that_is_there_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{}", encoding="utf-8")
    done = run("init", path)
    assert (done.code, done.out) == (1, "")
    assert "exists already" in done.err
    assert path.read_text(encoding="utf-8") == "{}"


def test_a_place_that_cannot_be_written_is_named(run: Run, tmp_path: Path) -> None:
    done = run("init", tmp_path / "nowhere" / "settings.json")
    assert done.code == 1
    assert "No such file" in done.err


def test_it_explains_every_field_and_writes_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("init", "--explain")
    assert done.code == 0
    assert "dense.in_call_seconds" in done.out
    assert list(tmp_path.iterdir()) == []


def test_the_option_is_relative_to_here_and_wins_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "etc").mkdir()
    file = tmp_path / "etc" / "settings.json"
    file.write_text('{"data_dir": "of-the-file"}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_config(file, None).data_dir == tmp_path / "etc" / "of-the-file"
    chosen = load_config(file, Path("of-the-option")).data_dir
    assert chosen.absolute() == tmp_path / "of-the-option"


def test_the_answers_for_machines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    assert run("init", path, "--json").json() == {"path": str(path)}
    fields = run("init", "--explain", "--json").json()["fields"]
    assert {"path": "port", "default": "8420"}.items() <= next(
        field for field in fields if field["path"] == "port"
    ).items()
