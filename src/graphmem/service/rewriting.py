"""Rewriting takes turns out of a memory's rows, so that those left are as if they had never come.

Segments and vectors are written anew without them; the others keep their ids, numbers and order.
It costs what the rows that held the turns do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, groupby

import numpy as np

from graphmem.index.codec import decode, encode
from graphmem.index.draft import passage_texts
from graphmem.index.segment import Ints
from graphmem.index.vectors import from_bytes, to_bytes
from graphmem.ports.store import Span, VectorRow, WriteTransaction
from graphmem.service.landing import redraft


def take_out(tx: WriteTransaction, turn_nos: Sequence[int], session_nos: Sequence[int]) -> int:
    """Take turns out of all rows of a memory but its head.

    Args:
        tx: a write transaction of the memory.
        turn_nos: turns that it holds, ascending.
        session_nos: their sessions.

    Returns:
        How many sessions were left without turns and went with them.
    """
    _rewrite_segments(tx, turn_nos)
    for model in tx.vector_models():
        _rewrite_vectors(tx, model, turn_nos)
        _rewrite_pending(tx, model, frozenset(turn_nos))
    tx.delete_turns(turn_nos)
    emptied = [number for number in session_nos if not tx.session_turns(number, limit=1)]
    tx.delete_sessions(emptied)
    return len(emptied)


def _rewrite_segments(tx: WriteTransaction, turn_nos: Sequence[int]) -> None:
    gone: Ints = np.array(turn_nos, dtype=np.int32)
    for row in tx.segments_around(turn_nos):
        segment = decode(row.data)
        rest = segment.without(gone)
        if rest is segment:
            continue
        tx.delete_segments([row.first_turn])
        if rest is not None:
            tx.put_segment(
                replace(row, first_turn=rest.first_turn, turns=rest.turns, data=encode(rest))
            )


def _rewrite_vectors(tx: WriteTransaction, model: str, turn_nos: Sequence[int]) -> None:
    """Cut the rows of vectors around the turns; a row is of turns without a gap."""
    gone = frozenset(turn_nos)
    for row in tx.vectors_around(model, turn_nos):
        span = Span(first_turn=row.first_turn, turns=row.turns)
        if gone.isdisjoint(_numbers(span)):
            continue
        tx.delete_vectors_at(model, [row.first_turn])
        counts = [len(passage_texts(turn)) for turn in redraft(tx.turns(_numbers(span)))]
        if sum(counts) == len(from_bytes(row.data)):
            tx.put_vectors(_pieces(row, counts, gone))
        else:
            # Of an earlier release that cut turns otherwise: they get their vectors anew.
            tx.put_pending(model, list(runs(span, gone)))


def _pieces(row: VectorRow, counts: Sequence[int], gone: frozenset[int]) -> list[VectorRow]:
    """What is left of a row of vectors, whose turns have so many passages."""
    vectors = from_bytes(row.data)
    starts = [0, *accumulate(counts)]
    span = Span(first_turn=row.first_turn, turns=row.turns)
    pieces = []
    for run in runs(span, gone):
        first = run.first_turn - row.first_turn
        part = vectors[starts[first] : starts[first + run.turns]]
        pieces.append(replace(row, first_turn=run.first_turn, turns=run.turns, data=to_bytes(part)))
    return pieces


def _rewrite_pending(tx: WriteTransaction, model: str, gone: frozenset[int]) -> None:
    for waiting in tx.pending(model):
        if not gone.isdisjoint(_numbers(waiting)):
            tx.delete_pending(model, [waiting.first_turn])
            tx.put_pending(model, list(runs(waiting, gone)))


def runs(span: Span, gone: frozenset[int]) -> Iterator[Span]:
    """The runs of turns of a span that are not gone."""
    for is_gone, members in groupby(_numbers(span), key=gone.__contains__):
        run = list(members)
        if not is_gone:
            yield Span(first_turn=run[0], turns=len(run))


def _numbers(span: Span) -> range:
    return range(span.first_turn, span.first_turn + span.turns)
