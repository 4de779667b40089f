"""What is published of a memory is read in a snapshot, if its contract may read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from graphmem.domain.scope import Scope
from graphmem.errors import MemoryNotFoundError, MemoryPendingError
from graphmem.ports.store import Head, ReadTransaction, Store
from graphmem.service.builder import Builder
from graphmem.service.policy import Policy
from graphmem.service.standing import standing_of

_PENDING_TRIES: Final = 3


@contextmanager
def published(
    store: Store, builder: Builder, scope: Scope, policy: Policy
) -> Iterator[tuple[ReadTransaction, Head]]:
    """A snapshot of a memory that may be read, with its head.

    Whether a call builds the memory can't be asked at the very instant of the snapshot: it may
    begin or end beside it. So a memory is only refused if it is, several times in a row.

    Raises:
        MemoryNotFoundError: there is no such memory.
        MemoryPendingError: it is not built whole, and the policy does not go on without.
    """
    locks = builder.locks
    for tries_left in reversed(range(_PENDING_TRIES)):
        is_building = locks.is_used_here(scope)
        with store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None:
                raise MemoryNotFoundError(scope.tenant_id)
            if policy.while_unbuilt == "refuse":
                standing = standing_of(snapshot, head, builder.build)
                is_readable = standing.is_readable(is_building=is_building) or (
                    # Other processes are asked only where it matters.
                    standing.is_readable(is_building=True) and locks.is_used(scope)
                )
                if not is_readable and tries_left:
                    continue
                if not is_readable:
                    raise MemoryPendingError(needs_rebuild=standing.needs_rebuild)
            yield snapshot, head
            return
