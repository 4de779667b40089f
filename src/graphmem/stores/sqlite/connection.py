"""A connection to the database file: how it is opened, and the statements it runs."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final, Literal

from graphmem.domain.backup import CopyProgress, TellCopy
from graphmem.errors import StoreUnavailableError
from graphmem.stores.rows import Row, Value
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.place import Place

Mode = Literal["ro", "rw"]

LEAST_SQLITE: Final = (3, 37, 0)  # STRICT tables
# Within one process nothing ever waits this long: it is for programs beside, such as a backup.
_BUSY_SECONDS: Final = 10.0
# Page cache and memory mapping stay at SQLite's defaults: a 64 MiB cache or a mapped file made
# reads of 100 among 100,000 turns no faster (0.6 ms), since the system caches the file anyway.
_READER_PRAGMAS: Final = ("PRAGMA query_only = ON", "PRAGMA temp_store = MEMORY")
_WRITER_PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA synchronous = FULL",
    # On macOS a plain sync stays in the drive's cache; elsewhere this does nothing.
    "PRAGMA fullfsync = ON",
)


class Connection:
    """One SQLite connection in autocommit mode; used by one thread at a time."""

    __slots__ = ("_raw", "_seam")

    def __init__(self, raw: sqlite3.Connection, seam: Seam) -> None:
        self._raw = raw
        self._seam = seam

    @classmethod
    def open(cls, place: Place, mode: Mode) -> Connection:
        """Connect to the file, which must be there; see `open_file`."""
        return cls.open_file(place.database, mode)

    @classmethod
    def open_file(cls, database: Path, mode: Mode) -> Connection:
        """Connect to a file of any name, which must be there.

        Raises:
            StoreUnavailableError: the SQLite library is too old, or the file can't be opened.
        """
        if sqlite3.sqlite_version_info < LEAST_SQLITE:
            raise StoreUnavailableError(
                f"SQLite {sqlite3.sqlite_version} is too old; use a Python built with 3.37 or newer"
            )
        seam = Seam(database.parent)
        with seam:
            raw = sqlite3.connect(
                f"{database.as_uri()}?mode={mode}",
                uri=True,
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
        return cls(raw, seam)

    def rows(self, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
        """Run a query."""
        with self._seam:
            return self._raw.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Value] = ()) -> Row | None:
        """Run a query that has one row or none."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def run(self, sql: str, parameters: Sequence[Value] = ()) -> None:
        """Run a statement whose rows, if it has any, nobody wants."""
        with self._seam:
            self._raw.execute(sql, parameters).close()

    def run_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once for each row."""
        with self._seam:
            self._raw.executemany(sql, rows)

    def stream(self, sql: str) -> Generator[Row]:
        """Run a query and give its rows one by one, however many they are."""
        with self._seam, closing(self._raw.execute(sql)) as cursor:
            yield from cursor

    def copy_to(self, target: Connection, *, pages: int, tell: TellCopy) -> None:
        """Make the target a copy of the state that this connection sees, `pages` a step.

        Inside a transaction the copy is of its snapshot, so that no write makes it begin again.
        """

        def report(_: int, remaining: int, total: int) -> None:
            tell(CopyProgress(pages_done=total - remaining, pages=total))

        with target._seam:
            self._raw.backup(target._raw, pages=pages, progress=report)

    def rollback(self) -> None:
        """Undo the running transaction; after some errors SQLite has done so by itself."""
        with self._seam:
            if self._raw.in_transaction:
                self._raw.execute("ROLLBACK").close()

    def close(self) -> None:
        """Give the connection back."""
        with self._seam:
            self._raw.close()


def open_writer(place: Place) -> Connection:
    """Open the one connection that writes, before the database's identity is known."""
    return _prepared(Connection.open(place, "rw"), _WRITER_PRAGMAS)


def open_reader(place: Place, mode: Mode) -> Connection:
    """Open a connection that only reads."""
    return _prepared(Connection.open(place, mode), _READER_PRAGMAS)


def _prepared(connection: Connection, pragmas: Iterable[str]) -> Connection:
    with ExitStack() as undo:
        undo.callback(connection.close)
        for pragma in pragmas:
            connection.run(pragma)
        undo.pop_all()
    return connection


def use_write_ahead_log(connection: Connection) -> None:
    """Turn on WAL, with which readers and the writer never wait for each other.

    Raises:
        StoreUnavailableError: the file system can't do it.
    """
    answer = connection.row("PRAGMA journal_mode = WAL")
    if answer != ("wal",):
        raise StoreUnavailableError(
            "SQLite can't keep a write-ahead log in this data directory; choose one on a local disk"
        )
    # A log that grew under one large write or a long snapshot shrinks to 64 MiB afterwards.
    connection.run("PRAGMA journal_size_limit = 67108864")
