"""Restating brings some turns' share of a memory's atoms to what they are found to say now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphmem.domain.atom import Atom
from graphmem.domain.scope import Scope
from graphmem.index.atom_codec import (
    StoredAtom,
    decode_atom,
    decode_removed,
    encode_atom,
)
from graphmem.ports.atoms import AtomRow, AtomSourceRow
from graphmem.ports.store import WriteTransaction
from graphmem.service.atoms.recorded import first_said
from graphmem.service.atoms.remaking import Changes, add_new, gather, rebase, removed, write_changes
from graphmem.service.atoms.sayings import Saying


def restate(
    tx: WriteTransaction,
    scope: Scope,
    turn_nos: Sequence[int],
    said: Sequence[Saying],
    version: int,
) -> bool:
    """Bring the atoms to what these turns say now; what others say of them stays.

    It costs what the atoms do that the turns have to do with. Of an atom that nobody says any more
    number and id are left, so that readers can be told; a rebuild takes them up.

    Args:
        tx: a write transaction of the memory.
        scope: the memory.
        turn_nos: the turns, published or just being so.
        said: all that they say.
        version: the version to which the changes belong.

    Returns:
        Whether any row is not as it was.
    """
    by_id = gather(said)
    touched = [source.atom_no for source in tx.sources_in(turn_nos)]
    known = {row.atom_no: row for row in (*tx.find_atoms(list(by_id)), *tx.atoms_at(touched))}
    held: dict[int, list[AtomSourceRow]] = {number: [] for number in known}
    for source in tx.atom_sources(list(known)):
        held[source.atom_no].append(source)
    changes = Changes()
    one = _Restating(
        tx=tx, scope=scope, window=frozenset(turn_nos), version=version, changes=changes
    )
    for number, row in sorted(known.items()):
        one.restate(row, held[number], by_id.get(row.atom_id, []))
    add_new(tx, by_id, {row.atom_id for row in known.values()}, version, changes)
    write_changes(tx, changes, held)
    tx.delete_atom_edits(one.forgotten)
    return bool(changes.atoms)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Restating:
    """What is the same for all atoms that are restated together."""

    tx: WriteTransaction
    scope: Scope
    window: frozenset[int]
    version: int
    changes: Changes
    forgotten: list[str] = field(default_factory=list)

    def restate(self, row: AtomRow, held: list[AtomSourceRow], said: list[Saying]) -> None:
        stored = decode_atom(row.atom_id, row.data) if row.is_live else None
        since = stored.since_turn if stored else decode_removed(row.data)
        said = [one for one in said if one.turn_no >= since]
        outside = [source for source in held if source.turn_no not in self.window]
        if stored and _is_of_hands(stored, is_said=bool(said or outside)):
            return
        sources = sorted([*outside, *(one.source(row.atom_no) for one in said)], key=_place)
        found: Atom | None = None
        if said and sources[0] == said[0].source(row.atom_no):
            found = said[0].atom()
        elif sources and not (stored and held[0] == sources[0]):
            found, sources = first_said(self.tx, self.scope, row.atom_id, sources)
        if sources:
            self._put(row, self._atom(stored, since, found, row), held, sources)
        elif stored:
            self.changes.atoms.append(removed(row, since, self.version))
            self.forgotten.append(row.atom_id)

    def _atom(
        self, stored: StoredAtom | None, since: int, found: Atom | None, row: AtomRow
    ) -> bytes:
        """The row's data when the atom is first found as this; None when that did not change."""
        if found is None:
            return row.data
        if stored is None or stored.atom.revision == 1:
            return encode_atom(StoredAtom(atom=found, since_turn=since))
        edits = self.tx.atom_edits([row.atom_id])
        new, rebased = rebase(stored, edits, found)
        self.changes.edits += [edit for edit in rebased if edit not in edits]
        return encode_atom(new)

    def _put(
        self, row: AtomRow, data: bytes, held: list[AtomSourceRow], sources: list[AtomSourceRow]
    ) -> None:
        if data != row.data or sources != held or not row.is_live:
            self.changes.atoms.append(replace(row, version=self.version, is_live=True, data=data))
            self.changes.sources += sources


def _is_of_hands(stored: StoredAtom, *, is_said: bool) -> bool:
    """Whether hands made the atom, or changed it and nobody says it any more."""
    return stored.atom.origin == "hand" or (stored.atom.revision > 1 and not is_said)


def _place(source: AtomSourceRow) -> tuple[int, int]:
    return source.turn_no, source.start
