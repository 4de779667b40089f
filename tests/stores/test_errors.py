"""Every foreign error has one of graphmem's that stands for it."""

from __future__ import annotations

import errno
import sqlite3
import sys
from pathlib import Path

import pytest

from graphmem.errors import (
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreUnavailableError,
)
from graphmem.stores.sqlite.errors import SQLITE_ERRORS, Seam, translate
from tests.stores.children import run_child

# https://sqlite.org/rescode.html: 27 and 28 close the list; 100 and 101 are no errors.
PRIMARY_CODES = range(1, 29)


def test_the_map_is_complete() -> None:
    assert sorted(SQLITE_ERRORS) == list(PRIMARY_CODES)


def _sqlite_error(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("told by SQLite")
    error.sqlite_errorcode = code
    error.sqlite_errorname = "SQLITE_SOMETHING"
    return error


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (sqlite3.SQLITE_FULL, StoreFullError),
        (sqlite3.SQLITE_READONLY, StoreUnavailableError),
        (sqlite3.SQLITE_CANTOPEN, StoreUnavailableError),
        (sqlite3.SQLITE_PERM, StoreUnavailableError),
        (sqlite3.SQLITE_IOERR, StoreUnavailableError),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreUnavailableError),
        (sqlite3.SQLITE_IOERR_WRITE, StoreUnavailableError),
        (sqlite3.SQLITE_CANTOPEN_ISDIR, StoreUnavailableError),
        (sqlite3.SQLITE_BUSY, StoreUnavailableError),
        (sqlite3.SQLITE_CORRUPT, StoreFormatError),
        (sqlite3.SQLITE_CORRUPT_INDEX, StoreFormatError),
        (sqlite3.SQLITE_NOTADB, StoreFormatError),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, StoreError),
    ],
)
def test_codes_of_sqlite(tmp_path: Path, code: int, expected: type[StoreError]) -> None:
    translated = translate(_sqlite_error(code), tmp_path)
    assert type(translated) is expected
    assert str(tmp_path) in str(translated)
    assert "SQLITE_SOMETHING: told by SQLite" in str(translated)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (errno.ENOSPC, StoreFullError),
        (errno.EDQUOT, StoreFullError),
        (errno.EFBIG, StoreFullError),
        (errno.EACCES, StoreUnavailableError),
        (errno.EROFS, StoreUnavailableError),
        (errno.EIO, StoreUnavailableError),
    ],
)
def test_numbers_of_the_system(tmp_path: Path, number: int, expected: type[StoreError]) -> None:
    translated = translate(OSError(number, "told by the system"), tmp_path)
    assert type(translated) is expected
    assert "told by the system" in str(translated)


def test_an_error_without_a_code_is_a_store_error(tmp_path: Path) -> None:
    assert type(translate(sqlite3.ProgrammingError("misuse"), tmp_path)) is StoreError


def test_every_error_names_a_remedy(tmp_path: Path) -> None:
    for code in PRIMARY_CODES:
        assert len(str(translate(_sqlite_error(code), tmp_path))) > len(str(tmp_path)) + 40


def test_the_seam_keeps_the_cause_and_passes_what_is_not_its_own(tmp_path: Path) -> None:
    cause = _sqlite_error(sqlite3.SQLITE_FULL)
    with pytest.raises(StoreFullError) as caught, Seam(tmp_path):
        raise cause
    assert caught.value.__cause__ is cause
    with pytest.raises(KeyError), Seam(tmp_path):
        raise KeyError
    with Seam(tmp_path):
        pass


# The limit on a file's size stands for a quota: both are failed writes without ENOSPC.
LIMITED = """
import resource, sys
from pathlib import Path
from graphmem.errors import StoreFullError
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import add, contents

store = SqliteStore.open(Path(sys.argv[1]))
add(store, content="old")
resource.setrlimit(resource.RLIMIT_FSIZE, (524_288, resource.RLIM_INFINITY))
try:
    add(store, content="x" * 2_000_000)
except StoreFullError as error:
    assert "quota" in str(error)
else:
    sys.exit("the write had room")
assert contents(store) == ["old"]
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
add(store, content="next")
assert contents(store) == ["old", "next"]
store.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs RLIMIT_FSIZE")
def test_a_used_up_quota_is_a_full_disk(tmp_path: Path) -> None:
    run_child(LIMITED, tmp_path)
