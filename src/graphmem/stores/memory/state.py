"""A state is everything that one memory holds after one write; never changed once published."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from graphmem.domain.erasure import Tombstone
from graphmem.domain.turn import Turn
from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.scenes import AnswerRow, ScenePlace, SceneRow
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow

PlaceKey: TypeAlias = tuple[str, int]  # a model's fingerprint and the first turn
SourceKey: TypeAlias = tuple[int, int, int]  # an atom, a turn, an offset
EditKey: TypeAlias = tuple[str, int]  # an atom's id and its revision


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The rows of one memory by their keys."""

    head: Head | None = None
    grave: Head | None = None
    tombstones: dict[int, Tombstone] = field(default_factory=dict)
    sessions: dict[int, SessionRow] = field(default_factory=dict)
    turns: dict[int, Turn] = field(default_factory=dict)
    turn_ids: frozenset[str] = frozenset()
    requests: dict[tuple[str, str], RequestRow] = field(default_factory=dict)
    segments: dict[int, SegmentRow] = field(default_factory=dict)
    vectors: dict[PlaceKey, VectorRow] = field(default_factory=dict)
    pending: dict[PlaceKey, Span] = field(default_factory=dict)
    atoms: dict[int, AtomRow] = field(default_factory=dict)
    atom_sources: dict[SourceKey, AtomSourceRow] = field(default_factory=dict)
    atom_edits: dict[EditKey, AtomEditRow] = field(default_factory=dict)
    scenes: dict[ScenePlace, SceneRow] = field(default_factory=dict)
    answers: dict[str, AnswerRow] = field(default_factory=dict)
    chat_tokens: int = 0

    def with_head(self, head: Head) -> State:
        """The state under another head."""
        return replace(self, head=head)

    def buried(self, head: Head) -> State:
        """The state after the memory was deleted: its last head, its ledger, its tombstones."""
        return State(grave=head, requests=self.requests, tombstones=self.tombstones)

    def with_tombstones(self, tombstones: Iterable[Tombstone]) -> State:
        """The state with tombstones inserted or replaced."""
        new = {tombstone.version: tombstone for tombstone in tombstones}
        return replace(self, tombstones=self.tombstones | new)

    def without_turns(self, turn_nos: frozenset[int]) -> State:
        """The state without these turns."""
        kept = {number: turn for number, turn in self.turns.items() if number not in turn_nos}
        ids = frozenset(turn.turn_id for turn in kept.values())
        return replace(self, turns=kept, turn_ids=ids)

    def without_sessions(self, session_nos: frozenset[int]) -> State:
        """The state without these sessions."""
        kept = {number: row for number, row in self.sessions.items() if number not in session_nos}
        return replace(self, sessions=kept)

    def without_vectors(self, gone: frozenset[PlaceKey]) -> State:
        """The state without the vectors at these places."""
        kept = {place: row for place, row in self.vectors.items() if place not in gone}
        return replace(self, vectors=kept)

    def with_session(self, session: SessionRow) -> State:
        """The state with a session inserted or replaced."""
        return replace(self, sessions=self.sessions | {session.session_no: session})

    def with_turns(self, turns: list[Turn]) -> State:
        """The state with more turns."""
        return replace(
            self,
            turns=self.turns | {turn.turn_no: turn for turn in turns},
            turn_ids=self.turn_ids | {turn.turn_id for turn in turns},
        )

    def with_request(self, request: RequestRow) -> State:
        """The state with one more line in the ledger."""
        key = (request.surface, request.request_id)
        return replace(self, requests=self.requests | {key: request})

    def with_segment(self, segment: SegmentRow) -> State:
        """The state with one more segment."""
        return replace(self, segments=self.segments | {segment.first_turn: segment})

    def without_segments(self, first_turns: frozenset[int]) -> State:
        """The state without the segments that begin at these turns."""
        kept = {first: row for first, row in self.segments.items() if first not in first_turns}
        return replace(self, segments=kept)

    def with_vectors(self, vectors: Iterable[VectorRow]) -> State:
        """The state with more vectors."""
        new = {(row.model, row.first_turn): row for row in vectors}
        return replace(self, vectors=self.vectors | new)

    def with_pending(self, model: str, spans: Iterable[Span]) -> State:
        """The state with more work of a model."""
        return replace(
            self, pending=self.pending | {(model, span.first_turn): span for span in spans}
        )

    def without_pending(self, gone: frozenset[PlaceKey]) -> State:
        """The state without the work at these places."""
        kept = {place: span for place, span in self.pending.items() if place not in gone}
        return replace(self, pending=kept)

    def of_model(self, model: str) -> State:
        """The state without the vectors and the work of all other models."""
        return replace(
            self,
            vectors={place: row for place, row in self.vectors.items() if place[0] == model},
            pending={place: span for place, span in self.pending.items() if place[0] == model},
        )
