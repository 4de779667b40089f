"""The atoms of one memory in a transaction, as all stores that speak SQL have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, Generic, TypeVar

from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.stores import rows
from graphmem.stores.rows import Row, Value
from graphmem.stores.statements import Statements

# The kinds of values that only one database takes, a memory's number among them.
Own = TypeVar("Own")

_PLACE: Final = attrgetter("atom_no", "turn_no", "start")
_REVISION: Final = attrgetter("atom_id", "revision")
_NUMBER: Final = attrgetter("atom_no")


class SqlAtomReads(ABC, Generic[Own]):
    """The atoms of a snapshot. Sorted here: a database would copy all data to do it."""

    _ns: Own | None
    _statements: Statements

    @abstractmethod
    def _list(self, values: Sequence[int] | Sequence[str]) -> Own | Value:
        """Many values as one parameter."""

    @abstractmethod
    def _rows(self, sql: str, parameters: Sequence[Own | Value]) -> list[Row]:
        """What a query finds."""

    def atoms(self, *, since: int) -> list[AtomRow]:
        return self._atoms(self._statements.select_atoms, since)

    def atoms_at(self, atom_nos: Sequence[int]) -> list[AtomRow]:
        asked = self._list(list(dict.fromkeys(atom_nos)))
        return self._atoms(self._statements.select_atoms_at, asked)

    def find_atoms(self, atom_ids: Sequence[str]) -> list[AtomRow]:
        asked = self._list(list(dict.fromkeys(atom_ids)))
        return self._atoms(self._statements.find_atoms, asked)

    def next_atom(self) -> int:
        found = self._rows(self._statements.select_last_atom, (self._ns,))
        last = found[0][0] if found else None
        return 0 if last is None else int(last) + 1

    def atom_sources(self, atom_nos: Sequence[int]) -> list[AtomSourceRow]:
        asked = self._list(list(dict.fromkeys(atom_nos)))
        return self._sources(self._statements.select_atom_sources, asked)

    def sources_in(self, turn_nos: Sequence[int]) -> list[AtomSourceRow]:
        asked = self._list(list(dict.fromkeys(turn_nos)))
        return self._sources(self._statements.select_sources_in, asked)

    def atom_edits(self, atom_ids: Sequence[str]) -> list[AtomEditRow]:
        asked = self._list(list(dict.fromkeys(atom_ids)))
        found = self._rows(self._statements.select_atom_edits, (self._ns, asked))
        return sorted(map(rows.to_atom_edit, found), key=_REVISION)

    def _atoms(self, sql: str, key: Own | Value) -> list[AtomRow]:
        found = self._rows(sql, (self._ns, key))
        return sorted(map(rows.to_atom, found), key=_NUMBER)

    def _sources(self, sql: str, asked: Own | Value) -> list[AtomSourceRow]:
        found = self._rows(sql, (self._ns, asked))
        return sorted(map(rows.to_atom_source, found), key=_PLACE)


class SqlAtomWrites(SqlAtomReads[Own]):
    """The atoms of the one write transaction of a memory."""

    @abstractmethod
    def _memory(self) -> Own:
        """The memory's number; raises unless there is one."""

    @abstractmethod
    def _run(self, sql: str, lines: Iterable[Sequence[Own | Value]]) -> None:
        """Run a statement once for each line."""

    def put_atoms(self, atoms: Sequence[AtomRow]) -> None:
        ns = self._memory()
        self._run(self._statements.upsert_atom, [rows.atom_values(ns, row) for row in atoms])

    def delete_atoms(self, atom_nos: Sequence[int]) -> None:
        ns = self._memory()
        lines = [(ns, number) for number in atom_nos]
        self._run(self._statements.delete_sources_of_atom, lines)
        self._run(self._statements.delete_atom, lines)

    def put_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        ns = self._memory()
        lines = [rows.atom_source_values(ns, row) for row in sources]
        self._run(self._statements.upsert_atom_source, lines)

    def delete_atom_sources(self, sources: Sequence[AtomSourceRow]) -> None:
        ns = self._memory()
        lines = [(ns, row.atom_no, row.turn_no, row.start) for row in sources]
        self._run(self._statements.delete_atom_source, lines)

    def put_atom_edits(self, edits: Sequence[AtomEditRow]) -> None:
        ns = self._memory()
        lines = [rows.atom_edit_values(ns, row) for row in edits]
        self._run(self._statements.upsert_atom_edit, lines)

    def delete_atom_edits(self, atom_ids: Sequence[str]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_atom_edits, [(ns, atom_id) for atom_id in atom_ids])
