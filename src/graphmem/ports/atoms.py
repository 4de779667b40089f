"""The rows of atoms: what a transaction of a memory reads and writes of them.

A store knows neither words nor relations of atoms; it keeps them by number, by id, by the version
that changed them last, and by the turns they stand on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from graphmem.domain.atom import Origin
from graphmem.domain.atom_query import EditReason

EDIT_REASONS: Final[tuple[EditReason, ...]] = ("found", "created", "updated")


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomRow:
    """One atom without its sources.

    Attributes:
        atom_no: its number in the memory, 0 upwards.
        atom_id: its public id; unique within the memory.
        version: the version that last changed it or its sources.
        is_live: False for one that was removed and of which only number and id are left.
        data: the encoded atom, opaque to the store.
    """

    atom_no: int
    atom_id: str
    version: int
    is_live: bool
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomSourceRow:
    """Words that an atom stands on; unique by atom, turn and start.

    Attributes:
        atom_no: the atom.
        turn_no: the turn.
        start: offset of the words in the turn's text.
        end: offset behind them.
        origin: who found the atom there.
    """

    atom_no: int
    turn_no: int
    start: int
    end: int
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomEditRow:
    """One state of an atom that was made or changed by hand; unique by atom and revision.

    Attributes:
        atom_id: the atom.
        revision: 1 upwards.
        changed_us: when; microseconds since 1970 UTC.
        reason: `found` for how the build had it before its first change by hand.
        data: the encoded state, opaque to the store.
    """

    atom_id: str
    revision: int
    changed_us: int
    reason: EditReason
    data: bytes


class AtomReads(Protocol):
    """The part of a snapshot that shows atoms."""

    def atoms(self, *, since: int) -> list[AtomRow]:
        """All atoms, live or not, whose version is above `since`, ordered by number."""
        ...

    def atoms_at(self, atom_nos: Sequence[int]) -> list[AtomRow]:
        """The atoms with these numbers, ordered by number; unknown numbers are left out."""
        ...

    def find_atoms(self, atom_ids: Sequence[str]) -> list[AtomRow]:
        """The atoms that the memory has of these, live or not, ordered by number."""
        ...

    def next_atom(self) -> int:
        """One more than the greatest number of an atom, 0 without atoms."""
        ...

    def atom_sources(self, atom_nos: Sequence[int]) -> list[AtomSourceRow]:
        """The sources of these atoms, ordered by atom, turn and start."""
        ...

    def sources_in(self, turn_nos: Sequence[int]) -> list[AtomSourceRow]:
        """The sources that lie in these turns, ordered by atom, turn and start."""
        ...

    def atom_edits(self, atom_ids: Sequence[str]) -> list[AtomEditRow]:
        """What was made and changed by hand of these atoms, ordered by atom id and revision."""
        ...


class AtomWrites(AtomReads, Protocol):
    """The part of a write that changes atoms."""

    def put_atoms(self, atoms: Sequence[AtomRow]) -> None:
        """Insert atoms, or replace those with the same numbers."""
        ...

    def delete_atoms(self, atom_nos: Sequence[int]) -> None:
        """Remove atoms with their sources.

        A number may be used again, so readers must be told by the memory's generation.
        """
        ...

    def put_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        """Insert sources, or replace those at the same places."""
        ...

    def delete_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        """Remove the sources at these places."""
        ...

    def put_atom_edits(self, edits: Sequence[AtomEditRow]) -> None:
        """Insert states, or replace those of the same revisions."""
        ...

    def delete_atom_edits(self, atom_ids: Sequence[str]) -> None:
        """Remove all states of these atoms."""
        ...
