"""All memories of a tenant, page by page, as several commands go through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from graphmem.domain.receipt import MemoryStatus
    from graphmem.service.memory import MemoryService

_PAGE: Final = 500


def all_memories(service: MemoryService, tenant_id: str) -> Iterator[MemoryStatus]:
    """What each memory of a tenant holds, ordered by id."""
    page = service.list_memories(tenant_id, limit=_PAGE)
    yield from page.memories
    while page.next_after is not None:
        page = service.list_memories(tenant_id, after=page.next_after, limit=_PAGE)
        yield from page.memories
