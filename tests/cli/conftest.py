"""Runs the command line in this process, as the entry point does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graphmem.cli import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Its one JSON object."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("GRAPHMEM_API_KEY", raising=False)

    def call(*arguments: str | Path) -> Result:
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        code = ended.value.code
        assert code is None or isinstance(code, int)
        written = capsys.readouterr()
        return Result(code=code or 0, out=written.out, err=written.err)

    return call


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def filled(run: Run, data_dir: Path) -> Path:
    """A data directory with a memory of two turns."""
    options = ("--data-dir", data_dir, "--timestamp", "2024-05-01T10:00:00Z", "--speaker", "Ada")
    for session, text in (("s1", "The ferry leaves at noon."), ("s2", "灯塔的门票是二十元。")):
        assert run("add", "harbour", session, text, *options).code == 0
    return data_dir
