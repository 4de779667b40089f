"""What a write and a status call answer."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["ready", "pending"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddReceipt:
    """The answer to an acknowledged add.

    Attributes:
        version: the version of the memory that holds the turns.
        ready_version: the version that readers see.
        state: `ready` when the two are equal, else `pending`.
        turn_ids: the ids of the turns, in the order of the messages.
        replayed: True when the same request had been applied before and nothing was stored now.
    """

    version: int
    ready_version: int
    state: State
    turn_ids: tuple[str, ...]
    replayed: bool

    def to_dict(self) -> dict[str, object]:
        """The receipt as JSON-ready values."""
        return asdict(self) | {"turn_ids": list(self.turn_ids)}


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryStatus:
    """What a memory holds.

    Attributes:
        version: the last committed version.
        ready_version: the version that readers see.
        state: `pending` while something is not built yet.
        needs_rebuild: it was built with other settings or another model, and waits for somebody
            to ask for a rebuild.
        content_bytes: the size of the turns' text in UTF-8.
        embedded_turns: turns with vectors of the model in force.
        waiting_turns: turns that wait for them.
        created_at: ISO 8601 UTC.
        updated_at: ISO 8601 UTC.
    """

    tenant_id: str
    memory_id: str
    version: int
    ready_version: int
    state: State
    needs_rebuild: bool
    turns: int
    sessions: int
    content_bytes: int
    embedded_turns: int
    waiting_turns: int
    created_at: str
    updated_at: str

    def to_dict(self) -> dict[str, object]:
        """The status as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPage:
    """Some of a tenant's memories, ordered by id.

    Attributes:
        memories: at most as many as were asked for.
        next_after: the `after` that brings the next page, None when this is the last one.
    """

    memories: tuple[MemoryStatus, ...]
    next_after: str | None

    def to_dict(self) -> dict[str, object]:
        """The page as JSON-ready values."""
        return {
            "memories": [memory.to_dict() for memory in self.memories],
            "next_after": self.next_after,
        }
