"""Erasure: after it, no byte of a deleted text is in the files of a directory.

A deletion only marks rows as free: their bytes stay in free pages, in the slack of pages in use,
even with `secure_delete` (pages are rearranged), and in the write-ahead log. VACUUM writes every
page anew, by way of the log; a checkpoint brings them into the file and truncates the log, which
it can't as long as a reader holds an older state.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from graphmem.errors import ServiceClosedError, StoreFullError, StoreUnavailableError
from graphmem.stores.sqlite import queries
from graphmem.stores.sqlite.connection import Connection, open_writer
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.place import Place
from graphmem.stores.turnstile import Turnstile

# VACUUM makes a copy in the system's temporary directory, and writes it whole into the log.
_ROOM: Final = 1.1
_READERS_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.05

Key = tuple[int, int]


class Eraser:
    """Erases what was deleted from one directory; one erasure at a time."""

    def __init__(self, place: Place, turnstile: Turnstile) -> None:
        """Prepare.

        Args:
            place: the files.
            turnstile: through which all writers go.
        """
        self._place = place
        self._turnstile = turnstile
        self._mutex = threading.Lock()
        self._stopping = threading.Event()
        # Deletions since which the file was written anew, while the log still holds the old one.
        self._rewritten: list[Key] = []

    def erase(self, now_us: Callable[[], int]) -> int:
        """Erase what was deleted so far: how many deletions came to their end.

        Writers wait while the file is written anew; then only for short tries to truncate the log.

        Raises:
            StoreFullError: there is no room to write the file anew.
            StoreUnavailableError: a reader holds an older state for longer than half a minute.
        """
        with self._mutex, ExitStack() as steps:
            connection = open_writer(self._place)
            steps.callback(connection.close)
            # A try that a reader stopped is taken up where it ended: the log can't grow for ever.
            done = self._finish(connection, now_us) if self._rewritten else 0
            with self._turnstile:
                self._rewritten = self._rewrite(connection)
            return done + (self._finish(connection, now_us) if self._rewritten else 0)

    def stop(self) -> None:
        """Give up waiting for readers; what is not done is done after the next opening."""
        self._stopping.set()

    def _rewrite(self, connection: Connection) -> list[Key]:
        waiting = _waiting(connection)
        if waiting:
            _require_room(self._place, connection)
            # A large copy must not fill the memory.
            connection.run("PRAGMA temp_store = FILE")
            connection.run("VACUUM")
        return waiting

    def _finish(self, connection: Connection, now_us: Callable[[], int]) -> int:
        self._truncate_log(connection)
        done, self._rewritten = self._rewritten, []
        with self._turnstile:
            _note(connection, done, now_us())
        return len(done)

    def _truncate_log(self, connection: Connection) -> None:
        """Bring the log into the file and empty it, as soon as no reader needs it any more."""
        connection.run("PRAGMA busy_timeout = 200")
        end = time.monotonic() + _READERS_SECONDS
        while not self._stopping.is_set():
            with self._turnstile:
                if connection.row("PRAGMA wal_checkpoint(TRUNCATE)") == (0, 0, 0):
                    return
            if time.monotonic() > end:
                raise StoreUnavailableError(
                    f"{self._place.directory}: a reader has held an older state of the database for "
                    "long, and with it deleted texts; end the program that reads it, erasing is "
                    "tried again"
                )
            self._stopping.wait(_PAUSE_SECONDS)
        raise ServiceClosedError


def _waiting(connection: Connection) -> list[Key]:
    return [(ns, version) for ns, version in connection.rows(queries.LIST_UNERASED)]


def _require_room(place: Place, connection: Connection) -> None:
    row = connection.row("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    needed = int(row[0] * _ROOM) if row else 0
    with Seam(place.directory):
        free = shutil.disk_usage(place.directory).free
    if free < needed:
        raise StoreFullError(
            f"{place.directory}: erasing deleted texts needs {needed:,} free bytes and there are "
            f"{free:,}; free some space, it is tried again and nothing is lost"
        )


def _note(connection: Connection, done: list[Key], at_us: int) -> None:
    connection.run("BEGIN IMMEDIATE")
    with ExitStack() as undo:
        undo.callback(connection.rollback)
        connection.run_many(queries.SET_ERASED, [(at_us, ns, version) for ns, version in done])
        connection.run("COMMIT")
        undo.pop_all()
