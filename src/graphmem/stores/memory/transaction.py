"""Transactions of one memory: a state to read, and the one that makes the next state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import final

from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.store import Head, RequestRow, SegmentRow, SegmentSpan, SessionRow
from graphmem.stores.memory.state import State


class MemoryRead:
    """A snapshot: the state that was published when it began."""

    def __init__(self, state: State) -> None:
        self._current = state
        self._failure: StoreError | None = None

    def head(self) -> Head | None:
        return self._state().head

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        return self._state().requests.get((surface, request_id))

    def segments(self, *, since: int) -> list[SegmentRow]:
        rows = sorted(self._state().segments.items())
        return [row for _, row in rows if row.version > since]

    def turns(self, turn_nos: Sequence[int]) -> list[Turn]:
        state = self._state()
        return [
            # A turn shows its session's id as it is now, as a join does.
            replace(turn, session_id=state.sessions[turn.session_no].session_id)
            for turn in map(state.turns.get, turn_nos)
            if turn is not None
        ]

    def end(self) -> None:
        """Answer nothing more."""
        self._failure = self._failure or StoreError("this transaction has ended; open another")

    def _state(self) -> State:
        if self._failure is not None:
            raise self._failure
        return self._current


@final
class MemoryWrite(MemoryRead):
    """The one write transaction; what it makes is published when it ends without an error."""

    def create(self, head: Head) -> None:
        self._require(self._state().head is None, "the memory is there already")
        self._current = self._state().with_head(head)

    def session(self, session_id: str) -> SessionRow | None:
        rows = self._state().sessions.values()
        return next((row for row in rows if row.session_id == session_id), None)

    def put_session(self, session: SessionRow) -> None:
        self._require_memory()
        namesake = self.session(session.session_id)
        self._require(
            namesake is None or namesake.session_no == session.session_no,
            "another session has this id",
        )
        self._current = self._state().with_session(session)

    def put_turns(self, turns: Sequence[Turn]) -> None:
        self._require_memory()
        state, new = self._state(), list(turns)
        numbers, ids = {turn.turn_no for turn in new}, {turn.turn_id for turn in new}
        self._require(len(numbers) == len(ids) == len(new), "a turn comes twice")
        self._require(not numbers & state.turns.keys(), "a turn's number is taken")
        self._require(not ids & state.turn_ids, "a turn's id is taken")
        self._require(
            all(turn.session_no in state.sessions for turn in new), "a turn's session is missing"
        )
        self._current = state.with_turns(new)

    def put_request(self, request: RequestRow) -> None:
        self._require_memory()
        known = self.request(request.surface, request.request_id)
        self._require(known is None, "the request is in the ledger already")
        self._current = self._state().with_request(request)

    def segment_spans(self) -> list[SegmentSpan]:
        rows = self._state().segments
        return [SegmentSpan(first_turn=first, turns=rows[first].turns) for first in sorted(rows)]

    def segment(self, first_turn: int) -> SegmentRow:
        return self._state().segments[first_turn]

    def put_segment(self, segment: SegmentRow) -> None:
        self._require_memory()
        is_free = segment.first_turn not in self._state().segments
        self._require(is_free, "a segment begins at this turn already")
        self._current = self._state().with_segment(segment)

    def delete_segments(self, first_turns: Sequence[int]) -> None:
        self._require_memory()
        self._current = self._state().without_segments(frozenset(first_turns))

    def set_head(self, head: Head) -> None:
        self._require_memory()
        self._current = self._state().with_head(head)

    def result(self) -> State:
        """The state to publish.

        Raises:
            StoreError: a call failed, even if the caller swallowed its error.
        """
        return self._state()

    def _require_memory(self) -> None:
        has_memory = self._state().head is not None
        self._require(has_memory, "the memory has not been created in this transaction")

    def _require(self, holds: bool, broken: str) -> None:  # noqa: FBT001
        if not holds:
            self._failure = StoreError(f"the write was undone: {broken}")
            raise self._failure
