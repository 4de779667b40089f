"""A segment is an immutable run of turns: their columns and the postings of their passages.

Turns that were deleted are not in it: it is what it would be had they never come, but for the
numbers of those that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.index.events import Events, Times

Ints: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.uint16]
Keys: TypeAlias = NDArray[np.uint64]

NO_SPEAKER = -1
NO_TIME = int(np.iinfo(np.int64).min)
_TERM_OVERHEAD_BYTES = 180  # a str, its slot in a dict and in a tuple; CPython 3.11, measured


@dataclass(frozen=True, kw_only=True, eq=False)
class Postings:
    """Which passages hold which term, and how often.

    Attributes:
        vocabulary: the terms, sorted.
        offsets: int32 [terms + 1]; the postings of term `i` are `offsets[i]:offsets[i + 1]`.
        passages: int32 [postings]; passage numbers, ascending within a term.
        counts: uint16 [postings]; occurrences in the passage, at most 65,535.
    """

    vocabulary: tuple[str, ...]
    offsets: Ints
    passages: Ints
    counts: Counts

    @cached_property
    def rows(self) -> dict[str, int]:
        """From a term to its place in the vocabulary."""
        return dict(zip(self.vocabulary, range(len(self.vocabulary)), strict=True))

    def find(self, term: str) -> tuple[Ints, Counts] | None:
        """The passages of a term with their counts, None when no passage holds it."""
        row = self.rows.get(term)
        if row is None:
            return None
        span = slice(self.offsets[row], self.offsets[row + 1])
        return self.passages[span], self.counts[span]

    @property
    def nbytes(self) -> int:
        """Estimated resident size in bytes."""
        arrays = self.offsets.nbytes + self.passages.nbytes + self.counts.nbytes
        return arrays + len(self.vocabulary) * _TERM_OVERHEAD_BYTES


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Segment:
    """The index of a run of turns of one memory; no other segment holds a turn between its turns.

    Attributes:
        turn_no: int32 [turns], one or more; ascending, with gaps where turns were deleted.
        turn_session: int32 [turns]; `session_no` of each turn.
        turn_speaker: int32 [turns]; place in `speakers`, -1 for none.
        turn_key: uint64 [turns]; the first 8 bytes of the turn's id, for breaking ties by id.
        turn_time: int64 [turns]; when each was said, else recorded, in microseconds since 1970 UTC;
            `NO_TIME` in a segment of a release that did not keep it.
        events: the times of which the turns speak.
        speakers: the distinct speakers, in order of appearance.
        passage_turn: int32 [passages]; the place of each passage's turn in the segment, ascending;
            every turn has at least one passage.
        passage_length: int32 [passages]; terms in each passage.
        postings: the passages of each term.
    """

    turn_no: Ints
    turn_session: Ints
    turn_speaker: Ints
    turn_key: Keys
    turn_time: Times
    events: Events
    speakers: tuple[str, ...]
    passage_turn: Ints
    passage_length: Ints
    postings: Postings = field(repr=False)

    @property
    def first_turn(self) -> int:
        """`turn_no` of its first turn."""
        return int(self.turn_no[0])

    @property
    def end_turn(self) -> int:
        """One more than `turn_no` of its last turn."""
        return int(self.turn_no[-1]) + 1

    @property
    def turns(self) -> int:
        """How many turns it holds."""
        return len(self.turn_no)

    @property
    def passages(self) -> int:
        """How many passages it holds."""
        return len(self.passage_turn)

    def tail(self, first_turn: int) -> Segment:
        """The part from `first_turn` on, for a reader that has the turns before it."""
        if first_turn <= self.first_turn:
            return self
        return self._kept(self.turn_no >= first_turn, self.speakers)

    def without(self, turn_nos: Ints) -> Segment | None:
        """The segment as it would be had these turns never come; None when no turn is left."""
        is_kept = np.isin(self.turn_no, turn_nos, invert=True)
        if is_kept.all():
            return self
        spoken = self.turn_speaker[is_kept]
        order = dict.fromkeys(spoken[spoken != NO_SPEAKER].tolist())
        speakers = tuple(self.speakers[place] for place in order)
        return self._kept(is_kept, speakers) if is_kept.any() else None

    def _kept(self, is_kept: NDArray[np.bool_], speakers: tuple[str, ...]) -> Segment:
        """The part with these turns, whose speakers are named by this table."""
        is_passage_kept = is_kept[self.passage_turn]
        place = np.cumsum(is_kept, dtype=np.int32) - np.int32(1)
        return Segment(
            turn_no=self.turn_no[is_kept],
            turn_session=self.turn_session[is_kept],
            turn_speaker=renumber_speakers(self, speakers)[is_kept],
            turn_key=self.turn_key[is_kept],
            turn_time=self.turn_time[is_kept],
            events=self.events.kept(is_kept),
            speakers=speakers,
            passage_turn=place[self.passage_turn[is_passage_kept]],
            passage_length=self.passage_length[is_passage_kept],
            postings=_keep_passages(self.postings, is_passage_kept),
        )


def renumber_speakers(segment: Segment, speakers: Sequence[str]) -> Ints:
    """The segment's speaker column, counted in another table; -1 for those it does not hold."""
    place = {name: number for number, name in enumerate(speakers)}
    numbers = [place.get(name, NO_SPEAKER) for name in segment.speakers]
    return np.array([*numbers, NO_SPEAKER], dtype=np.int32)[segment.turn_speaker]


def _keep_passages(postings: Postings, is_kept: NDArray[np.bool_]) -> Postings:
    """Leave out the other passages, and the terms that only they held."""
    kept = is_kept[postings.passages]
    number = np.cumsum(is_kept, dtype=np.int32) - np.int32(1)
    term = np.repeat(np.arange(len(postings.vocabulary)), np.diff(postings.offsets))[kept]
    counts = np.bincount(term, minlength=len(postings.vocabulary))
    alive = np.flatnonzero(counts)
    return Postings(
        vocabulary=tuple(postings.vocabulary[i] for i in alive.tolist()),
        offsets=to_offsets(counts[alive]),
        passages=number[postings.passages[kept]],
        counts=postings.counts[kept],
    )


def to_offsets(lengths: NDArray[np.integer]) -> Ints:
    """Running starts of consecutive runs: `[2, 3]` gives `[0, 2, 5]`."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
