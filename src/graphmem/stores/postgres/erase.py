"""Erasure on PostgreSQL: VACUUM, once no snapshot can see what was deleted.

The server's own log and its backups keep what they hold as long as they are set to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from graphmem.errors import ServiceClosedError, StoreUnavailableError
from graphmem.stores.postgres import queries

if TYPE_CHECKING:
    from uuid import UUID

    from graphmem.stores.postgres.connection import Connection

_READERS_SECONDS: Final = 30.0
_TURN_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.1


def erase(
    connect: Callable[[], Connection], now_us: Callable[[], int], stopping: threading.Event
) -> int:
    """Erase what was deleted so far: how many deletions came to their end.

    Of several processes one does it at a time; the next one does what came meanwhile.

    Args:
        connect: opens a connection.
        now_us: the time.
        stopping: ends what waits for others.

    Raises:
        ServiceClosedError: the store is closed meanwhile.
        StoreUnavailableError: the role does not own the tables, someone still reads an older
            state, or another process has been erasing for long.
    """
    with ExitStack() as steps:
        connection = connect()
        steps.callback(connection.close)
        connection.run(queries.NO_TIME_LIMIT)
        if not _waiting(connection):
            return 0
        _take_turn(connection, stopping)
        waiting = _waiting(connection)
        if not waiting:
            return 0
        _require_owner(connection)
        _await_readers(connection, stopping)
        connection.run(queries.VACUUM)
        at = now_us()
        connection.run_many(queries.SET_ERASED, [(at, ns, version) for ns, version in waiting])
    return len(waiting)


def _waiting(connection: Connection) -> list[tuple[UUID, int]]:
    return [(ns, version) for ns, version in connection.rows(queries.LIST_UNERASED)]


def _take_turn(connection: Connection, stopping: threading.Event) -> None:
    """Wait while another process erases."""
    end = time.monotonic() + _TURN_SECONDS
    while connection.row(queries.TRY_LOCK_ERASURE) != (True,):
        if time.monotonic() > end:
            raise StoreUnavailableError(
                "another process has been erasing for long; erasing is tried again"
            )
        _pause(stopping)


def _require_owner(connection: Connection) -> None:
    # VACUUM of another's table is skipped with a mere warning.
    if connection.row(queries.OWNS_TABLES) != (True,):
        raise StoreUnavailableError(
            "the role does not own the tables in the schema graphmem and may not vacuum them; let "
            "their owner's role do it: deletions wait for their erasure until then"
        )


def _await_readers(connection: Connection, stopping: threading.Event) -> None:
    """Wait until no snapshot is older than now."""
    row = connection.row(queries.NEXT_TRANSACTION)
    newest = row[0] if row else b"0"
    end = time.monotonic() + _READERS_SECONDS
    while connection.row(queries.HAS_OLD_READERS, (newest,)) != (False,):
        if time.monotonic() > end:
            raise StoreUnavailableError(
                "a transaction has held an older state of the database for long, and with it "
                "deleted texts; end it, erasing is tried again"
            )
        _pause(stopping)


def _pause(stopping: threading.Event) -> None:
    if stopping.wait(_PAUSE_SECONDS):
        raise ServiceClosedError
