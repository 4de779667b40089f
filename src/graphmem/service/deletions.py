"""Deletions are the part of MemoryService that forgets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from graphmem.domain.erasure import ErasureReceipt, PurgeReport
from graphmem.service.forgetter import Forgetter, PurgeProgress


class Deletions:
    """The calls that delete; a service inherits them and makes the `Forgetter`."""

    _forgetter: Forgetter

    def delete_messages(
        self, tenant_id: str, memory_id: str, turn_ids: Sequence[str]
    ) -> ErasureReceipt:
        """Delete messages and all that was made of them, as if they had never come.

        Once it returns no search finds them; their bytes are erased in the background (see
        `erase`). A replay of the request that brought them brings none of them back. Of what is
        already gone nothing is deleted again.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            turn_ids: ids of turns; those that the memory does not hold are counted as unknown.

        Raises:
            InvalidInputError: a value is wrong.
            StoreError: the store failed; nothing was deleted.
        """
        return self._forgetter.delete_messages(tenant_id, memory_id, turn_ids)

    def delete_session(self, tenant_id: str, memory_id: str, session_id: str) -> ErasureReceipt:
        """Delete a session of a memory, as `delete_messages` would with all its turns."""
        return self._forgetter.delete_session(tenant_id, memory_id, session_id)

    def delete_memory(self, tenant_id: str, memory_id: str) -> ErasureReceipt:
        """Delete a memory; a later add with a new request id makes it anew, empty.

        Raises:
            InvalidInputError: a value is wrong.
            StoreError: the store failed; nothing was deleted.
        """
        return self._forgetter.delete_memory(tenant_id, memory_id)

    def delete_tenant(
        self, tenant_id: str, *, progress: Callable[[PurgeProgress], None] | None = None
    ) -> PurgeReport:
        """Delete all memories of a tenant, one after the other; what an interrupted call did stays."""
        return self._forgetter.delete_tenant(tenant_id, progress)

    def purge(
        self,
        older_than: timedelta,
        *,
        tenant_id: str | None = None,
        progress: Callable[[PurgeProgress], None] | None = None,
    ) -> PurgeReport:
        """Delete all turns that were recorded longer ago, memory by memory.

        Args:
            older_than: their least age; it counts from when they arrived, not from when they were
                said.
            tenant_id: whose memories; None for those of all tenants.
            progress: told after each memory.

        Raises:
            InvalidInputError: a value is wrong.
            StoreError: the store failed; what was deleted from memories before stays deleted.
        """
        return self._forgetter.purge(older_than, tenant_id, progress)

    def erasures(self, tenant_id: str, memory_id: str) -> list[ErasureReceipt]:
        """The receipts of all deletions from a memory as they are now, oldest first."""
        return self._forgetter.erasures(tenant_id, memory_id)

    def erase(self, timeout_seconds: float) -> bool:
        """Erase now, not at leisure, what was deleted so far; whether it was done in time.

        It goes on in the background when it was not: a reader may hold an older state, or room may
        be wanting. The receipts of `erasures` then bear their `erased_at`.
        """
        return self._forgetter.erasing.wait(timeout_seconds)
