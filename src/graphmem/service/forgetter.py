"""Forgetter is the service's forgetting: it checks, deletes, empties caches and has the rest erased."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final

from graphmem.domain.address import Part
from graphmem.domain.erasure import ErasureReceipt, PurgeReport
from graphmem.domain.moment import FIRST_US
from graphmem.domain.scope import Scope
from graphmem.errors import InvalidInputError
from graphmem.index.cache import ViewCache
from graphmem.ports.clock import Clock
from graphmem.ports.store import RequestRow, Store
from graphmem.service.atomic.cache import AtomCache
from graphmem.service.atomic.intake import digest
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.erasing import Erasing
from graphmem.service.forgetting import Forgetting, Request, forget, receipt_of
from graphmem.service.intake import check_id, check_scope
from graphmem.service.policy import ATOMIC

_PAGE: Final = 100
_TURN_ID: Final = re.compile(r"t_[0-9a-f]{24}")
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeProgress:
    """How far a deletion from several memories is.

    Attributes:
        memories: memories that were looked at.
        turns: turns that were deleted.
    """

    memories: int
    turns: int

    def to_dict(self) -> dict[str, object]:
        """The progress as JSON-ready values."""
        return asdict(self)


def check_age(older_than: object) -> None:
    """Check an age.

    Raises:
        InvalidInputError: it is none.
    """
    if not isinstance(older_than, timedelta) or older_than < timedelta():
        raise InvalidInputError("older_than", "must be a timedelta of 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetter:
    """Deletes from memories. Thread-safe.

    Attributes:
        forget_texts: takes texts out of caches on disk, None where there is none.
        wake: has the background look for what a deletion left to be done.
    """

    store: Store
    clock: Clock
    cache: ViewCache
    atoms: AtomCache
    dense: Dense | None
    builder: Builder
    erasing: Erasing
    forget_texts: Callable[[Sequence[str]], None] | None
    wake: Callable[[], None]

    def delete_messages(
        self, tenant_id: str, memory_id: str, turn_ids: Sequence[str]
    ) -> ErasureReceipt:
        """See `MemoryService.delete_messages`."""
        scope = check_scope(tenant_id, memory_id)
        if not isinstance(turn_ids, list | tuple) or not all(isinstance(i, str) for i in turn_ids):
            raise InvalidInputError("turn_ids", "must be a list or tuple of strings")
        asked = tuple(dict.fromkeys(turn_ids))
        # What can be no turn's id is not sent to the store, which may not be able to take it.
        ids = tuple(turn_id for turn_id in asked if _TURN_ID.fullmatch(turn_id))
        request = Request(scope=scope, kind="turns", turn_ids=ids, unknown=len(asked) - len(ids))
        return self._forget(request)

    def delete_conversation(
        self,
        scope: Scope,
        message_ids: tuple[str, ...],
        parts: tuple[Part, ...],
        request_id: str | None,
    ) -> int:
        """See `MemoryService.delete_conversation`; the arguments are checked."""
        ids = tuple(turn_id for turn_id in message_ids if _TURN_ID.fullmatch(turn_id))
        sessions = sorted(str((part.session_id, part.task_id)) for part in parts)
        asked = RequestRow(
            surface=ATOMIC.surface,
            request_id=request_id or "",
            payload_digest=digest("forget", sorted(message_ids), sessions),
            version=0,
            turns=0,
        )
        request = Request(
            scope=scope,
            kind="turns",
            turn_ids=ids,
            parts=parts,
            asked=None if request_id is None else asked,
        )
        return self._forget(request).turns

    def delete_session(self, tenant_id: str, memory_id: str, session_id: str) -> ErasureReceipt:
        """See `MemoryService.delete_session`."""
        scope = check_scope(tenant_id, memory_id)
        session_id = check_id("session_id", session_id)
        return self._forget(Request(scope=scope, kind="session", session_id=session_id))

    def delete_memory(self, tenant_id: str, memory_id: str) -> ErasureReceipt:
        """See `MemoryService.delete_memory`."""
        return self._forget(Request(scope=check_scope(tenant_id, memory_id), kind="memory"))

    def delete_tenant(
        self, tenant_id: str, progress: Callable[[PurgeProgress], None] | None
    ) -> PurgeReport:
        """See `MemoryService.delete_tenant`."""
        check_id("tenant_id", tenant_id)
        scopes = self._scopes(tenant_id)
        return self._forget_all((Request(scope=s, kind="memory") for s in scopes), progress)

    def purge(
        self,
        older_than: timedelta,
        tenant_id: str | None,
        progress: Callable[[PurgeProgress], None] | None,
    ) -> PurgeReport:
        """See `MemoryService.purge`."""
        check_age(older_than)
        if tenant_id is not None:
            check_id("tenant_id", tenant_id)
        # An age may reach back beyond all times that there are, and that a store can compare.
        before_us = max(FIRST_US, self.clock.now_us() - older_than // _MICROSECOND)
        scopes = self._scopes(tenant_id)
        requests = (Request(scope=s, kind="age", before_us=before_us) for s in scopes)
        return self._forget_all(requests, progress)

    def erasures(self, tenant_id: str, memory_id: str) -> list[ErasureReceipt]:
        """See `MemoryService.erasures`."""
        scope = check_scope(tenant_id, memory_id)
        with self.store.read(scope) as snapshot:
            return [receipt_of(scope, tombstone) for tombstone in snapshot.tombstones()]

    def _forget(self, request: Request) -> ErasureReceipt:
        forgetting = Forgetting(
            store=self.store,
            now_us=self.clock.now_us(),
            forget_texts=self.forget_texts,
            settle=self.builder.settle,
        )
        receipt = forget(forgetting, request)
        self.cache.drop(request.scope)
        self.atoms.drop(request.scope)
        if self.dense:
            self.dense.forget_queries(request.scope)
        if receipt.erased_at is None:
            self.erasing.wake()
        self.wake()
        return receipt

    def _forget_all(
        self, requests: Iterable[Request], progress: Callable[[PurgeProgress], None] | None
    ) -> PurgeReport:
        memories = turns = 0
        receipts = []
        for request in requests:
            receipt = self._forget(request)
            memories += 1
            turns += receipt.turns
            if receipt.turns or request.kind == "memory":
                receipts.append(receipt)
            if progress:
                progress(PurgeProgress(memories=memories, turns=turns))
        return PurgeReport(memories=memories, receipts=tuple(receipts))

    def _scopes(self, tenant_id: str | None) -> Iterator[Scope]:
        """The memories of a tenant, or of all; those that come meanwhile may be among them."""
        page = self._page(tenant_id, None)
        while page:
            yield from page
            page = self._page(tenant_id, page[-1])

    def _page(self, tenant_id: str | None, after: Scope | None) -> list[Scope]:
        if tenant_id is None:
            return self.store.scopes(after=after, limit=_PAGE)
        memory_id = after.memory_id if after else None
        rows = self.store.memories(tenant_id, after=memory_id, limit=_PAGE)
        return [row.scope for row in rows]
