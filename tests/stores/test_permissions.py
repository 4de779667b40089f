"""A directory that can't be used is refused with its name and a remedy."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from graphmem.errors import StoreUnavailableError
from graphmem.stores.sqlite import SqliteStore
from tests.stores.children import run_child
from tests.stores.rows import add

NOBODY = 65_534

OPEN_AS_NOBODY = """
import os, sys
from pathlib import Path
from graphmem.errors import StoreUnavailableError
from graphmem.stores.sqlite import SqliteStore

read_only = sys.argv[2] == "read_only"
if os.geteuid() == 0:
    os.setuid(int(sys.argv[3]))
try:
    SqliteStore.open(Path(sys.argv[1]), read_only=read_only)
except StoreUnavailableError as error:
    assert sys.argv[1] in str(error), error
    assert "user may" in str(error), error
else:
    sys.exit("it was opened")
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX modes")


@pytest.fixture
def locked_out(tmp_path: Path) -> Path:
    """A directory whose mode keeps others, and this user, from writing or reading."""
    for directory in (tmp_path, *tmp_path.parents):
        if directory.stat().st_uid == os.geteuid() and directory.name.startswith("pytest-"):
            directory.chmod(0o755)
    tmp_path.chmod(0o755)
    closed = tmp_path / "closed"
    closed.mkdir()
    return closed


@pytest.mark.parametrize("mode", ["write", "read_only"])
def test_a_database_of_another_user_is_refused(locked_out: Path, mode: str) -> None:
    SqliteStore.open(locked_out).close()
    locked_out.chmod(0o000)
    _refused(locked_out, mode)


@pytest.mark.parametrize("name", ["", "new"])
def test_a_directory_that_may_not_be_written_is_refused(locked_out: Path, name: str) -> None:
    locked_out.chmod(0o555)
    _refused(locked_out / name, "write")


def _refused(directory: Path, mode: str) -> None:
    # Modes don't bind root, so the opening is tried as somebody else.
    try:
        run_child(OPEN_AS_NOBODY, directory, mode, str(NOBODY))
    finally:
        for path in (directory, directory.parent):
            if path.exists():
                path.chmod(0o755)


def test_the_files_are_for_this_user_alone(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "data"
    previous = os.umask(0)
    try:
        store = SqliteStore.open(directory, address="127.0.0.1:1")
    finally:
        os.umask(previous)
    add(store)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}
    store.close()
    assert modes["memory.sqlite"] == modes["memory.sqlite-wal"] == modes["memory.lock"] == 0o600


def test_the_mode_of_a_directory_that_is_there_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    SqliteStore.open(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o750


def test_a_file_in_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(StoreUnavailableError, match=r"file.* not a directory"):
        SqliteStore.open(path)


def test_a_file_on_the_way_to_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailableError, match="Not a directory"):
        SqliteStore.open(tmp_path / "file" / "data")
    with pytest.raises(StoreUnavailableError, match="no memory database"):
        SqliteStore.open(tmp_path / "file" / "data", read_only=True)
