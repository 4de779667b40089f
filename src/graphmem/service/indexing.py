"""Indexing writes segments into a memory: those of a batch, of raw turns, or all of them anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from graphmem.domain.turn import Turn
from graphmem.index.codec import decode, encode
from graphmem.index.draft import draft
from graphmem.index.merge import SEALED_TURNS, merge, plan_merge
from graphmem.index.segment import Segment
from graphmem.ports.store import Head, ReadTransaction, SegmentRow, Span, WriteTransaction
from graphmem.service.landing import redraft


def add_segment(tx: WriteTransaction, segment: Segment, version: int) -> None:
    """Put a segment behind all others, merged with its predecessors where the plan asks for it."""
    spans = tx.segment_spans()
    firsts = [span.first_turn for span in spans]
    sizes = [span.turns for span in spans] + [segment.turns]
    gone: list[int] = []
    while tail := plan_merge(sizes):
        absorbed = firsts[len(firsts) - tail + 1 :]
        del firsts[len(firsts) - tail + 1 :]
        segment = merge([*(decode(tx.segment(first).data) for first in absorbed), segment])
        sizes = [*sizes[:-tail], segment.turns]
        gone += absorbed
    tx.delete_segments(gone)
    tx.put_segment(row_of(segment, version))


def row_of(segment: Segment, version: int) -> SegmentRow:
    """The row that keeps a segment."""
    return SegmentRow(
        first_turn=segment.first_turn,
        turns=segment.turns,
        version=version,
        data=encode(segment),
    )


def publish(tx: WriteTransaction, head: Head, waiting: Sequence[Span]) -> Head:
    """Publish the versions none of whose turns waits, up to the first one that does.

    Args:
        tx: a write transaction of the memory.
        head: its state.
        waiting: turns that wait for their vectors.

    Returns:
        The state after it, still to be set.
    """
    ends = [span.first_turn + span.turns for span in waiting]
    starts = [
        max(span.first_turn, head.ready_turns)
        for span, end in zip(waiting, ends, strict=True)
        if end > head.ready_turns
    ]
    first = min(starts, default=head.next_turn)
    raw = tx.turns(range(head.ready_turns, min(first + 1, head.next_turn)))
    if first == head.next_turn:
        version, ready_turns = head.version, head.next_turn
    else:
        version = raw[-1].version - 1 if raw else head.ready_version
        raw = [turn for turn in raw if turn.version <= version]
        ready_turns = raw[-1].turn_no + 1 if raw else head.ready_turns
    if version <= head.ready_version:
        return head
    if raw:
        add_segment(tx, segment_of(raw), version)
    return replace(head, ready_version=version, ready_turns=ready_turns)


def index_raw_turns(tx: WriteTransaction, head: Head, version: int) -> None:
    """Put the turns that are in no segment yet into one."""
    raw = tx.turns(range(head.ready_turns, head.next_turn))
    if raw:
        add_segment(tx, segment_of(raw), version)


def segment_of(turns: Sequence[Turn]) -> Segment:
    """The segment of stored turns, one or more: what their adds would have given, merged."""
    runs = groupby(
        enumerate(turns), key=lambda pair: (pair[1].turn_no - pair[0], pair[1].session_no)
    )
    return merge([_segment_of_run([turn for _, turn in members]) for _, members in runs])


def segments_of(read: ReadTransaction, start: int, end: int) -> Iterator[Segment]:
    """The segments of the turns with numbers from `start` to below `end`, made anew."""
    for first in range(start, end, SEALED_TURNS):
        turns = read.turns(range(first, min(first + SEALED_TURNS, end)))
        if turns:
            yield segment_of(turns)


def _segment_of_run(turns: Sequence[Turn]) -> Segment:
    """The segment of turns of one session that follow one another."""
    return draft(redraft(turns)).place(
        first_turn=turns[0].turn_no,
        session_no=turns[0].session_no,
        turn_ids=[turn.turn_id for turn in turns],
        recorded_us=[turn.recorded_us for turn in turns],
    )
