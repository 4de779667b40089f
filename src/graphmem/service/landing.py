"""Landing writes vectors that came late, and keeps the list of what still waits for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

import numpy as np

from graphmem.domain.moment import Moment
from graphmem.domain.turn import Turn
from graphmem.index.draft import DraftTurn
from graphmem.index.vectors import Quantised, to_bytes
from graphmem.ports.store import Span, VectorRow, WriteTransaction
from graphmem.text.speaker import attribute

BLOCK_TURNS: Final = 256  # so that one row of vectors stays under about 1 MB


def draft_turn(speaker: str | None, content: str, occurred: Moment | None) -> DraftTurn:
    """What the index needs of a text: its speaker, the text without the label, and its time."""
    found = attribute(content, speaker=speaker)
    return DraftTurn(speaker=found.speaker, body=content[found.body_start :], occurred=occurred)


def redraft(turns: Sequence[Turn]) -> list[DraftTurn]:
    """What was embedded, or would have been, when these turns were added."""
    return [draft_turn(turn.speaker, turn.content, turn.occurred) for turn in turns]


def vector_rows(
    model: str, first_turn: int, vectors: Sequence[Quantised], version: int
) -> list[VectorRow]:
    """Rows for the vectors of consecutive turns."""
    return [
        VectorRow(
            model=model,
            first_turn=first_turn + start,
            turns=len(part),
            version=version,
            data=to_bytes(np.concatenate(part)),
        )
        for start in range(0, len(vectors), BLOCK_TURNS)
        if (part := vectors[start : start + BLOCK_TURNS])
    ]


def land(
    tx: WriteTransaction,
    model: str,
    span: Span,
    vectors: Sequence[Quantised | None],
    *,
    versions: Sequence[int],
    now_us: int,
) -> bool:
    """Write late vectors of a run of turns; what was refused keeps waiting.

    They are a version of their own. While the memory's last versions are not published yet, they
    are part of the one that brought their turns, or of the next one.

    Args:
        tx: a write transaction of their memory.
        model: the model's fingerprint; it is known to the store.
        span: the turns.
        vectors: one entry for each of them, None where the model refused.
        versions: the versions that brought them.
        now_us: the time at which they landed.

    Returns:
        False when these turns no longer wait (another process was faster): nothing was written.
    """
    head = tx.head()
    waiting = next((w for w in tx.pending(model) if _covers(w, span)), None)
    if head is None or waiting is None:
        return False
    is_published = head.ready_version == head.version
    version = head.version + is_published
    tx.delete_pending(model, [waiting.first_turn])
    left = [*_around(waiting, span)]
    for first_turn, run in _runs(span.first_turn, vectors):
        found = [vector for vector in run if vector is not None]
        if found:
            start = first_turn - span.first_turn
            brought = max(head.ready_version + 1, *versions[start : start + len(run)])
            row_version = version if is_published else brought
            tx.put_vectors(vector_rows(model, first_turn, found, row_version))
        else:
            left.append(Span(first_turn=first_turn, turns=len(run)))
    tx.put_pending(model, left)
    ready_version = version if is_published else head.ready_version
    tx.set_head(replace(head, version=version, ready_version=ready_version, updated_us=now_us))
    return True


def uncovered(turns: int, *taken: Sequence[Span]) -> list[Span]:
    """The runs of a memory's turns that none of the spans covers, at most `BLOCK_TURNS` each."""
    is_free = np.ones(turns, dtype=bool)
    for spans in taken:
        for span in spans:
            is_free[span.first_turn : span.first_turn + span.turns] = False
    found: list[Span] = []
    at = 0
    for free, members in groupby(is_free.tolist()):
        length = len(list(members))
        if free:
            found.extend(cut(Span(first_turn=at, turns=length), BLOCK_TURNS))
        at += length
    return found


def cut(span: Span, most: int) -> Iterator[Span]:
    """The span in pieces of at most `most` turns."""
    for start in range(0, span.turns, most):
        yield Span(first_turn=span.first_turn + start, turns=min(most, span.turns - start))


def _covers(outer: Span, inner: Span) -> bool:
    ends = outer.first_turn + outer.turns, inner.first_turn + inner.turns
    return outer.first_turn <= inner.first_turn and ends[1] <= ends[0]


def _around(outer: Span, inner: Span) -> Iterator[Span]:
    """What of the outer span lies before and behind the inner one."""
    before = inner.first_turn - outer.first_turn
    behind = outer.turns - before - inner.turns
    if before:
        yield Span(first_turn=outer.first_turn, turns=before)
    if behind:
        yield Span(first_turn=inner.first_turn + inner.turns, turns=behind)


def _runs(
    first_turn: int, vectors: Sequence[Quantised | None]
) -> Iterator[tuple[int, list[Quantised | None]]]:
    """Runs of turns that all have vectors, or all have none, with their first turns."""
    for _, members in groupby(vectors, key=lambda vector: vector is None):
        run = list(members)
        yield first_turn, run
        first_turn += len(run)
