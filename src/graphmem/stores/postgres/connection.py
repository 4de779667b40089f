"""A connection to the server: how it is opened and mended, and the statements it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from typing import Final
from uuid import UUID

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.types.numeric import Int8BinaryDumper

from graphmem.errors import StoreError, StoreUnavailableError
from graphmem.stores.postgres import queries
from graphmem.stores.postgres.errors import Seam
from graphmem.stores.postgres.place import Place
from graphmem.stores.postgres.rows import encoded
from graphmem.stores.rows import Row

Value = UUID | str | bytes | int | list[int] | list[bytes] | None

LEAST_SERVER: Final = 140_000
# The URL's own settings win over these. A server that vanished without a word is noticed.
_DEFAULTS: Final = {
    "application_name": "graphmem",
    "connect_timeout": "10",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}


class Connection:
    """One connection in autocommit mode; used by one thread at a time."""

    __slots__ = ("_place", "_raw", "_seam")

    def __init__(self, place: Place) -> None:
        """Connect.

        Raises:
            StoreUnavailableError: the server can't be reached, refuses us, or is too old.
        """
        self._place = place
        self._seam = Seam(place.name)
        self._raw = self._connect()

    def begin(self, sql: str) -> None:
        """Begin a transaction, on a new connection if this one was lost while it was idle."""
        try:
            self.run(sql)
        except StoreUnavailableError:
            self.close()
            self._raw = self._connect()
            self.run(sql)

    def commit(self) -> None:
        """End the transaction, durably.

        Raises:
            StoreError: the server undid it instead.
        """
        with self._seam:
            done = self._raw.execute("COMMIT").statusmessage
        if done != "COMMIT":
            raise StoreError("the write was undone: one of its statements had failed")

    def rows(self, sql: str, parameters: Sequence[Value] = ()) -> list[Row]:
        """Run a query."""
        values = encoded(parameters)
        with self._seam:
            return self._raw.execute(sql, values, binary=True).fetchall()

    def row(self, sql: str, parameters: Sequence[Value] = ()) -> Row | None:
        """Run a query that has one row or none."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def run(self, script: str) -> None:
        """Run statements without parameters, whose rows, if they have any, nobody wants."""
        with self._seam:
            self._raw.execute(script)

    def run_many(self, sql: str, rows: Iterable[Sequence[Value]]) -> None:
        """Run a statement once for each row."""
        lines = [encoded(row) for row in rows]
        with self._seam, self._raw.cursor() as cursor:
            cursor.executemany(sql, lines)

    def rollback(self) -> None:
        """Undo the running transaction, if there is one."""
        with self._seam:
            if self._raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                self._raw.execute("ROLLBACK")

    def close(self) -> None:
        """Give the connection back."""
        with self._seam:
            self._raw.close()

    def _connect(self) -> psycopg.Connection[Row]:
        settings = {**_DEFAULTS, **self._place.parameters}
        with self._seam:
            raw = psycopg.connect(make_conninfo(**settings), autocommit=True)
            with ExitStack() as undo:
                undo.callback(raw.close)
                self._prepare(raw)
                undo.pop_all()
        return raw

    def _prepare(self, raw: psycopg.Connection[Row]) -> None:
        if raw.info.server_version < LEAST_SERVER:
            raise StoreUnavailableError(
                f"{self._place.name}: the server is too old; use PostgreSQL 14 or newer"
            )
        # By default the width of a number depends on its value, and each mixture of widths in one
        # statement would be prepared anew.
        raw.adapters.register_dumper(int, Int8BinaryDumper)
        raw.execute(queries.PREPARE_SESSION)
