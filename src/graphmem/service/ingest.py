"""Ingest writes one batch: turns, ledger and version in one transaction; index and vectors too.

Where a contract wants a memory built whole and a model has a share in that, the first transaction
stores the messages, the model is asked then, and the memory is published when all of it is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.domain.receipt import AddReceipt
from graphmem.domain.turn import Turn
from graphmem.errors import BuildFailedError, ModelError, StoreError
from graphmem.index.draft import Draft, draft
from graphmem.index.vectors import Quantised
from graphmem.ports.stage import stage
from graphmem.ports.store import (
    Head,
    RequestRow,
    SessionRow,
    Span,
    Store,
    WriteTransaction,
)
from graphmem.service.atoms.listing import list_turns, scene_turns_of
from graphmem.service.atoms.maker import AtomMaker
from graphmem.service.atoms.sayings import Saying, extract_unplaced, unplaced_sayings
from graphmem.service.atoms.writing import write_atoms
from graphmem.service.build import Build
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.indexing import add_segment, index_raw_turns
from graphmem.service.intake import Batch
from graphmem.service.landing import draft_turn, vector_rows
from graphmem.service.ledger import find_replay, make_receipt
from graphmem.service.opening import open_memory
from graphmem.service.standing import built_with, standing_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingestion:
    """What storing a batch needs of a service.

    Attributes:
        build_seconds: how long a whole build may take.
    """

    store: Store
    dense: Dense | None
    builder: Builder
    build_seconds: float
    now_us: int


def ingest(ingestion: Ingestion, batch: Batch, waited_seconds: float) -> AddReceipt:
    """Store a batch once, however often and however concurrently it arrives.

    Raises:
        RequestConflictError: the request id was used with another payload and the policy refuses.
        BuildFailedError: the batch is stored, but its memory could not be built and the policy
            does not go on without.
        StoreError: the store failed; nothing was stored.
    """
    if batch.policy.while_unbuilt == "go_on":
        return _store(ingestion, batch, waited_seconds)
    with ingestion.builder.locks.use(batch.scope):
        receipt = _store(ingestion, batch, waited_seconds)
        return receipt if receipt.state == "ready" else _complete(ingestion, batch, receipt)


def _store(ingestion: Ingestion, batch: Batch, waited_seconds: float) -> AddReceipt:
    """Store the batch unless it is stored; what the policy wants built first may be outstanding."""
    build = ingestion.builder.build
    with ingestion.store.read(batch.scope) as snapshot:
        receipt = find_replay(batch, snapshot, build)
    if receipt is None:
        prepared = _prepare(ingestion, batch, waited_seconds)
        with stage("store"), ingestion.store.write(batch.scope) as tx:
            receipt = find_replay(batch, tx, build) or _write(tx, prepared)
    return receipt


def _complete(ingestion: Ingestion, batch: Batch, receipt: AddReceipt) -> AddReceipt:
    """Build the memory of a batch that is stored."""
    builder = ingestion.builder
    try:
        with stage("embed"):
            builder.bring_up(batch.scope, seconds=ingestion.build_seconds)
        with ingestion.store.read(batch.scope) as snapshot:
            built = find_replay(batch, snapshot, builder.build)
    except (ModelError, StoreError) as error:
        raise BuildFailedError(str(error)) from error
    if built is None:  # deleted meanwhile, with all that there was to build
        return replace(receipt, state="ready")
    if built.state == "pending":
        raise BuildFailedError("the embedding model refused some of its messages")
    return replace(built, replayed=receipt.replayed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A batch with all that could be made of it outside the transaction.

    Attributes:
        drafted: its share of the index; None if it is stored raw, to be built later.
        vectors: of its first turns, the rest waits for theirs.
        said: what its messages say; nothing if they are stored raw, or no atoms are wanted.
        atoms: makes those of what was stored raw before.
    """

    batch: Batch
    drafted: Draft | None
    vectors: Sequence[Quantised]
    said: Sequence[Saying]
    atoms: AtomMaker
    dense: Dense | None
    build: Build
    now_us: int


def _prepare(ingestion: Ingestion, batch: Batch, waited_seconds: float) -> _Prepared:
    dense = ingestion.dense
    build = ingestion.builder.build
    is_raw = bool(dense or build.chat) and batch.policy.while_unbuilt == "refuse"
    turns = [draft_turn(u.speaker, u.content, u.occurred) for u in batch.utterances]
    vectors: Sequence[Quantised] = ()
    if dense is not None and not is_raw:
        with stage("embed"):
            vectors = dense.embed_in_call(turns, waited_seconds)
    said: Sequence[Saying] = ()
    if build.atoms and not is_raw:
        found = extract_unplaced(batch.utterances)
        said = unplaced_sayings(batch.scope, batch.utterances, found, ingestion.now_us)
        pairs = zip(turns, found, strict=True)
        turns = [replace(turn, mentions=each.mentions) for turn, each in pairs]
    return _Prepared(
        batch=batch,
        drafted=None if is_raw else draft(turns),
        vectors=vectors,
        said=said,
        atoms=ingestion.builder.atoms,
        dense=dense,
        build=build,
        now_us=ingestion.now_us,
    )


def _write(tx: WriteTransaction, prepared: _Prepared) -> AddReceipt:
    batch, now_us = prepared.batch, prepared.now_us
    before = open_memory(tx, now_us, prepared.build)
    known = tx.session(batch.session_id)
    session = known or SessionRow(
        session_no=before.next_session, session_id=batch.session_id, turns=0
    )
    count = len(batch.utterances)
    head = replace(
        before,
        version=before.version + 1,
        turns=before.turns + count,
        sessions=before.sessions + (known is None),
        content_bytes=before.content_bytes + batch.content_bytes,
        updated_us=now_us,
        build=built_with(before, prepared.build),
    )
    request = RequestRow(
        surface=batch.policy.surface,
        request_id=batch.request_id,
        payload_digest=batch.payload_digest(),
        version=head.version,
        turns=count,
    )
    receipt = make_receipt(batch, request, head, state="pending", replayed=False)
    tx.put_session(replace(session, turns=session.turns + count))
    turns = _place_turns(batch, receipt, session, before, now_us)
    tx.put_turns(turns)
    # Whichever model is in force: the one that told the memory so far may be so again.
    if scene_turns := scene_turns_of(before):
        list_turns(tx, turns, scene_turns)
    tx.put_request(request)
    _write_vectors(tx, prepared, first_turn=before.next_turn, version=head.version)
    if prepared.drafted is not None:
        if before.ready_turns < before.next_turn:
            # What earlier adds stored raw comes in first, so that everything keeps its order.
            index_raw_turns(tx, before, head.version)
            caught_up = replace(before, ready_version=head.version, ready_turns=before.next_turn)
            prepared.atoms.publish(tx, batch.scope, before, caught_up, {})
        placed = prepared.drafted.place(
            first_turn=before.next_turn,
            session_no=session.session_no,
            turn_ids=receipt.turn_ids,
            recorded_us=[now_us] * count,
        )
        add_segment(tx, placed, head.version)
        if prepared.said:
            write_atoms(tx, prepared.said, head.version, shift=before.next_turn)
        head = replace(head, ready_version=head.version, ready_turns=head.next_turn)
    tx.set_head(head)
    state = standing_of(tx, head, prepared.build).state
    return replace(receipt, ready_version=head.ready_version, state=state)


def _place_turns(
    batch: Batch, receipt: AddReceipt, session: SessionRow, before: Head, now_us: int
) -> list[Turn]:
    return [
        Turn(
            turn_no=before.next_turn + i,
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
