"""What exporting and importing tell while they run and when they are done."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeProgress:
    """How far an export or an import is.

    Attributes:
        memories: memories that are finished.
        turns: turns written or read so far, of all memories.
    """

    memories: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportReport:
    """A finished export.

    Attributes:
        memories: memories in the file, deleted ones (ledger and tombstones) not counted.
        deleted: deleted memories in the file.
        turns: turns of all memories.
        lines: lines of the file, header and footer included.
        digest: what the footer holds, hexadecimal.
    """

    memories: int
    deleted: int
    turns: int
    lines: int
    digest: str

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """A finished import.

    Attributes:
        imported: memories that came in, deleted ones included.
        unchanged: memories that were there already with all that the file holds of them.
        skipped: memories that were not asked for.
        turns: turns that came in.
        pending: memories that came in and still wait for vectors of the model in force.
    """

    imported: int
    unchanged: int
    skipped: int
    turns: int
    pending: int

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        return asdict(self)
