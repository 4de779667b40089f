"""Commands beside a process that holds the data directory."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.cli import remote
from tests.cli.conftest import Run

HOLD = (
    "import sys\n"
    "from graphmem.config import ServiceConfig\n"
    "from graphmem.service.memory import MemoryService\n"
    "config = ServiceConfig(dense_retrieval=False)\n"
    "with MemoryService.open(data_dir=sys.argv[1], config=config) as service:\n"
    "    service.announce('http://127.0.0.1:9')\n"
    "    print('held', flush=True); sys.stdin.read()"
)


@pytest.fixture
def held(filled: Path) -> Iterator[tuple[Path, int]]:
    """A filled data directory, and the id of the process that holds it."""
    command = [sys.executable, "-c", HOLD, str(filled)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        yield filled, holder.pid
        holder.stdin.close()
        holder.wait(timeout=20)


def test_reading_goes_on(run: Run, held: tuple[Path, int]) -> None:
    data_dir, _ = held
    assert run("status", "harbour", "--data-dir", data_dir, "--json").json()["turns"] == 2
    assert run("search", "harbour", "ferry", "--data-dir", data_dir, "--json").json()["hits"]


@pytest.mark.parametrize("command", [("add", "harbour", "s", "x"), ("serve", "--port", "0")])
def test_a_second_writer_is_told_who_holds_it(
    run: Run, held: tuple[Path, int], command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "FIRST_PAUSE_SECONDS", 0.001)
    data_dir, pid = held
    done = run(*command, "--data-dir", data_dir)
    assert (done.code, done.out) == (1, "")
    assert f"process {pid}" in done.err
    assert "http://127.0.0.1:9" in done.err


def test_the_doctor_names_the_holder(
    run: Run, held: tuple[Path, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "FIRST_PAUSE_SECONDS", 0.001)
    data_dir, pid = held
    findings = run("doctor", "--data-dir", data_dir, "--json").json()["checks"]
    found = {finding["check"]: finding for finding in findings}
    said = f"held by process {pid}, which serves at http://127.0.0.1:9"
    assert found["holder"]["detail"].startswith(said)
    assert found["database"]["state"] == "ok"
    assert pid != os.getpid()
