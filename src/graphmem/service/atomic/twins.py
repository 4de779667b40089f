"""A twin is a found atom that says to the letter what a hand makes of the same turns: both are one atom.

It keeps its id, and from then on a rebuild keeps it as a hand left it, as it keeps what hands made.
"""

from __future__ import annotations

from collections.abc import Set

from graphmem.domain.atom import Atom, fold_claim
from graphmem.index.atom_codec import StoredAtom, decode_atom
from graphmem.ports.atoms import AtomRow
from graphmem.ports.store import ReadTransaction
from graphmem.service.atomic.intake import MadeAtom


def find_twin(
    read: ReadTransaction, item: MadeAtom, turn_nos: Set[int]
) -> tuple[AtomRow, StoredAtom] | None:
    """The found atom that says what an item does and stands on its turns; None where there is none."""
    for row in _standing_on(read, turn_nos):
        stored = decode_atom(row.atom_id, row.data)
        if _says(stored.atom, item):
            return row, stored
    return None


def made_id(read: ReadTransaction, hand_id: str, item: MadeAtom) -> str:
    """The id that a request gave to an item when it was applied: that of its twin, if it had one."""
    if not item.source_turn_ids or read.find_atoms([hand_id]):
        return hand_id
    rows = _standing_on(read, set(read.find_turns(item.source_turn_ids)))
    ids = [row.atom_id for row in rows]
    states = (
        (edit.atom_id, decode_atom(edit.atom_id, edit.data).atom)
        for edit in read.atom_edits(ids)
        if edit.reason == "created"
    )
    return next((atom_id for atom_id, atom in states if _says(atom, item)), hand_id)


def _standing_on(read: ReadTransaction, turn_nos: Set[int]) -> list[AtomRow]:
    """The atoms that stand on just these turns, in their order; none stands on no turn."""
    held: dict[int, set[int]] = {}
    for source in read.sources_in(sorted(turn_nos)):
        held.setdefault(source.atom_no, set()).add(source.turn_no)
    return read.atoms_at([number for number, turns in held.items() if turns == turn_nos])


def _says(atom: Atom, item: MadeAtom) -> bool:
    return (
        atom.origin != "hand"
        and atom.type == item.type
        and item.event in {None, atom.event}
        and fold_claim(atom.content) == fold_claim(item.content)
    )
