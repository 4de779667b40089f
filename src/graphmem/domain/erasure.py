"""What a deletion leaves behind: ids and counts, and when the last byte of its text was gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final, Literal

Forgotten = Literal["turns", "session", "memory", "age"]
Kind = Forgotten | Literal["atoms"]
KINDS: Final[Mapping[str, Kind]] = {
    "turns": "turns",
    "session": "session",
    "memory": "memory",
    "age": "age",
    "atoms": "atoms",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """One deletion as the store keeps it.

    Attributes:
        version: the version of the memory that the deletion made.
        kind: what was asked to be deleted; `atoms` when some were, and no turn.
        session_id: the session, when one was.
        turn_ids: the turns that were deleted, when turns were named; else None.
        turns: how many turns were deleted.
        sessions: how many sessions were left without turns and went with them.
        deleted_us: since when no search finds them; microseconds since 1970 UTC.
        erased_us: since when no byte of their text is in the store's files; None until then.
    """

    version: int
    kind: Kind
    session_id: str | None
    turn_ids: tuple[str, ...] | None
    turns: int
    sessions: int
    deleted_us: int
    erased_us: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """The answer to a deletion.

    Attributes:
        version: the memory's version from which on nothing of it is found; 0 when there is no
            such memory.
        kind: what was asked to be deleted.
        session_id: the session, when one was asked for.
        turns: how many turns were deleted now.
        sessions: how many sessions were left without turns and went with them.
        found: whether anything of what was named was there; deleting nothing is no error.
        unknown: how many of the turn ids that were asked for the memory did not hold.
        deleted_at: ISO 8601 UTC.
        erased_at: since when no byte of this memory's deleted texts is in the store's files, ISO
            8601 UTC; None as long as the erasure has not finished.
    """

    tenant_id: str
    memory_id: str
    kind: Kind
    session_id: str | None
    version: int
    turns: int
    sessions: int
    found: bool
    unknown: int
    deleted_at: str
    erased_at: str | None

    def to_dict(self) -> dict[str, object]:
        """The receipt as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeReport:
    """What a deletion from several memories did.

    Attributes:
        memories: how many memories were looked at.
        receipts: one for each memory from which something was deleted.
    """

    memories: int
    receipts: tuple[ErasureReceipt, ...]

    @property
    def turns(self) -> int:
        """How many turns were deleted."""
        return sum(receipt.turns for receipt in self.receipts)

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        receipts = [receipt.to_dict() for receipt in self.receipts]
        return {"memories": self.memories, "turns": self.turns, "receipts": receipts}
