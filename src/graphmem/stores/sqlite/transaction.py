"""Transactions of one memory: a snapshot to read, and the one that writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
        found = self._row(queries.FIND_MEMORY, (self._scope.digest,))
        if found:
            self._ns, self._is_buried = found[0], bool(found[1])

    @override
    def _last_head(self) -> Head | None:
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
    def segments_around(self, turn_nos: Sequence[int]) -> list[SegmentRow]:
        return sorted(super().segments_around(turn_nos), key=attrgetter("first_turn"))

    @override
    def vectors_around(self, model: str, turn_nos: Sequence[int]) -> list[VectorRow]:
        return sorted(super().vectors_around(model, turn_nos), key=attrgetter("first_turn"))

    @override
    def _turn_rows(self, turn_nos: list[int]) -> list[Row]:
        return self._rows(queries.SELECT_TURNS, (self._ns, self._list(turn_nos)))

    @override
    def _list(self, values: Sequence[int] | Sequence[str]) -> str:
        return json.dumps([v if isinstance(v, str) else int(v) for v in values])


@final
class SqliteWrite(SqliteRead, SqlWrite[int]):
    """The one write transaction."""

    @override
    def _insert(self, head: Head) -> None:
        scope = self._scope
        ids = (scope.digest, scope.tenant_id.encode(), scope.memory_id.encode())
        self._run(queries.INSERT_MEMORY, [(*ids, *rows.head_values(head))])
        found = self._row(queries.FIND_MEMORY, (scope.digest,))
        self._ns = found[0] if found else None
