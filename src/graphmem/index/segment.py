"""A segment is an immutable run of turns: their columns and the postings of their passages."""

from __future__ import annotations

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
    """The index of a contiguous run of turns of one memory.

    Attributes:
        first_turn: `turn_no` of its first turn.
        turn_session: int32 [turns]; `session_no` of each turn.
        turn_speaker: int32 [turns]; place in `speakers`, -1 for none.
        turn_key: uint64 [turns]; the first 8 bytes of the turn's id, for breaking ties by id.
        turn_time: int64 [turns]; when each was said, else recorded, in microseconds since 1970 UTC;
            `NO_TIME` in a segment of a release that did not keep it.
        events: the times of which the turns speak.
        speakers: the distinct speakers, in order of appearance.
        passage_turn: int32 [passages]; the turn of each passage, counted from `first_turn`,
            ascending; every turn has at least one passage.
        passage_length: int32 [passages]; terms in each passage.
        postings: the passages of each term.
    """

    first_turn: int
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
    def turns(self) -> int:
        """How many turns it covers."""
        return len(self.turn_session)

    @property
    def passages(self) -> int:
        """How many passages it covers."""
        return len(self.passage_turn)

    def tail(self, first_turn: int) -> Segment:
        """The part from `first_turn` on, for a reader that has the turns before it."""
        skip = first_turn - self.first_turn
        if skip <= 0:
            return self
        gone = int(np.searchsorted(self.passage_turn, skip))
        return Segment(
            first_turn=first_turn,
            turn_session=self.turn_session[skip:],
            turn_speaker=self.turn_speaker[skip:],
            turn_key=self.turn_key[skip:],
            turn_time=self.turn_time[skip:],
            events=self.events.tail(skip),
            speakers=self.speakers,
            passage_turn=self.passage_turn[gone:] - np.int32(skip),
            passage_length=self.passage_length[gone:],
            postings=_drop_passages(self.postings, gone),
        )


def _drop_passages(postings: Postings, gone: int) -> Postings:
    """Leave out the first `gone` passages and the terms that only they held."""
    kept = postings.passages >= gone
    term = np.repeat(np.arange(len(postings.vocabulary)), np.diff(postings.offsets))[kept]
    counts = np.bincount(term, minlength=len(postings.vocabulary))
    alive = np.flatnonzero(counts)
    return Postings(
        vocabulary=tuple(postings.vocabulary[i] for i in alive),
        offsets=to_offsets(counts[alive]),
        passages=postings.passages[kept] - np.int32(gone),
        counts=postings.counts[kept],
    )


def to_offsets(lengths: NDArray[np.integer]) -> Ints:
    """Running starts of consecutive runs: `[2, 3]` gives `[0, 2, 5]`."""
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return offsets
