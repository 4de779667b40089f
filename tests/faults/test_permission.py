"""What a user may not read or write is refused with the remedy, by the commands themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService

NOBODY = 65_534

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or os.geteuid() != 0, reason="needs root, to become another user"
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A place that others may enter, with a data directory of this user's."""
    for directory in (tmp_path, *tmp_path.parents):
        if directory.stat().st_uid == os.geteuid() and directory.name.startswith(
            ("pytest-", "popen-")
        ):
            directory.chmod(0o755)
    tmp_path.chmod(0o755)
    config = ServiceConfig(data_dir=tmp_path / "data", dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        service.add("default", "m", "s", [Message(role="user", content="number 0")])
        service.backup(tmp_path / "b.sqlite")
    (tmp_path / "s.json").write_text('{"dense_retrieval": false}', encoding="utf-8")
    return tmp_path


def as_nobody(place: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user to whom nothing here belongs."""
    # Imported before the change of user, since nobody may read this checkout either.
    script = (
        "import os, sys\n"
        "import graphmem.cli.add, graphmem.cli.backup, graphmem.cli.status, graphmem.cli.checks\n"
        "import graphmem.cli.doctor, graphmem.service.memory, graphmem.cli.remote\n"
        "import graphmem.server.run, httpx2, uvicorn, encodings.idna\n"
        "from graphmem.stores.sqlite.migrate import known_migrations\n"
        "from graphmem.cli import main\n"
        "os.setgid(int(sys.argv[1])); os.setuid(int(sys.argv[1]))\n"
        "main(sys.argv[2:])\n"
    )
    command = [sys.executable, "-c", script, str(NOBODY), *map(str, arguments)]
    # Without coverage, which that user could not write down.
    plain = {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE")}
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, cwd=place, env=plain
    )


def says(done: subprocess.CompletedProcess[str], *parts: str) -> bool:
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert "Traceback" not in done.stderr
    return all(part in done.stderr for part in parts)


@pytest.mark.parametrize("command", [("add", "m", "s", "x"), ("status", "m"), ("serve",)])
def test_a_directory_of_another_user(place: Path, command: tuple[str, ...]) -> None:
    settings = ("--config", place / "s.json", "--data-dir", place / "data")
    assert says(as_nobody(place, *command, *settings), str(place / "data"), "this user may")


def test_a_place_where_no_backup_may_be_written(place: Path) -> None:
    (place / "data").chmod(0o755)
    for path in (place / "data").iterdir():
        path.chmod(0o644)
    (place / "out").mkdir(mode=0o755)
    done = as_nobody(place, "backup", place / "out" / "b", "--data-dir", place / "data")
    assert says(done, str(place / "out"), "this user may")
    assert list((place / "out").iterdir()) == []


def test_a_backup_of_another_user(place: Path) -> None:
    (place / "open").mkdir()
    (place / "open").chmod(0o777)
    done = as_nobody(place, "restore", place / "b.sqlite", place / "open" / "new")
    assert says(done, str(place), "this user may")
    assert list((place / "open").iterdir()) == []


def test_the_doctor_says_it_too(place: Path) -> None:
    settings = ("--config", place / "s.json", "--data-dir", place / "data", "--port", "0")
    done = as_nobody(place, "doctor", *settings, "--json")
    assert done.returncode == 1
    found = {finding["check"]: finding for finding in json.loads(done.stdout)["checks"]}
    assert "can't be written by this user" in found["data directory"]["detail"]
    assert {found[check]["state"] for check in ("data directory", "database", "sqlite")} == {"fail"}
