"""Transactions of one memory: a snapshot to read, and the one that writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, final
from uuid import UUID

from typing_extensions import override

from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow
from graphmem.stores.postgres import queries, rows

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Connection, Row, Value


class PostgresRead:
    """A snapshot of one memory on a connection that it has for itself until it ends."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self._connection = connection
        self._scope = scope
        self._failure: StoreError | None = None
        self._begin()
        # The first query fixes the snapshot, so it belongs to the beginning.
        found = self._row(queries.FIND_MEMORY, rows.scope_values(scope))
        self._head = rows.to_head(found) if found else None
        # Without a memory no statement finds anything, even under another's number.
        self._ns = rows.ns_of(scope) if found else None

    def _begin(self) -> None:
        self._connection.begin(queries.BEGIN_READ)

    def head(self) -> Head | None:
        self.check()
        return self._head

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        row = self._row(
            queries.SELECT_REQUEST, (self._ns, surface.encode(), digest_parts(request_id))
        )
        return rows.to_request(surface, row) if row else None

    def segments(self, *, since: int) -> list[SegmentRow]:
        found = self._rows(queries.SELECT_SEGMENTS, (self._ns, since))
        return [rows.to_segment(row) for row in found]

    def turns(self, turn_nos: Sequence[int]) -> list[Turn]:
        asked = [int(number) for number in turn_nos]
        found = {row[0]: row for row in self._rows(queries.SELECT_TURNS, (self._ns, asked))}
        return [rows.to_turn(found[number]) for number in turn_nos if number in found]

    def vectors(self, model: str, *, since: int) -> list[VectorRow]:
        found = self._rows(queries.SELECT_VECTORS, (self._ns, model.encode(), since))
        return [rows.to_vectors(model, row) for row in found]

    def vector_spans(self, model: str) -> list[Span]:
        found = self._rows(queries.SELECT_VECTOR_SPANS, (self._ns, model.encode()))
        return [rows.to_span(row) for row in found]

    def pending(self, model: str) -> list[Span]:
        found = self._rows(queries.SELECT_PENDING, (self._ns, model.encode()))
        return [rows.to_span(row) for row in found]

    def end(self) -> None:
        """Take no more statements: the connection goes to others."""
        self._failure = self._failure or StoreError("this transaction has ended; open another")

    def _row(self, sql: str, parameters: Sequence[Value]) -> Row | None:
        found = self._rows(sql, parameters)
        return found[0] if found else None

    def _rows(self, sql: str, parameters: Sequence[Value]) -> list[Row]:
        self.check()
        try:
            return self._connection.rows(sql, parameters)
        except StoreError as error:
            self._failure = error
            raise

    def check(self) -> None:
        """Refuse to go on after a failure, even one that the caller swallowed.

        The server takes no more statements of a transaction in which one failed.

        Raises:
            StoreError: a statement failed, or the transaction has ended.
        """
        if self._failure is not None:
            raise self._failure


@final
class PostgresWrite(PostgresRead):
    """The one write transaction of a memory."""

    @override
    def _begin(self) -> None:
        self._connection.begin(queries.BEGIN_WRITE)
        # A memory that isn't there yet has no row to lock, so a number stands for it.
        self._rows(queries.LOCK_MEMORY, (rows.lock_number(self._scope),))

    def create(self, head: Head) -> None:
        ids = rows.scope_values(self._scope)
        self._run(queries.INSERT_MEMORY, [(*ids, *rows.head_values(head))])
        self._ns = rows.ns_of(self._scope)
        self._head = head

    def session(self, session_id: str) -> SessionRow | None:
        row = self._row(queries.SELECT_SESSION, (self._ns, digest_parts(session_id)))
        return rows.to_session(row) if row else None

    def put_session(self, session: SessionRow) -> None:
        self._run(queries.UPSERT_SESSION, [rows.session_values(self._memory(), session)])

    def put_turns(self, turns: Sequence[Turn]) -> None:
        ns = self._memory()
        self._run(queries.INSERT_TURN, [rows.turn_values(ns, turn) for turn in turns])

    def put_request(self, request: RequestRow) -> None:
        self._run(queries.INSERT_REQUEST, [rows.request_values(self._memory(), request)])

    def segment_spans(self) -> list[Span]:
        found = self._rows(queries.SELECT_SPANS, (self._ns,))
        return [rows.to_span(row) for row in found]

    def segment(self, first_turn: int) -> SegmentRow:
        row = self._row(queries.SELECT_SEGMENT, (self._ns, first_turn))
        if row is None:
            raise KeyError(first_turn)
        return rows.to_segment(row)

    def put_segment(self, segment: SegmentRow) -> None:
        place = (self._memory(), segment.first_turn, segment.turns)
        self._run(queries.INSERT_SEGMENT, [(*place, segment.version, segment.data)])

    def delete_segments(self, first_turns: Sequence[int]) -> None:
        ns = self._memory()
        self._run(queries.DELETE_SEGMENT, [(ns, first_turn) for first_turn in first_turns])

    def put_model(self, model: EmbeddingModel) -> None:
        self._memory()
        self._run(queries.INSERT_MODEL, [rows.model_values(model)])

    def put_vectors(self, vectors: Sequence[VectorRow]) -> None:
        ns = self._memory()
        self._run(queries.INSERT_VECTORS, [rows.vector_values(ns, row) for row in vectors])

    def delete_vectors(self, *, keep: str) -> None:
        ns = self._memory()
        self._run(queries.DELETE_OTHER_VECTORS, [(ns, keep.encode())])
        self._run(queries.DELETE_OTHER_PENDING, [(ns, keep.encode())])

    def put_pending(self, model: str, spans: Sequence[Span]) -> None:
        ns = self._memory()
        lines = [(ns, model.encode(), span.first_turn, span.turns) for span in spans]
        self._run(queries.INSERT_PENDING, lines)

    def delete_pending(self, model: str, first_turns: Sequence[int]) -> None:
        ns = self._memory()
        self._run(queries.DELETE_PENDING, [(ns, model.encode(), first) for first in first_turns])

    def set_head(self, head: Head) -> None:
        self._run(queries.UPDATE_HEAD, [(*rows.head_values(head), self._memory())])
        self._head = head

    def _memory(self) -> UUID:
        self.check()
        if self._ns is None:
            self._failure = StoreError("the memory has not been created in this transaction")
            raise self._failure
        return self._ns

    def _run(self, sql: str, lines: Iterable[Sequence[Value]]) -> None:
        self.check()
        try:
            self._connection.run_many(sql, lines)
        except StoreError as error:
            self._failure = error
            raise
