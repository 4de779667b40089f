"""Transactions of one memory: a state to read, and the one that makes the next state."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Final, final

from typing_extensions import override

from graphmem.domain.erasure import Tombstone
from graphmem.domain.scope import digest_parts
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow
from graphmem.stores.memory.atoms import MemoryAtomReads, MemoryAtomWrites
from graphmem.stores.memory.scenes import MemorySceneReads, MemorySceneWrites
from graphmem.stores.memory.state import State

_BEFORE_ALL: Final = -(2**63)


class MemoryRead(MemoryAtomReads, MemorySceneReads):
    """A snapshot: the state that was published when it began."""

    def __init__(self, state: State) -> None:
        self._current = state
        self._failure: StoreError | None = None

    def head(self) -> Head | None:
        return self._state().head

    def grave(self) -> Head | None:
        return self._state().grave

    def tombstones(self) -> list[Tombstone]:
        return [tombstone for _, tombstone in sorted(self._state().tombstones.items())]

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        return self._state().requests.get((surface, request_id))

    def requests(
        self, *, behind: tuple[str, str] | None = None, limit: int = 1000
    ) -> list[RequestRow]:
        rows = sorted(self._state().requests.values(), key=_ledger_key)
        place = (behind[0], digest_parts(behind[1])) if behind else ("", b"")
        return [row for row in rows if _ledger_key(row) > place][:limit]

    def sessions(self, *, behind: int = -1, limit: int = 1000) -> list[SessionRow]:
        rows = sorted(self._state().sessions.items())
        return [row for number, row in rows if number > behind][:limit]

    def session(self, session_id: str) -> SessionRow | None:
        rows = self._state().sessions.values()
        return next((row for row in rows if row.session_id == session_id), None)

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

    def turn_nos(self) -> list[int]:
        return sorted(self._state().turns)

    def find_turns(self, turn_ids: Sequence[str]) -> list[int]:
        turns = sorted(self._state().turns.items())
        return [number for number, turn in turns if turn.turn_id in turn_ids]

    def session_turns(self, session_no: int, *, limit: int | None = None) -> list[int]:
        turns = sorted(self._state().turns.items())
        return [number for number, turn in turns if turn.session_no == session_no][:limit]

    def turns_recorded_before(self, us: int) -> list[int]:
        turns = sorted(self._state().turns.items())
        return [number for number, turn in turns if turn.recorded_us < us]

    def segments_around(self, turn_nos: Sequence[int]) -> list[SegmentRow]:
        rows = self._state().segments
        return [rows[first] for first in _last_before(rows, turn_nos)]

    def vectors_around(self, model: str, turn_nos: Sequence[int]) -> list[VectorRow]:
        rows = {first: row for (of, first), row in self._state().vectors.items() if of == model}
        return [rows[first] for first in _last_before(rows, turn_nos)]

    def vector_models(self) -> list[str]:
        state = self._state()
        return sorted({of for of, _ in (*state.vectors, *state.pending)}, key=str.encode)

    def vectors(self, model: str, *, since: int) -> list[VectorRow]:
        rows = sorted(self._state().vectors.items())
        return [row for (of, _), row in rows if of == model and row.version > since]

    def vector_spans(self, model: str) -> list[Span]:
        rows = self.vectors(model, since=_BEFORE_ALL)
        return [Span(first_turn=row.first_turn, turns=row.turns) for row in rows]

    def pending(self, model: str) -> list[Span]:
        rows = sorted(self._state().pending.items(), key=itemgetter(0))
        return [span for (of, _), span in rows if of == model]

    def close(self) -> None:
        """Answer nothing more."""
        self._failure = self._failure or StoreError("this transaction has ended; open another")

    @override
    def _state(self) -> State:
        if self._failure is not None:
            raise self._failure
        return self._current


def _ledger_key(row: RequestRow) -> tuple[str, bytes]:
    return row.surface, digest_parts(row.request_id)


def _last_before(firsts: Iterable[int], turn_nos: Sequence[int]) -> list[int]:
    """The last of the first turns at or before each of these turns, ascending."""
    known = sorted(firsts)
    places = {bisect(known, number) - 1 for number in turn_nos}
    return [known[place] for place in sorted(places) if place >= 0]


@final
class MemoryWrite(MemoryRead, MemoryAtomWrites, MemorySceneWrites):
    """The one write transaction; what it makes is published when it ends without an error."""

    def __init__(self, state: State, models: Mapping[str, EmbeddingModel]) -> None:
        super().__init__(state)
        self._models = dict(models)

    def create(self, head: Head) -> None:
        self._require(self._state().head is None, "the memory is there already")
        self._current = replace(self._state(), grave=None).with_head(head)

    def bury(self, head: Head) -> None:
        self._require_memory()
        self._current = self._state().buried(head)

    def put_tombstone(self, tombstone: Tombstone) -> None:
        state = self._state()
        self._require(
            state.head is not None or state.grave is not None,
            "the memory has not been created in this transaction",
        )
        self._require(tombstone.version not in state.tombstones, "the version has a tombstone")
        self._current = state.with_tombstones([tombstone])

    def delete_turns(self, turn_nos: Sequence[int]) -> None:
        self._require_memory()
        self._current = self._state().without_turns(frozenset(turn_nos))

    def delete_sessions(self, session_nos: Sequence[int]) -> None:
        self._require_memory()
        used = {turn.session_no for turn in self._state().turns.values()}
        self._require(not used & set(session_nos), "a session has turns")
        self._current = self._state().without_sessions(frozenset(session_nos))

    def delete_vectors_at(self, model: str, first_turns: Sequence[int]) -> None:
        self._require_memory()
        gone = frozenset((model, first) for first in first_turns)
        self._current = self._state().without_vectors(gone)

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

    def segment_spans(self) -> list[Span]:
        rows = self._state().segments
        return [Span(first_turn=first, turns=rows[first].turns) for first in sorted(rows)]

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

    def put_model(self, model: EmbeddingModel) -> None:
        self._require_memory()
        self._models.setdefault(model.fingerprint, model)

    def put_vectors(self, vectors: Sequence[VectorRow]) -> None:
        self._require_memory()
        state, new = self._state(), list(vectors)
        places = {(row.model, row.first_turn) for row in new}
        self._require(len(places) == len(new), "vectors come twice")
        self._require(not places & state.vectors.keys(), "vectors begin at this turn already")
        are_known = all(row.model in self._models for row in new)
        self._require(are_known, "the vectors' model is unknown")
        self._current = state.with_vectors(new)

    def delete_vectors(self, *, keep: str) -> None:
        self._require_memory()
        self._current = self._state().of_model(keep)

    def put_pending(self, model: str, spans: Sequence[Span]) -> None:
        self._require_memory()
        state, new = self._state(), list(spans)
        places = {(model, span.first_turn) for span in new}
        self._require(len(places) == len(new), "work comes twice")
        self._require(not places & state.pending.keys(), "work begins at this turn already")
        self._current = state.with_pending(model, new)

    def delete_pending(self, model: str, first_turns: Sequence[int]) -> None:
        self._require_memory()
        gone = frozenset((model, first) for first in first_turns)
        self._current = self._state().without_pending(gone)

    def set_head(self, head: Head) -> None:
        self._require_memory()
        self._current = self._state().with_head(head)

    def result(self) -> State:
        """The state to publish.

        Raises:
            StoreError: a call failed, even if the caller swallowed its error.
        """
        return self._state()

    def models(self) -> dict[str, EmbeddingModel]:
        """The models that are known once the state is published."""
        return self._models

    @override
    def _require_memory(self) -> None:
        has_memory = self._state().head is not None
        self._require(has_memory, "the memory has not been created in this transaction")

    @override
    def _require(self, holds: bool, broken: str) -> None:
        if not holds:
            self._failure = StoreError(f"the write was undone: {broken}")
            raise self._failure
