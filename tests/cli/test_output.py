"""What commands write can be read, whatever the terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from graphmem.cli.output import print_json
from tests.cli.conftest import Run


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "ascii"])
def test_json_is_json_in_every_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    value = {"text": "é 码 😀"}
    with io.TextIOWrapper(io.BytesIO(), encoding, errors="backslashreplace") as out:
        monkeypatch.setattr(sys, "stdout", out)
        print_json(value)
        out.seek(0)
        assert json.loads(out.read()) == value


def test_a_name_of_an_emoji_stays_a_name(run: Run, data_dir: Path) -> None:
    run("add", "m", "s", "the :key: is under the mat", "--data-dir", data_dir)
    assert ":key:" in run("search", "m", "mat", "--data-dir", data_dir).out


def test_an_error_cannot_drive_the_terminal(run: Run, data_dir: Path, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text(json.dumps({"content": "x", "\x1b[31mred": 1}), encoding="utf-8")
    done = run("add", "m", "s", "--file", file, "--data-dir", data_dir)
    assert done.code == 1
    assert "\x1b" not in done.err
