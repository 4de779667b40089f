"""What backing up and restoring tell while they run and when they are done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyProgress:
    """How far the copying of a database is, in pages of it."""

    pages_done: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupReport:
    """A finished backup, or what was restored from one.

    Attributes:
        path: the file, or the data directory.
        size_bytes: the size of the database.
        schema: how many migrations it has.
        memories: memories of all tenants.
        turns: turns of all memories.
    """

    path: str
    size_bytes: int
    schema: int
    memories: int
    turns: int

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        return asdict(self)


TellCopy: TypeAlias = Callable[[CopyProgress], None]
