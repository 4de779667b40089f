"""The compiled view: everything that ranking needs of one memory at one version, as arrays."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from graphmem.domain.mention import Mention
from graphmem.errors import StoreFormatError
from graphmem.index.column import Column
from graphmem.index.events import Times
from graphmem.index.merge import merge, plan_merge
from graphmem.index.segment import Ints, Keys, Segment, renumber_speakers
from graphmem.index.vectors import VectorBlock

NO_TURN = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompiledView:
    """One memory at one version. Immutable: a write makes the next view, readers keep theirs.

    Attributes:
        version: the published version that it shows.
        segments: the postings, in order of their turns.
        speakers: the distinct speakers; `turn_speaker` counts in it.
        turn_no: int32 [turns]; ascending, with gaps where turns were deleted. Everything else counts
            turns by their place in the view.
        turn_session: int32 [turns].
        turn_speaker: int32 [turns]; -1 for none.
        turn_key: uint64 [turns]; sorts like the turn's id.
        turn_time: int64 [turns]; when each was said, else recorded, microseconds since 1970 UTC.
        event_turn: int32 [events]; the turn that speaks of each event, ascending.
        event_start: int64 [events]; microseconds since 1970 UTC.
        event_end: int64 [events]; the first microsecond behind it.
        turn_previous: int32 [turns]; the turn before it in its session, -1 for the first.
        turn_passage: int32 [turns]; the first passage of each turn.
        passage_length: int32 [passages].
        session_last: int32 [sessions]; the last turn of each session.
        total_length: the sum of `passage_length`.
        vectors: float32 [vectors, dimension], quantised components, in order of landing.
        vector_passage: int32 [vectors]; the passage that each vector stands for.
    """

    version: int
    segments: tuple[Segment, ...]
    speakers: tuple[str, ...]
    turn_no: Column[np.int32]
    turn_session: Column[np.int32]
    turn_speaker: Column[np.int32]
    turn_key: Column[np.uint64]
    turn_time: Column[np.int64]
    event_turn: Column[np.int32]
    event_start: Column[np.int64]
    event_end: Column[np.int64]
    turn_previous: Column[np.int32]
    turn_passage: Column[np.int32]
    passage_length: Column[np.int32]
    session_last: Ints
    total_length: int
    vectors: Column[np.float32]
    vector_passage: Column[np.int32]

    @classmethod
    def empty(cls) -> CompiledView:
        """The view of a memory before its first write."""
        none: Ints = np.empty(0, dtype=np.int32)
        keys: Keys = np.empty(0, dtype=np.uint64)
        times: Times = np.empty(0, dtype=np.int64)
        return cls(
            version=0,
            segments=(),
            speakers=(),
            turn_no=Column(none),
            turn_session=Column(none),
            turn_speaker=Column(none),
            turn_key=Column(keys),
            turn_time=Column(times),
            event_turn=Column(none),
            event_start=Column(times),
            event_end=Column(times),
            turn_previous=Column(none),
            turn_passage=Column(none),
            passage_length=Column(none),
            session_last=none,
            total_length=0,
            vectors=Column(np.empty((0, 0), dtype=np.float32)),
            vector_passage=Column(none),
        )

    @property
    def turns(self) -> int:
        """How many turns it shows."""
        return len(self.turn_session.values)

    @property
    def end_turn(self) -> int:
        """One more than `turn_no` of its last turn; 0 without turns."""
        return int(self.turn_no.values[-1]) + 1 if self.turns else 0

    @property
    def passages(self) -> int:
        """How many passages it shows."""
        return len(self.passage_length.values)

    @property
    def sessions(self) -> int:
        """How many sessions it shows."""
        return len(self.session_last)

    def passage_starts(self) -> list[int]:
        """The number of each segment's first passage."""
        return list(accumulate((s.passages for s in self.segments[:-1]), initial=0))

    def mentions(self, turn_no: int) -> tuple[Mention, ...]:
        """The dates that a turn speaks of, in text order."""
        at = bisect_right(self.segments, turn_no, key=lambda segment: segment.first_turn) - 1
        segment = self.segments[at]
        return segment.events.mentions(int(np.searchsorted(segment.turn_no, turn_no)))

    @property
    def nbytes(self) -> int:
        """Estimated resident size in bytes."""
        columns = (
            self.turn_no,
            self.turn_session,
            self.turn_speaker,
            self.turn_key,
            self.turn_time,
            self.event_turn,
            self.event_start,
            self.event_end,
            self.turn_previous,
            self.turn_passage,
            self.passage_length,
            self.vectors,
            self.vector_passage,
        )
        postings = sum(segment.postings.nbytes for segment in self.segments)
        return postings + sum(c.nbytes for c in columns) + self.session_last.nbytes

    def extended(
        self, segments: Sequence[Segment], blocks: Sequence[VectorBlock], version: int
    ) -> CompiledView:
        """The view at `version`.

        Args:
            segments: those written since this view, in order of their turns. A merged segment
                may begin before the end of this view; what is known of it is left out.
            blocks: the vectors written since this view, of one model.
            version: the version that all of it belongs to.
        """
        view = self
        for segment in segments:
            if segment.end_turn > view.end_turn:
                view = _append(view, segment.tail(view.end_turn))
        return replace(_append_vectors(view, blocks), version=version)


def _append_vectors(view: CompiledView, blocks: Sequence[VectorBlock]) -> CompiledView:
    if not blocks:
        return view
    rows = np.concatenate([block.vectors for block in blocks]).astype(np.float32)
    passages = np.concatenate([_passages_of(view, block) for block in blocks])
    known = view.vectors if len(view.vectors.values) else Column(rows[:0])
    return replace(
        view,
        vectors=known.extended(rows),
        vector_passage=view.vector_passage.extended(passages),
    )


def _passages_of(view: CompiledView, block: VectorBlock) -> Ints:
    """The passages of the block's turns."""
    starts = view.turn_passage.values
    span = (block.first_turn, block.first_turn + block.turns)
    start, end = np.searchsorted(view.turn_no.values, span)
    first = starts[start] if start < len(starts) else view.passages
    last = starts[end] if end < len(starts) else view.passages
    if end - start != block.turns or last - first != len(block.vectors):
        raise StoreFormatError("vectors and turns do not fit together; run `graphmem reembed`")
    return np.arange(first, last, dtype=np.int32)


def _append(view: CompiledView, segment: Segment) -> CompiledView:
    speakers = tuple(dict.fromkeys((*view.speakers, *segment.speakers)))
    previous, session_last = _link_sessions(view, segment)
    first_of_turn = np.searchsorted(segment.passage_turn, np.arange(segment.turns))
    return replace(
        view,
        segments=_settle((*view.segments, segment)),
        speakers=speakers,
        turn_no=view.turn_no.extended(segment.turn_no),
        turn_session=view.turn_session.extended(segment.turn_session),
        turn_speaker=view.turn_speaker.extended(renumber_speakers(segment, speakers)),
        turn_key=view.turn_key.extended(segment.turn_key),
        turn_time=view.turn_time.extended(segment.turn_time),
        event_turn=view.event_turn.extended(segment.events.turn + np.int32(view.turns)),
        event_start=view.event_start.extended(segment.events.start),
        event_end=view.event_end.extended(segment.events.end),
        turn_previous=view.turn_previous.extended(previous),
        turn_passage=view.turn_passage.extended((first_of_turn + view.passages).astype(np.int32)),
        passage_length=view.passage_length.extended(segment.passage_length),
        session_last=session_last,
        total_length=view.total_length + int(segment.passage_length.sum()),
    )


def _link_sessions(view: CompiledView, segment: Segment) -> tuple[Ints, Ints]:
    """The turn before each new turn in its session, and the last turn of every session now."""
    sessions = segment.turn_session
    last = np.full(max(view.sessions, int(sessions.max()) + 1), NO_TURN, dtype=np.int32)
    last[: view.sessions] = view.session_last
    order = np.argsort(sessions, kind="stable").astype(np.int32)
    numbers = order + np.int32(view.turns)
    ordered = sessions[order]
    begins = np.empty(len(order), dtype=bool)
    begins[:1] = True
    begins[1:] = ordered[1:] != ordered[:-1]
    before = np.empty_like(numbers)
    before[1:] = numbers[:-1]
    before[begins] = last[ordered[begins]]
    previous = np.empty_like(numbers)
    previous[order] = before
    ends = np.append(begins[1:], True)
    last[ordered[ends]] = numbers[ends]
    return previous, last


def _settle(segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """Merge the tail as long as the plan asks for it, so that few segments are searched."""
    while tail := plan_merge([s.turns for s in segments]):
        segments = (*segments[:-tail], merge(segments[-tail:]))
    return segments
