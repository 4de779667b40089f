"""A draft is a batch's share of the index, made before the batch knows its place in the memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphmem.domain.mention import Mention
from graphmem.domain.moment import Moment
from graphmem.index.events import Events
from graphmem.index.segment import (
    NO_SPEAKER,
    Counts,
    Ints,
    Postings,
    Segment,
    to_offsets,
)
from graphmem.text.analyse import terms
from graphmem.text.segment import passages
from graphmem.text.timex.reader import read

MOST = int(np.iinfo(np.uint16).max)


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTurn:
    """What the index needs of one message.

    Attributes:
        speaker: who said it.
        body: its text without the label.
        occurred: when it was said.
        mentions: the dates that it speaks of, where they were read; None to read them.
    """

    speaker: str | None
    body: str
    occurred: Moment | None
    mentions: tuple[Mention, ...] | None = None


def passage_texts(turn: DraftTurn) -> list[str]:
    """What is embedded of a turn: each of its passages, with its speaker in front."""
    label = f"{turn.speaker}: " if turn.speaker else ""
    return [label + turn.body[span.start : span.end] for span in passages(turn.body)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """Everything of a segment that does not depend on the place of its turns."""

    turn_speaker: Ints
    occurred: tuple[Moment | None, ...]
    events: Events
    speakers: tuple[str, ...]
    passage_turn: Ints
    passage_length: Ints
    postings: Postings

    def place(
        self,
        *,
        first_turn: int,
        session_no: int,
        turn_ids: Sequence[str],
        recorded_us: Sequence[int],
    ) -> Segment:
        """Make the segment, now that the transaction has told the place and the time of each turn."""
        times = [
            recorded if moment is None else moment.us
            for moment, recorded in zip(self.occurred, recorded_us, strict=True)
        ]
        return Segment(
            turn_no=np.arange(first_turn, first_turn + len(turn_ids), dtype=np.int32),
            turn_session=np.full(len(turn_ids), session_no, dtype=np.int32),
            turn_speaker=self.turn_speaker,
            turn_key=np.array([key_of(turn_id) for turn_id in turn_ids], dtype=np.uint64),
            turn_time=np.array(times, dtype=np.int64),
            events=self.events,
            speakers=self.speakers,
            passage_turn=self.passage_turn,
            passage_length=self.passage_length,
            postings=self.postings,
        )


def key_of(turn_id: str) -> int:
    """The first 8 bytes of a turn id as a number that sorts like the id."""
    return int(turn_id[2:18], 16)


def draft(turns: Sequence[DraftTurn]) -> Draft:
    """Analyse a batch: passages, terms, speakers. The costly part of an add, free of any lock."""
    speakers: dict[str, int] = {}
    speaker_nos = [
        NO_SPEAKER if turn.speaker is None else speakers.setdefault(turn.speaker, len(speakers))
        for turn in turns
    ]
    passage_turn: list[int] = []
    lengths: list[int] = []
    inverted: dict[str, list[tuple[int, int]]] = {}
    for number, turn in enumerate(turns):
        for span in passages(turn.body):
            found = terms(turn.body[span.start : span.end])
            for term, count in Counter(found).items():
                inverted.setdefault(term, []).append((len(lengths), min(count, MOST)))
            passage_turn.append(number)
            lengths.append(len(found))
    return Draft(
        turn_speaker=np.array(speaker_nos, dtype=np.int32),
        occurred=tuple(turn.occurred for turn in turns),
        events=Events.of([_mentions(turn) for turn in turns]),
        speakers=tuple(speakers),
        passage_turn=np.array(passage_turn, dtype=np.int32),
        passage_length=np.array(lengths, dtype=np.int32),
        postings=postings_of(inverted),
    )


def _mentions(turn: DraftTurn) -> Sequence[Mention]:
    if turn.mentions is not None:
        return turn.mentions
    found = (expression.mention() for expression in read(turn.body, turn.occurred))
    return [mention for mention in found if mention is not None]


def postings_of(inverted: dict[str, list[tuple[int, int]]]) -> Postings:
    """The postings of terms, each with the passages that hold it, ascending, and how often."""
    vocabulary = tuple(sorted(inverted))
    rows = [inverted[term] for term in vocabulary]
    pairs = np.array([pair for row in rows for pair in row], dtype=np.int32).reshape(-1, 2)
    counts: Counts = pairs[:, 1].astype(np.uint16)
    return Postings(
        vocabulary=vocabulary,
        offsets=to_offsets(np.array([len(row) for row in rows], dtype=np.int32)),
        passages=np.ascontiguousarray(pairs[:, 0]),
        counts=counts,
    )
