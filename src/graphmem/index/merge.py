"""Merging segments, so that a memory of n turns has about log n of them (O'Neil et al. 1996, LSM)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from graphmem.index.events import join_events
from graphmem.index.segment import Ints, Postings, Segment, renumber_speakers, to_offsets

FANOUT: Final = 8
CROWD: Final = 32  # more than the tiers hold in the usual course: 4 tiers of at most 7
SEALED_TURNS: Final = 4096  # a merge costs an add at most about 8 times this; larger ones rest


def plan_merge(sizes: Sequence[int]) -> int:
    """How many of the last segments, given by their turns, are to become one; 0 for none.

    Segments fall into tiers by powers of `FANOUT`. As soon as the tail holds `FANOUT` segments
    of one tier with none above it between, it is merged: each turn is rewritten once a tier.
    Mixed sizes that crowd without ever filling a tier are merged at `CROWD`.
    """
    unsealed = 0
    while unsealed < len(sizes) and sizes[-1 - unsealed] < SEALED_TURNS:
        unsealed += 1
    tiers = [_tier(size) for size in sizes[len(sizes) - unsealed :]]
    for tier in sorted(set(tiers)):
        tail = _tail_within(tiers, tier)
        if tiers[len(tiers) - tail :].count(tier) >= FANOUT:
            return tail
    return unsealed if unsealed >= CROWD else 0


def _tier(size: int) -> int:
    return (size.bit_length() - 1) // 3


def _tail_within(tiers: Sequence[int], tier: int) -> int:
    tail = 0
    while tail < len(tiers) and tiers[-1 - tail] <= tier:
        tail += 1
    return tail


def merge(segments: Sequence[Segment]) -> Segment:
    """One segment that answers exactly as these, which follow one another, did together."""
    speakers = tuple(dict.fromkeys(name for s in segments for name in s.speakers))
    turn_starts = to_offsets(np.array([s.turns for s in segments]))[:-1].tolist()
    return Segment(
        turn_no=np.concatenate([s.turn_no for s in segments]),
        turn_session=np.concatenate([s.turn_session for s in segments]),
        turn_speaker=np.concatenate([renumber_speakers(s, speakers) for s in segments]),
        turn_key=np.concatenate([s.turn_key for s in segments]),
        turn_time=np.concatenate([s.turn_time for s in segments]),
        events=join_events([s.events for s in segments], turn_starts),
        speakers=speakers,
        passage_turn=np.concatenate(
            [
                s.passage_turn + np.int32(start)
                for s, start in zip(segments, turn_starts, strict=True)
            ]
        ),
        passage_length=np.concatenate([s.passage_length for s in segments]),
        postings=merge_postings(segments),
    )


class Posted(Protocol):
    """Something that has passages and their postings."""

    @property
    def passages(self) -> int:
        """How many passages it has."""
        ...

    @property
    def postings(self) -> Postings:
        """The passages of each term."""
        ...


def merge_postings(segments: Sequence[Posted]) -> Postings:
    """One run of passages that answers as these, which follow one another, did together."""
    vocabulary = tuple(sorted(set().union(*(s.postings.vocabulary for s in segments))))
    rows = {term: row for row, term in enumerate(vocabulary)}
    starts = to_offsets(np.array([s.passages for s in segments]))
    term = np.concatenate([_term_column(s.postings, rows) for s in segments])
    passages = np.concatenate(
        [s.postings.passages + start for s, start in zip(segments, starts, strict=False)]
    )
    counts = np.concatenate([s.postings.counts for s in segments])
    order = np.argsort(term, kind="stable")  # keeps passages ascending within a term
    return Postings(
        vocabulary=vocabulary,
        offsets=to_offsets(np.bincount(term, minlength=len(vocabulary))),
        passages=passages[order],
        counts=counts[order],
    )


def _term_column(postings: Postings, rows: dict[str, int]) -> Ints:
    places = np.array([rows[term] for term in postings.vocabulary], dtype=np.int32)
    return np.repeat(places, np.diff(postings.offsets))
