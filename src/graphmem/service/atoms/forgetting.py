"""Forgetting turns takes their words out of atoms: what stood on them alone goes with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.domain.scope import Scope
from graphmem.index.atom_codec import StoredAtom, decode_atom, encode_atom
from graphmem.ports.atoms import AtomRow, AtomSourceRow
from graphmem.ports.store import WriteTransaction
from graphmem.service.atoms.recorded import first_said
from graphmem.service.atoms.remaking import rebase, removed


def forget_sources(
    tx: WriteTransaction, scope: Scope, turn_nos: Sequence[int], version: int
) -> None:
    """Take turns out of all atoms, while the memory still holds the turns that stay.

    An atom whose first source goes is what its next one says, to the letter: the words of what is
    deleted may differ in what does not change the claim. One that was made or changed by hand
    goes, too, when the last turn goes that it stands on.

    Args:
        tx: a write transaction of the memory, whose generation it raises.
        scope: the memory.
        turn_nos: the turns.
        version: the version of the deletion.
    """
    gone = tx.sources_in(turn_nos)
    numbers = list(dict.fromkeys(source.atom_no for source in gone))
    held: dict[int, list[AtomSourceRow]] = {number: [] for number in numbers}
    for source in tx.atom_sources(numbers):
        held[source.atom_no].append(source)
    out = frozenset(turn_nos)
    tx.delete_atom_sources(gone)
    for row in tx.atoms_at(numbers):
        left = [source for source in held[row.atom_no] if source.turn_no not in out]
        is_first_gone = held[row.atom_no][0].turn_no in out
        if not left:
            _remove(tx, row, version)
        elif is_first_gone:
            _found_anew(tx, scope, row, left, version)


def _remove(tx: WriteTransaction, row: AtomRow, version: int) -> None:
    since = decode_atom(row.atom_id, row.data).since_turn
    tx.delete_atoms([row.atom_no])
    tx.delete_atom_edits([row.atom_id])
    if since:  # what was deleted by hand before stays deleted
        tx.put_atoms([removed(row, since, version)])


def _found_anew(
    tx: WriteTransaction, scope: Scope, row: AtomRow, left: list[AtomSourceRow], version: int
) -> None:
    stored = decode_atom(row.atom_id, row.data)
    if stored.atom.origin == "hand":
        return
    found, rest = first_said(tx, scope, row.atom_id, left)
    tx.delete_atom_sources(left[: len(left) - len(rest)])
    if found is None:
        _remove(tx, row, version)
        return
    new = StoredAtom(atom=found, since_turn=stored.since_turn)
    if stored.atom.revision > 1:
        new, edits = rebase(stored, tx.atom_edits([row.atom_id]), found)
        tx.put_atom_edits(edits)
    tx.put_atoms([replace(row, version=version, data=encode_atom(new))])
