"""Transactions of one memory: a snapshot to read, and the one that writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias, final
from uuid import UUID

from typing_extensions import override

from graphmem.domain.scope import Scope
from graphmem.ports.store import Head
from graphmem.stores.postgres import queries
from graphmem.stores.postgres.rows import decoded_turn, ns_of, scope_values
from graphmem.stores.rows import Row, head_values, to_head
from graphmem.stores.transaction import SqlRead, SqlWrite

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Connection


Own: TypeAlias = UUID | list[int] | list[bytes]


class PostgresRead(SqlRead[Own]):
    """A snapshot of one memory; the query that finds it brings its head along."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        super().__init__(connection, scope, queries.STATEMENTS)
        found = self._row(queries.FIND_MEMORY, scope_values(scope))
        self._head = to_head(found[:-1]) if found else None
        self._is_buried = bool(found and found[-1])
        # Without a memory no statement finds anything, even under another's number.
        self._ns = ns_of(scope) if found else None

    @override
    def _last_head(self) -> Head | None:
        return self._head

    @override
    def _list(self, values: Sequence[int] | Sequence[str]) -> list[int] | list[bytes]:
        texts = [value.encode() for value in values if isinstance(value, str)]
        return texts or [int(value) for value in values]

    @override
    def _turn_rows(self, turn_nos: list[int]) -> list[Row]:
        found = self._rows(queries.SELECT_TURNS, (self._ns, turn_nos))
        return [decoded_turn(row) for row in found]


@final
class PostgresWrite(PostgresRead, SqlWrite[Own]):
    """The one write transaction of a memory."""

    @override
    def _insert(self, head: Head) -> None:
        ids = scope_values(self._scope)
        self._run(queries.INSERT_MEMORY, [(*ids, *head_values(head))])
        self._ns = ns_of(self._scope)
        self._head = head

    @override
    def set_head(self, head: Head) -> None:
        super().set_head(head)
        self._head = head
