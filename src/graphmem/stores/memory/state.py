"""A state is everything that one memory holds after one write; never changed once published."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from graphmem.domain.turn import Turn
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The rows of one memory by their keys."""

    head: Head | None = None
    sessions: dict[int, SessionRow] = field(default_factory=dict)
    turns: dict[int, Turn] = field(default_factory=dict)
    turn_ids: frozenset[str] = frozenset()
    requests: dict[tuple[str, str], RequestRow] = field(default_factory=dict)
    segments: dict[int, SegmentRow] = field(default_factory=dict)

    def with_head(self, head: Head) -> State:
        """The state under another head."""
        return replace(self, head=head)

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
