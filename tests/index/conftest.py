"""Builds small segments without the analyser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from hypothesis import strategies as st

from graphmem.domain.interval import GRAINS, Interval
from graphmem.domain.mention import Mention
from graphmem.index.events import Events
from graphmem.index.segment import NO_SPEAKER, Postings, Segment, to_offsets
from graphmem.index.view import CompiledView

TERMS = ("apfel", "birne", "苹果", "梨子", "x")
SPEAKERS = ("Ann", "Bo", "小明")


@dataclass(frozen=True)
class Spec:
    """One turn of a made-up memory: its session, speaker, passages of terms, and dates."""

    session: int
    speaker: str | None
    passages: list[list[str]]
    mentions: tuple[Mention, ...] = ()


mentions = st.builds(
    Mention,
    start=st.integers(0, 9),
    end=st.integers(10, 99),
    interval=st.builds(
        Interval,
        start_us=st.none() | st.integers(-9, 0),
        end_us=st.integers(1, 9),
        grain=st.sampled_from(GRAINS),
        offset_minutes=st.sampled_from([-720, 0, 330]),
        states_offset=st.booleans(),
    ),
    is_complete=st.booleans(),
)
specs = st.lists(
    st.builds(
        Spec,
        st.integers(0, 2),
        st.sampled_from([*SPEAKERS, None]),
        st.lists(st.lists(st.sampled_from(TERMS), max_size=5), min_size=1, max_size=3),
        st.lists(mentions, max_size=2).map(tuple),
    ),
    min_size=1,
    max_size=30,
)


def number_sessions(turns: Sequence[Spec]) -> list[Spec]:
    """Renumber the sessions 0, 1, 2 in order of appearance, as a memory does."""
    seen: dict[int, int] = {}
    return [replace(t, session=seen.setdefault(t.session, len(seen))) for t in turns]


def make_segment(turns: Sequence[Spec], first_turn: int) -> Segment:
    speakers = tuple(dict.fromkeys(t.speaker for t in turns if t.speaker))
    passages = [(i, words) for i, turn in enumerate(turns) for words in turn.passages]
    rows: dict[str, list[tuple[int, int]]] = {}
    for number, (_, words) in enumerate(passages):
        for term, count in Counter(words).items():
            rows.setdefault(term, []).append((number, count))
    vocabulary = tuple(sorted(rows))
    flat = [pair for term in vocabulary for pair in rows[term]]
    return Segment(
        turn_no=np.arange(first_turn, first_turn + len(turns), dtype=np.int32),
        turn_session=np.array([t.session for t in turns], dtype=np.int32),
        turn_speaker=np.array(
            [speakers.index(t.speaker) if t.speaker else NO_SPEAKER for t in turns],
            dtype=np.int32,
        ),
        turn_key=np.array([first_turn + i for i in range(len(turns))], dtype=np.uint64),
        turn_time=np.array([100 * (first_turn + i) for i in range(len(turns))], dtype=np.int64),
        events=Events.of([turn.mentions for turn in turns]),
        speakers=speakers,
        passage_turn=np.array([i for i, _ in passages], dtype=np.int32),
        passage_length=np.array([len(words) for _, words in passages], dtype=np.int32),
        postings=Postings(
            vocabulary=vocabulary,
            offsets=to_offsets(np.array([len(rows[t]) for t in vocabulary], dtype=np.int32)),
            passages=np.array([p for p, _ in flat], dtype=np.int32),
            counts=np.array([c for _, c in flat], dtype=np.uint16),
        ),
    )


def cut(turns: Sequence[Spec], sizes: Sequence[int]) -> list[Segment]:
    """The turns as consecutive segments of about these sizes."""
    segments, at = [], 0
    for size in [*sizes, len(turns)]:
        part = turns[at : at + size]
        if part:
            segments.append(make_segment(part, at))
            at += len(part)
    return segments


def content(segment: Segment) -> dict[str, object]:
    """A segment as plain values, for comparing."""
    postings = segment.postings
    return {
        "first_turn": segment.first_turn,
        "sessions": segment.turn_session.tolist(),
        "speakers": [segment.speakers[s] if s >= 0 else None for s in segment.turn_speaker],
        "keys": segment.turn_key.tolist(),
        "times": segment.turn_time.tolist(),
        "mentions": [segment.events.mentions(turn) for turn in range(segment.turns)],
        "passage_turn": segment.passage_turn.tolist(),
        "lengths": segment.passage_length.tolist(),
        "postings": {
            term: list(zip(*(column.tolist() for column in found), strict=True))
            for term in postings.vocabulary
            if (found := postings.find(term)) is not None
        },
    }


def picture(view: CompiledView) -> dict[str, object]:
    """A view as plain values, however it is cut into segments."""
    found: dict[str, list[tuple[int, int]]] = {}
    for segment, start in zip(view.segments, view.passage_starts(), strict=True):
        for term in segment.postings.vocabulary:
            passages, counts = segment.postings.find(term) or ((), ())
            found.setdefault(term, []).extend(
                (int(p) + start, int(c)) for p, c in zip(passages, counts, strict=True)
            )
    return {
        "postings": found,
        "speakers": [view.speakers[s] if s >= 0 else None for s in view.turn_speaker.values],
        "sessions": view.turn_session.values.tolist(),
        "previous": view.turn_previous.values.tolist(),
        "keys": view.turn_key.values.tolist(),
        "times": view.turn_time.values.tolist(),
        "events": [
            column.values.tolist() for column in (view.event_turn, view.event_start, view.event_end)
        ],
        "turn_passage": view.turn_passage.values.tolist(),
        "lengths": view.passage_length.values.tolist(),
        "last": view.session_last.tolist(),
        "total": view.total_length,
    }
