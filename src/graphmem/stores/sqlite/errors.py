"""The one seam at which errors of SQLite and of the file system become graphmem's own."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final

from graphmem.errors import (
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreUnavailableError,
)

# By primary result code (https://sqlite.org/rescode.html): all of them, held by a test.
SQLITE_ERRORS: Final[Mapping[int, type[StoreError]]] = {
    # The statements are fixed, so "no such table" means that the schema is not the one we made.
    sqlite3.SQLITE_ERROR: StoreFormatError,
    sqlite3.SQLITE_INTERNAL: StoreError,
    sqlite3.SQLITE_PERM: StoreUnavailableError,
    sqlite3.SQLITE_ABORT: StoreError,
    sqlite3.SQLITE_BUSY: StoreUnavailableError,
    sqlite3.SQLITE_LOCKED: StoreUnavailableError,
    sqlite3.SQLITE_NOMEM: StoreUnavailableError,
    sqlite3.SQLITE_READONLY: StoreUnavailableError,
    sqlite3.SQLITE_INTERRUPT: StoreError,
    sqlite3.SQLITE_IOERR: StoreUnavailableError,
    sqlite3.SQLITE_CORRUPT: StoreFormatError,
    sqlite3.SQLITE_NOTFOUND: StoreError,
    sqlite3.SQLITE_FULL: StoreFullError,
    sqlite3.SQLITE_CANTOPEN: StoreUnavailableError,
    sqlite3.SQLITE_PROTOCOL: StoreUnavailableError,
    sqlite3.SQLITE_EMPTY: StoreError,
    sqlite3.SQLITE_SCHEMA: StoreFormatError,
    sqlite3.SQLITE_TOOBIG: StoreError,
    sqlite3.SQLITE_CONSTRAINT: StoreError,
    sqlite3.SQLITE_MISMATCH: StoreError,
    sqlite3.SQLITE_MISUSE: StoreError,
    sqlite3.SQLITE_NOLFS: StoreFullError,
    sqlite3.SQLITE_AUTH: StoreError,
    sqlite3.SQLITE_FORMAT: StoreFormatError,
    sqlite3.SQLITE_RANGE: StoreError,
    sqlite3.SQLITE_NOTADB: StoreFormatError,
    sqlite3.SQLITE_NOTICE: StoreError,
    sqlite3.SQLITE_WARNING: StoreError,
}
FULL_ERRNOS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_PRIMARY_MASK: Final = 0xFF
# SQLite knows a full disk by ENOSPC alone; a used-up quota comes as one of these.
_FAILED_WRITES: Final = frozenset({sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE})
_PROBE_BYTES: Final = 1024 * 1024

_REMEDIES: Final[Mapping[type[StoreError], str]] = {
    StoreError: "the write was undone",
    StoreFormatError: (
        "the database is damaged or not graphmem's; restore it from a backup "
        "or choose another data directory"
    ),
    StoreFullError: "the disk or its quota is full; free some space and send the same request again",
    StoreUnavailableError: (
        "it can't be opened, read or written; check that it exists, that this user may "
        "write to it, and that its disk is sound"
    ),
}


def translate(error: sqlite3.Error | OSError, directory: Path) -> StoreError:
    """Give the graphmem error that stands for a foreign one, with its remedy."""
    if isinstance(error, OSError):
        kind = _kind_of_os(error)
        cause = error.strerror or type(error).__name__
    else:
        kind = _kind_of_sqlite(error, directory)
        name: str | None = getattr(error, "sqlite_errorname", None)
        cause = f"{name}: {error}" if name else str(error)
    return kind(f"{directory}: {_REMEDIES[kind]} ({cause})")


class Seam:
    """Translates what leaves a `with` block; may be entered again and again."""

    __slots__ = ("_directory",)

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __enter__(self) -> None:
        """Nothing is needed on the way in."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, sqlite3.Error | OSError):
            raise translate(error, self._directory) from error


def _kind_of_os(error: OSError) -> type[StoreError]:
    return StoreFullError if error.errno in FULL_ERRNOS else StoreUnavailableError


def _kind_of_sqlite(error: sqlite3.Error, directory: Path) -> type[StoreError]:
    # Errors that the sqlite3 module raises by itself, such as for misuse, bear no code.
    code: int | None = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return StoreError
    if code in _FAILED_WRITES and not _has_room(directory):
        return StoreFullError
    return SQLITE_ERRORS.get(code & _PRIMARY_MASK, StoreError)


def _has_room(directory: Path) -> bool:
    """Ask the file system itself, since SQLite keeps the system's error number for itself."""
    try:
        with TemporaryFile(dir=directory, buffering=0) as probe:
            return probe.write(bytes(_PROBE_BYTES)) == _PROBE_BYTES
    except OSError as error:
        return error.errno not in FULL_ERRNOS
