"""The ledger decides what a request is: new, the same again, or in conflict with an earlier one."""

from __future__ import annotations

from graphmem.domain.receipt import AddReceipt, State
from graphmem.domain.turn import make_turn_id
from graphmem.errors import RequestConflictError
from graphmem.ports.store import Head, ReadTransaction, RequestRow
from graphmem.service.build import Build
from graphmem.service.intake import Batch
from graphmem.service.standing import awaits, standing_of


def find_replay(batch: Batch, read: ReadTransaction, build: Build) -> AddReceipt | None:
    """The receipt of a request that was applied before, None for a new request.

    It is `pending` as long as something of this request is outstanding, whatever came later.

    Raises:
        RequestConflictError: the payload differs and the policy refuses that.
    """
    # The ledger outlives the memory: what was deleted does not come back with a replay.
    head = read.head() or read.grave()
    row = read.request(batch.policy.surface, batch.request_id)
    if head is None or row is None:
        return None
    if batch.policy.on_conflict == "refuse" and row.payload_digest != batch.payload_digest():
        raise RequestConflictError
    is_pending = awaits(read, standing_of(read, head, build), row.version)
    state: State = "pending" if is_pending else "ready"
    return make_receipt(batch, row, head, state=state, replayed=True)


def find_request(
    read: ReadTransaction, surface: str, request_id: str, payload_digest: bytes
) -> RequestRow | None:
    """The line of a request that was applied before, None for a new one.

    Raises:
        RequestConflictError: it was another one, of the same id.
    """
    known = read.request(surface, request_id)
    if known is not None and known.payload_digest != payload_digest:
        raise RequestConflictError
    return known


def make_receipt(
    batch: Batch, row: RequestRow, head: Head, *, state: State, replayed: bool
) -> AddReceipt:
    """The receipt of the request that a line of the ledger stands for."""
    surface = batch.policy.surface
    return AddReceipt(
        version=row.version,
        ready_version=head.ready_version,
        state=state,
        turn_ids=tuple(
            make_turn_id(batch.scope, surface, batch.request_id, position)
            for position in range(row.turns)
        ),
        replayed=replayed,
    )
