"""Ingest writes one batch: turns, index segment, ledger and version in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.domain.receipt import AddReceipt
from graphmem.domain.turn import Turn
from graphmem.index.codec import decode, encode
from graphmem.index.draft import Draft, draft
from graphmem.index.merge import merge, plan_merge
from graphmem.index.segment import Segment
from graphmem.index.vectors import Quantised
from graphmem.ports.store import (
    Head,
    RequestRow,
    SegmentRow,
    SessionRow,
    Span,
    Store,
    WriteTransaction,
)
from graphmem.service.dense import Dense
from graphmem.service.intake import Batch
from graphmem.service.landing import draft_turn, vector_rows
from graphmem.service.ledger import find_replay, make_receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """What storing a batch needs of a service."""

    store: Store
    dense: Dense | None
    now_us: int


def ingest(ingestion: Ingestion, batch: Batch, waited_seconds: float) -> AddReceipt:
    """Store a batch once, however often and however concurrently it arrives.

    Raises:
        RequestConflictError: the request id was used with another payload and the policy refuses.
        StoreError: the store failed; nothing was stored.
    """
    with ingestion.store.read(batch.scope) as snapshot:
        replay = find_replay(batch, snapshot)
    if replay is not None:
        return replay
    prepared = _prepare(ingestion, batch, waited_seconds)
    with ingestion.store.write(batch.scope) as tx:
        return find_replay(batch, tx) or _write(tx, prepared)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A batch with all that could be made of it outside the transaction."""

    batch: Batch
    drafted: Draft
    vectors: Sequence[Quantised]
    dense: Dense | None
    now_us: int


def _prepare(ingestion: Ingestion, batch: Batch, waited_seconds: float) -> _Prepared:
    dense = ingestion.dense
    turns = [draft_turn(u.speaker, u.content, u.occurred) for u in batch.utterances]
    return _Prepared(
        batch=batch,
        drafted=draft(turns),
        vectors=dense.embed_in_call(turns, waited_seconds) if dense else (),
        dense=dense,
        now_us=ingestion.now_us,
    )


def _write(tx: WriteTransaction, prepared: _Prepared) -> AddReceipt:
    batch, now_us = prepared.batch, prepared.now_us
    before = _open_memory(tx, now_us)
    known = tx.session(batch.session_id)
    session = known or SessionRow(session_no=before.sessions, session_id=batch.session_id, turns=0)
    count = len(batch.utterances)
    head = replace(
        before,
        version=before.version + 1,
        ready_version=before.version + 1,
        turns=before.turns + count,
        sessions=before.sessions + (known is None),
        content_bytes=before.content_bytes + batch.content_bytes,
        updated_us=now_us,
    )
    request = RequestRow(
        surface=batch.policy.surface,
        request_id=batch.request_id,
        payload_digest=batch.payload_digest(),
        version=head.version,
        turns=count,
    )
    receipt = make_receipt(batch, request, head, replayed=False)
    tx.put_session(replace(session, turns=session.turns + count))
    tx.put_turns(_place_turns(batch, receipt, session, before, now_us))
    tx.put_request(request)
    _write_segment(
        tx,
        prepared.drafted.place(
            first_turn=before.turns,
            session_no=session.session_no,
            turn_ids=receipt.turn_ids,
            recorded_us=[now_us] * count,
        ),
        head.version,
    )
    _write_vectors(tx, prepared, first_turn=before.turns, version=head.version)
    tx.set_head(head)
    return receipt


def _open_memory(tx: WriteTransaction, now_us: int) -> Head:
    head = tx.head()
    if head is None:
        head = Head(
            version=0,
            ready_version=0,
            turns=0,
            sessions=0,
            content_bytes=0,
            created_us=now_us,
            updated_us=now_us,
        )
        tx.create(head)
    return head


def _place_turns(
    batch: Batch, receipt: AddReceipt, session: SessionRow, before: Head, now_us: int
) -> list[Turn]:
    return [
        Turn(
            turn_no=before.turns + i,
            turn_id=receipt.turn_ids[i],
            session_no=session.session_no,
            session_id=batch.session_id,
            position=session.turns + i,
            role=utterance.role,
            content=utterance.content,
            speaker=utterance.speaker,
            listener=utterance.listener,
            parts=utterance.parts,
            occurred=utterance.occurred,
            recorded_us=now_us,
            version=receipt.version,
        )
        for i, utterance in enumerate(batch.utterances)
    ]


def _write_vectors(
    tx: WriteTransaction, prepared: _Prepared, *, first_turn: int, version: int
) -> None:
    """Put the vectors that came in time, and on the list the turns that wait for theirs."""
    dense, vectors = prepared.dense, prepared.vectors
    if dense is None:
        return
    if vectors:
        tx.put_model(dense.model)
        tx.put_vectors(vector_rows(dense.fingerprint, first_turn, vectors, version))
    late = len(prepared.batch.utterances) - len(vectors)
    if late:
        span = Span(first_turn=first_turn + len(vectors), turns=late)
        tx.put_pending(dense.fingerprint, [span])


def _write_segment(tx: WriteTransaction, segment: Segment, version: int) -> None:
    """Put the batch's segment, merged with its predecessors where the plan asks for it."""
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
    tx.put_segment(
        SegmentRow(
            first_turn=segment.first_turn,
            turns=segment.turns,
            version=version,
            data=encode(segment),
        )
    )
