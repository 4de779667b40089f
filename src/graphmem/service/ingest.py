"""Ingest writes one batch: turns, index segment, ledger and version in one transaction."""

from __future__ import annotations

from dataclasses import replace

from graphmem.domain.receipt import AddReceipt
from graphmem.domain.turn import Turn
from graphmem.index.codec import decode, encode
from graphmem.index.draft import Draft, DraftTurn, draft
from graphmem.index.merge import merge, plan_merge
from graphmem.index.segment import Segment
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Store, WriteTransaction
from graphmem.service.intake import Batch, Utterance
from graphmem.service.ledger import find_replay, make_receipt
from graphmem.text.speaker import attribute


def ingest(store: Store, batch: Batch, now_us: int) -> AddReceipt:
    """Store a batch once, however often and however concurrently it arrives.

    Raises:
        RequestConflictError: the request id was used with another payload and the policy refuses.
        StoreError: the store failed; nothing was stored.
    """
    with store.read(batch.scope) as snapshot:
        replay = find_replay(batch, snapshot)
    if replay is not None:
        return replay
    drafted = draft([_draft_turn(utterance) for utterance in batch.utterances])
    with store.write(batch.scope) as tx:
        return find_replay(batch, tx) or _write(tx, batch, drafted, now_us)


def _draft_turn(utterance: Utterance) -> DraftTurn:
    found = attribute(utterance.content, speaker=utterance.speaker)
    return DraftTurn(speaker=found.speaker, body=utterance.content[found.body_start :])


def _write(tx: WriteTransaction, batch: Batch, drafted: Draft, now_us: int) -> AddReceipt:
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
        drafted.place(
            first_turn=before.turns, session_no=session.session_no, turn_ids=receipt.turn_ids
        ),
        head.version,
    )
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
