from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_beside import held

__all__ = ["held"]


def test_export_and_import(run: Run, filled: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "x.jsonl", tmp_path / "new"
    done = run("export", file, "--data-dir", filled)
    assert (done.code, done.out, done.err) == (0, "exported 2 turns of 1 memories\n", "")
    assert run("import", file, "--data-dir", new).out == "imported 2 turns; memories: 1 new\n"
    again = run("import", file, "--data-dir", new)
    assert again.out == "imported 0 turns; memories: 0 new, 1 here already\n"
    question = ("search", "harbour", "ferry", "--json", "--data-dir")
    assert run(*question, new).out == run(*question, filled).out


def test_the_reports_as_json(run: Run, filled: Path, tmp_path: Path) -> None:
    report = run("export", tmp_path / "x", "--data-dir", filled, "--json").json()
    assert (report["memories"], report["turns"]) == (1, 2)
    done = run("import", tmp_path / "x", "--data-dir", tmp_path / "n", "--json")
    assert (done.json()["imported"], done.json()["skipped"]) == (1, 0)


def test_an_unknown_memory_is_an_error(run: Run, filled: Path, tmp_path: Path) -> None:
    done = run("export", tmp_path / "x", "--memory", "nobody", "--data-dir", filled)
    assert (done.code, done.out) == (1, "")
    assert "no such memory" in done.err
    assert not (tmp_path / "x").exists()


def test_through_a_pipe(
    run: Run, filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = run("export", "-", "--data-dir", filled)
    assert done.err == "exported 2 turns of 1 memories\n"
    assert json.loads(done.out.splitlines()[0])["format"] == "graphmem-export"
    piped = io.TextIOWrapper(io.BytesIO(done.out.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", piped)
    assert run("import", "-", "--data-dir", tmp_path / "new").code == 0
    assert run("export", "-", "--json", "--data-dir", filled).code == 2


def test_beside_a_holder_export_works_and_import_does_not(
    run: Run, held: tuple[Path, int], tmp_path: Path
) -> None:
    data_dir, pid = held
    assert run("export", tmp_path / "x", "--data-dir", data_dir).code == 0
    done = run("import", tmp_path / "x", "--data-dir", data_dir)
    assert done.code == 1
    assert f"process {pid}" in done.err


def test_a_wrong_line_is_named(run: Run, filled: Path, tmp_path: Path) -> None:
    run("export", tmp_path / "x", "--data-dir", filled)
    text = (tmp_path / "x").read_text(encoding="utf-8")
    (tmp_path / "y").write_text(text.replace("ferry", "train"), encoding="utf-8")
    done = run("import", tmp_path / "y", "--data-dir", tmp_path / "new", "--json")
    assert (done.code, done.json()["error"]["code"]) == (1, "InvalidInput")
    assert done.json()["error"]["field"].endswith(".payload_digest")


def test_what_is_not_in_the_file_is_told(run: Run, filled: Path, tmp_path: Path) -> None:
    run("export", tmp_path / "x", "--data-dir", filled)
    done = run("import", tmp_path / "x", "--memory", "nosuch", "--data-dir", tmp_path / "new")
    assert done.code == 1
    assert "memory_id: names no memory of the file" in done.err


def test_a_file_that_is_not_there_makes_no_directory(run: Run, tmp_path: Path) -> None:
    done = run("import", tmp_path / "x", "--data-dir", tmp_path / "new")
    assert done.code == 1
    assert "there is no such file" in done.err
    assert not (tmp_path / "new").exists()
