"""Transactions of one memory: a snapshot to read, and the one that writes."""

from __future__ import annotations

import json
from operator import attrgetter
from typing import final

from typing_extensions import override

from graphmem.domain.scope import Scope
from graphmem.ports.store import Head, SegmentRow, VectorRow
from graphmem.stores import rows
from graphmem.stores.rows import Row
from graphmem.stores.sqlite import queries
from graphmem.stores.sqlite.connection import Connection
from graphmem.stores.transaction import SqlRead, SqlWrite


class SqliteRead(SqlRead[int]):
    """A snapshot of one memory; SQLite numbers the memories by itself."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope, queries.STATEMENTS)
        self._ns = self._find()

    @override
    def head(self) -> Head | None:
        row = self._row(queries.SELECT_HEAD, (self._ns,))
        return rows.to_head(row) if row else None

    @override
    def segments(self, *, since: int) -> list[SegmentRow]:
        # SQLite would copy all data to sort them; so with vectors.
        return sorted(super().segments(since=since), key=attrgetter("first_turn"))

    @override
    def vectors(self, model: str, *, since: int) -> list[VectorRow]:
        return sorted(super().vectors(model, since=since), key=attrgetter("first_turn"))

    @override
    def _turn_rows(self, turn_nos: list[int]) -> list[Row]:
        return self._rows(queries.SELECT_TURNS, (self._ns, json.dumps(turn_nos)))

    def _find(self) -> int | None:
        row = self._row(queries.FIND_MEMORY, (self._scope.digest,))
        return row[0] if row else None


@final
class SqliteWrite(SqliteRead, SqlWrite[int]):
    """The one write transaction."""

    @override
    def create(self, head: Head) -> None:
        scope = self._scope
        ids = (scope.digest, scope.tenant_id.encode(), scope.memory_id.encode())
        self._run(queries.INSERT_MEMORY, [(*ids, *rows.head_values(head))])
        self._ns = self._find()
