"""Transactions of one memory, as all stores that speak SQL have them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypeVar

from typing_extensions import override

from graphmem.domain.erasure import Tombstone
from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow
from graphmem.stores import rows
from graphmem.stores.atoms import Own, SqlAtomReads, SqlAtomWrites
from graphmem.stores.rows import Row, Value
from graphmem.stores.scenes import SqlSceneReads, SqlSceneWrites
from graphmem.stores.statements import Statements

_ALL: Final = 2**62
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


class SqlRead(SqlAtomReads[Own], SqlSceneReads[Own]):
    """A snapshot of one memory on a connection that it has for itself until it is closed.

    A subclass finds the memory's number, and whether it is buried, by its first query, which fixes
    the snapshot.
    """

    def __init__(self, connection: Connection[Own], scope: Scope, statements: Statements) -> None:
        self._connection = connection
        self._scope = scope
        self._statements = statements
        self._ns: Own | None = None
        self._is_buried = False
        self._failure: StoreError | None = None

    def head(self) -> Head | None:
        self.check()
        return None if self._is_buried else self._last_head()

    def grave(self) -> Head | None:
        self.check()
        return self._last_head() if self._is_buried else None

    @abstractmethod
    def _last_head(self) -> Head | None:
        """The memory's last state, buried or not."""

    def tombstones(self) -> list[Tombstone]:
        found = self._rows(self._statements.select_tombstones, (self._ns,))
        return [rows.to_tombstone(row) for row in found]

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        key = (self._ns, surface, digest_parts(request_id))
        row = self._row(self._statements.select_request, key)
        return rows.to_request(surface, row) if row else None

    def session(self, session_id: str) -> SessionRow | None:
        key = (self._ns, digest_parts(session_id))
        row = self._row(self._statements.select_session, key)
        return rows.to_session(row) if row else None

    def requests(
        self, *, behind: tuple[str, str] | None = None, limit: int = 1000
    ) -> list[RequestRow]:
        # No surface is empty, so this is before all.
        surface, digest = (behind[0], digest_parts(behind[1])) if behind else ("", b"")
        key = (self._ns, surface, digest, limit)
        found = self._rows(self._statements.select_requests, key)
        return [rows.to_request(row[0].decode(), row[1:]) for row in found]

    def sessions(self, *, behind: int = -1, limit: int = 1000) -> list[SessionRow]:
        found = self._rows(self._statements.select_sessions, (self._ns, behind, limit))
        return [rows.to_session(row) for row in found]

    def segments(self, *, since: int) -> list[SegmentRow]:
        found = self._rows(self._statements.select_segments, (self._ns, since))
        return [rows.to_segment(row) for row in found]

    def turns(self, turn_nos: Sequence[int]) -> list[Turn]:
        found = {row[0]: row for row in self._turn_rows([int(number) for number in turn_nos])}
        return [rows.to_turn(found[number]) for number in turn_nos if number in found]

    @abstractmethod
    def _turn_rows(self, turn_nos: list[int]) -> list[Row]:
        """The rows of these turns, in any order, each with its session's id."""

    def turn_nos(self) -> list[int]:
        return self._numbers(self._statements.select_turn_nos, (self._ns,))

    def find_turns(self, turn_ids: Sequence[str]) -> list[int]:
        asked = self._list(list(dict.fromkeys(turn_ids)))
        return self._numbers(self._statements.find_turns, (self._ns, asked))

    def session_turns(self, session_no: int, *, limit: int | None = None) -> list[int]:
        key = (self._ns, session_no, _ALL if limit is None else limit)
        return self._numbers(self._statements.select_session_turns, key)

    def turns_recorded_before(self, us: int) -> list[int]:
        return self._numbers(self._statements.select_turns_before, (self._ns, us))

    def segments_around(self, turn_nos: Sequence[int]) -> list[SegmentRow]:
        key = (self._ns, self._ns, self._list(turn_nos))
        found = self._rows(self._statements.select_segments_around, key)
        return [rows.to_segment(row) for row in found]

    def vectors_around(self, model: str, turn_nos: Sequence[int]) -> list[VectorRow]:
        key = (self._ns, model, self._ns, model, self._list(turn_nos))
        found = self._rows(self._statements.select_vectors_around, key)
        return [rows.to_vectors(model, row) for row in found]

    def vector_models(self) -> list[str]:
        found = self._rows(self._statements.select_vector_models, (self._ns, self._ns))
        return [rows.to_text(row[0]) for row in found]

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

    def _numbers(self, sql: str, parameters: Sequence[Own | Value]) -> list[int]:
        return [number for (number,) in self._rows(sql, parameters)]

    def _row(self, sql: str, parameters: Sequence[Own | Value]) -> Row | None:
        found = self._rows(sql, parameters)
        return found[0] if found else None

    @override
    def _rows(self, sql: str, parameters: Sequence[Own | Value]) -> list[Row]:
        self.check()
        try:
            return self._connection.rows(sql, parameters)
        except StoreError as error:
            self._failure = error
            raise


class SqlWrite(SqlRead[Own], SqlAtomWrites[Own], SqlSceneWrites[Own]):
    """The one write transaction of a memory."""

    def create(self, head: Head) -> None:
        self.check()
        if self._is_buried:
            self._set_buried(buried=False)
            self.set_head(head)
        else:
            self._insert(head)

    @abstractmethod
    def _insert(self, head: Head) -> None:
        """Put a memory that was never there."""

    def bury(self, head: Head) -> None:
        ns, have = self._memory(), self._statements
        for sql in (
            have.delete_all_turns,
            have.delete_all_sessions,
            have.delete_all_segments,
            have.delete_all_vectors,
            have.delete_all_pending,
            have.delete_all_atom_sources,
            have.delete_all_atoms,
            have.delete_all_atom_edits,
            have.delete_all_scenes,
            have.delete_all_answers,
            have.delete_all_chat_tokens,
        ):
            self._run(sql, [(ns,)])
        self.set_head(head)
        self._set_buried(buried=True)

    def _set_buried(self, *, buried: bool) -> None:
        self._run(self._statements.set_buried, [(buried, self._ns)])
        self._is_buried = buried

    def put_tombstone(self, tombstone: Tombstone) -> None:
        if self._ns is None:
            self._memory()
        self._run(self._statements.insert_tombstone, [rows.tombstone_values(self._ns, tombstone)])

    def delete_turns(self, turn_nos: Sequence[int]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_turn, [(ns, number) for number in turn_nos])

    def delete_sessions(self, session_nos: Sequence[int]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_session, [(ns, number) for number in session_nos])

    def delete_vectors_at(self, model: str, first_turns: Sequence[int]) -> None:
        ns = self._memory()
        lines = [(ns, model, first) for first in first_turns]
        self._run(self._statements.delete_vectors_at, lines)

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

    @override
    def _memory(self) -> Own:
        self.check()
        if self._ns is None or self._is_buried:
            self._failure = StoreError("the memory has not been created in this transaction")
            raise self._failure
        return self._ns

    @override
    def _run(self, sql: str, lines: Iterable[Sequence[Own | Value]]) -> None:
        self.check()
        try:
            self._connection.run_many(sql, lines)
        except StoreError as error:
            self._failure = error
            raise
