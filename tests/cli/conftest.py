"""Runs the command line in this process, as the entry point does."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


@contextmanager
def logging_as_it_was() -> Iterator[None]:
    """A command configures the log of its process, which here goes on afterwards."""
    root, ours = logging.getLogger(), logging.getLogger("graphmem")
    handlers, levels = list(root.handlers), (root.level, ours.level)
    root.handlers.clear()
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        ours.setLevel(levels[1])


TAKE_SETTINGS = frozenset(
    {
        "add",
        "ask",
        "backup",
        "delete",
        "doctor",
        "export",
        "import",
        "inspect",
        "prepare",
        "purge",
        "rebuild",
        "reembed",
        "search",
        "serve",
        "status",
        "why",
    }
)


@pytest.fixture
def run(run_dense: Run, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a command without an embedding model, unless it names its own settings."""
    settings = tmp_path_factory.mktemp("settings") / "lexical.json"
    settings.write_text('{"dense_retrieval": false}', encoding="utf-8")

    def call(*arguments: str | Path) -> Result:
        if not arguments or arguments[0] not in TAKE_SETTINGS or "--config" in arguments:
            return run_dense(*arguments)
        return run_dense(arguments[0], "--config", settings, *arguments[1:])

    return call


@pytest.fixture
def run_dense(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command as it is given."""
    monkeypatch.delenv("GRAPHMEM_API_KEY", raising=False)

    def call(*arguments: str | Path) -> Result:
        with logging_as_it_was(), pytest.raises(SystemExit) as ended:
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
