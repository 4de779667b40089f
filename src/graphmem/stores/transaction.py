"""Transactions of one memory, as all stores that speak SQL have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Generic, Protocol, TypeVar

from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow
from graphmem.stores import rows
from graphmem.stores.rows import Row, Value
from graphmem.stores.statements import Statements

# The kinds of values that only this database takes, a memory's number among them.
Own = TypeVar("Own")
OwnTaken = TypeVar("OwnTaken", contravariant=True)


class Connection(Protocol[OwnTaken]):
    """A connection as a transaction sees it, once someone has begun one on it."""

    def rows(self, sql: str, parameters: Sequence[OwnTaken | Value]) -> list[Row]:
        """Run a query.

        Raises:
            StoreError: it failed.
        """
        ...

    def run_many(self, sql: str, rows: Iterable[Sequence[OwnTaken | Value]]) -> None:
        """Run a statement once for each row.

        Raises:
            StoreError: it failed.
        """
        ...


class SqlRead(ABC, Generic[Own]):
    """A snapshot of one memory on a connection that it has for itself until it is closed.

    A subclass finds the memory's number by its first query, which fixes the snapshot.
    """

    def __init__(self, connection: Connection[Own], scope: Scope, statements: Statements) -> None:
        self._connection = connection
        self._scope = scope
        self._statements = statements
        self._ns: Own | None = None
        self._failure: StoreError | None = None

    @abstractmethod
    def head(self) -> Head | None: ...

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        key = (self._ns, surface, digest_parts(request_id))
        row = self._row(self._statements.select_request, key)
        return rows.to_request(surface, row) if row else None

    def session(self, session_id: str) -> SessionRow | None:
        key = (self._ns, digest_parts(session_id))
        row = self._row(self._statements.select_session, key)
        return rows.to_session(row) if row else None

    def segments(self, *, since: int) -> list[SegmentRow]:
        found = self._rows(self._statements.select_segments, (self._ns, since))
        return [rows.to_segment(row) for row in found]

    def turns(self, turn_nos: Sequence[int]) -> list[Turn]:
        found = {row[0]: row for row in self._turn_rows([int(number) for number in turn_nos])}
        return [rows.to_turn(found[number]) for number in turn_nos if number in found]

    @abstractmethod
    def _turn_rows(self, turn_nos: list[int]) -> list[Row]:
        """The rows of these turns, in any order, each with its session's id."""

    def vectors(self, model: str, *, since: int) -> list[VectorRow]:
        found = self._rows(self._statements.select_vectors, (self._ns, model, since))
        return [rows.to_vectors(model, row) for row in found]

    def vector_spans(self, model: str) -> list[Span]:
        found = self._rows(self._statements.select_vector_spans, (self._ns, model))
        return [rows.to_span(row) for row in found]

    def pending(self, model: str) -> list[Span]:
        found = self._rows(self._statements.select_pending, (self._ns, model))
        return [rows.to_span(row) for row in found]

    def close(self) -> None:
        """Take no more statements: the connection goes to others."""
        self._failure = self._failure or StoreError("this transaction has ended; open another")

    def check(self) -> None:
        """Refuse to go on after a failure, even one that the caller swallowed.

        The database may have undone the transaction by itself, and what followed would stay.

        Raises:
            StoreError: a statement failed, or the transaction has ended.
        """
        if self._failure is not None:
            raise self._failure

    def _row(self, sql: str, parameters: Sequence[Own | Value]) -> Row | None:
        found = self._rows(sql, parameters)
        return found[0] if found else None

    def _rows(self, sql: str, parameters: Sequence[Own | Value]) -> list[Row]:
        self.check()
        try:
            return self._connection.rows(sql, parameters)
        except StoreError as error:
            self._failure = error
            raise


class SqlWrite(SqlRead[Own]):
    """The one write transaction of a memory."""

    @abstractmethod
    def create(self, head: Head) -> None: ...

    def put_session(self, session: SessionRow) -> None:
        line = rows.session_values(self._memory(), session)
        self._run(self._statements.upsert_session, [line])

    def put_turns(self, turns: Sequence[Turn]) -> None:
        ns = self._memory()
        lines = [rows.turn_values(ns, turn) for turn in turns]
        self._run(self._statements.insert_turn, lines)

    def put_request(self, request: RequestRow) -> None:
        line = rows.request_values(self._memory(), request)
        self._run(self._statements.insert_request, [line])

    def segment_spans(self) -> list[Span]:
        found = self._rows(self._statements.select_spans, (self._ns,))
        return [rows.to_span(row) for row in found]

    def segment(self, first_turn: int) -> SegmentRow:
        row = self._row(self._statements.select_segment, (self._ns, first_turn))
        if row is None:
            raise KeyError(first_turn)
        return rows.to_segment(row)

    def put_segment(self, segment: SegmentRow) -> None:
        line = rows.segment_values(self._memory(), segment)
        self._run(self._statements.insert_segment, [line])

    def delete_segments(self, first_turns: Sequence[int]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_segment, [(ns, first) for first in first_turns])

    def put_model(self, model: EmbeddingModel) -> None:
        self._memory()
        self._run(self._statements.insert_model, [rows.model_values(model)])

    def put_vectors(self, vectors: Sequence[VectorRow]) -> None:
        ns = self._memory()
        lines = [rows.vector_values(ns, row) for row in vectors]
        self._run(self._statements.insert_vectors, lines)

    def delete_vectors(self, *, keep: str) -> None:
        ns = self._memory()
        self._run(self._statements.delete_other_vectors, [(ns, keep)])
        self._run(self._statements.delete_other_pending, [(ns, keep)])

    def put_pending(self, model: str, spans: Sequence[Span]) -> None:
        ns = self._memory()
        lines = [(ns, model, span.first_turn, span.turns) for span in spans]
        self._run(self._statements.insert_pending, lines)

    def delete_pending(self, model: str, first_turns: Sequence[int]) -> None:
        ns = self._memory()
        lines = [(ns, model, first) for first in first_turns]
        self._run(self._statements.delete_pending, lines)

    def set_head(self, head: Head) -> None:
        line: tuple[Own | Value, ...] = (*rows.head_values(head), self._memory())
        self._run(self._statements.update_head, [line])

    def _memory(self) -> Own:
        self.check()
        if self._ns is None:
            self._failure = StoreError("the memory has not been created in this transaction")
            raise self._failure
        return self._ns

    def _run(self, sql: str, lines: Iterable[Sequence[Own | Value]]) -> None:
        self.check()
        try:
            self._connection.run_many(sql, lines)
        except StoreError as error:
            self._failure = error
            raise
