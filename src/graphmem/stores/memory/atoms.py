"""The atoms of one memory in a transaction of the in-memory store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.stores.memory.state import State


class MemoryAtomReads(ABC):
    """The atoms of a state."""

    _current: State

    @abstractmethod
    def _state(self) -> State:
        """The state; raises once the transaction is over."""

    def atoms(self, *, since: int) -> list[AtomRow]:
        return [row for _, row in sorted(self._state().atoms.items()) if row.version > since]

    def atoms_at(self, atom_nos: Sequence[int]) -> list[AtomRow]:
        found = self._state().atoms
        return [found[number] for number in sorted(set(atom_nos)) if number in found]

    def find_atoms(self, atom_ids: Sequence[str]) -> list[AtomRow]:
        asked = frozenset(atom_ids)
        return [row for _, row in sorted(self._state().atoms.items()) if row.atom_id in asked]

    def next_atom(self) -> int:
        return max(self._state().atoms, default=-1) + 1

    def atom_sources(self, atom_nos: Sequence[int]) -> list[AtomSourceRow]:
        asked = frozenset(atom_nos)
        rows = sorted(self._state().atom_sources.items())
        return [row for _, row in rows if row.atom_no in asked]

    def sources_in(self, turn_nos: Sequence[int]) -> list[AtomSourceRow]:
        asked = frozenset(turn_nos)
        rows = sorted(self._state().atom_sources.items())
        return [row for _, row in rows if row.turn_no in asked]

    def atom_edits(self, atom_ids: Sequence[str]) -> list[AtomEditRow]:
        asked = frozenset(atom_ids)
        rows = sorted(self._state().atom_edits.items())
        return [row for _, row in rows if row.atom_id in asked]


class MemoryAtomWrites(MemoryAtomReads):
    """The atoms of the one write transaction."""

    @abstractmethod
    def _require_memory(self) -> None:
        """Fail unless there is a memory."""

    @abstractmethod
    def _require(self, holds: bool, broken: str) -> None:  # noqa: FBT001
        """Fail unless it holds."""

    def put_atoms(self, atoms: Sequence[AtomRow]) -> None:
        self._require_memory()
        rows = dict(self._state().atoms)
        names = {row.atom_id: row.atom_no for row in rows.values()}
        for atom in atoms:
            is_free = names.get(atom.atom_id, atom.atom_no) == atom.atom_no
            self._require(is_free, "another atom has this id")
            if atom.atom_no in rows:
                del names[rows[atom.atom_no].atom_id]
            rows[atom.atom_no] = atom
            names[atom.atom_id] = atom.atom_no
        self._current = replace(self._state(), atoms=rows)

    def delete_atoms(self, atom_nos: Sequence[int]) -> None:
        self._require_memory()
        state, gone = self._state(), frozenset(atom_nos)
        self._current = replace(
            state,
            atoms={number: row for number, row in state.atoms.items() if number not in gone},
            atom_sources={
                place: row for place, row in state.atom_sources.items() if row.atom_no not in gone
            },
        )

    def put_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        self._require_memory()
        new = {(row.atom_no, row.turn_no, row.start): row for row in sources}
        self._current = replace(self._state(), atom_sources=self._state().atom_sources | new)

    def delete_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        self._require_memory()
        gone = {(row.atom_no, row.turn_no, row.start) for row in sources}
        rows = self._state().atom_sources
        kept = {place: row for place, row in rows.items() if place not in gone}
        self._current = replace(self._state(), atom_sources=kept)

    def put_atom_edits(self, edits: Sequence[AtomEditRow]) -> None:
        self._require_memory()
        new = {(row.atom_id, row.revision): row for row in edits}
        self._current = replace(self._state(), atom_edits=self._state().atom_edits | new)

    def delete_atom_edits(self, atom_ids: Sequence[str]) -> None:
        self._require_memory()
        gone, rows = frozenset(atom_ids), self._state().atom_edits
        kept = {key: row for key, row in rows.items() if row.atom_id not in gone}
        self._current = replace(self._state(), atom_edits=kept)
