"""Remaking makes a memory's atoms anew from its turns, and writes only what has changed.

What was made, changed or deleted by hand stays: the remade atoms are those that writing batch by
batch would have given, with the changes by hand applied to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from graphmem.domain.atom import Atom
from graphmem.index.atom_codec import (
    StoredAtom,
    changed,
    decode_atom,
    decode_removed,
    encode_atom,
    encode_removed,
)
from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.store import WriteTransaction
from graphmem.service.atoms.sayings import Saying

SayingsById = Mapping[str, list[Saying]]


def gather(said: Iterable[Saying]) -> dict[str, list[Saying]]:
    """Sayings by the atom that they name, in order of its first one."""
    found: dict[str, list[Saying]] = {}
    for one in said:
        found.setdefault(one.atom_id, []).append(one)
    return found


@dataclass(slots=True, kw_only=True)
class Changes:
    """What is to be written."""

    atoms: list[AtomRow] = field(default_factory=list)
    edits: list[AtomEditRow] = field(default_factory=list)
    sources: list[AtomSourceRow] = field(default_factory=list)
    vanished: list[AtomRow] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remade:
    """What remaking led to.

    Attributes:
        is_changed: some row is not as it was.
        has_vanished: some row is gone, so that what readers compiled can't be extended.
    """

    is_changed: bool
    has_vanished: bool


def remake_atoms(tx: WriteTransaction, said: SayingsById, version: int) -> Remade:
    """Bring a memory's atoms to what its turns say.

    Args:
        tx: a write transaction of the memory.
        said: all that its published turns say.
        version: the version to which the changes belong.
    """
    rows = tx.atoms(since=-1)
    held: dict[int, list[AtomSourceRow]] = {row.atom_no: [] for row in rows}
    for source in tx.atom_sources(list(held)):
        held[source.atom_no].append(source)
    changes = Changes()
    for row in rows:
        _remake(tx, row, held[row.atom_no], said.get(row.atom_id, []), version, changes)
    add_new(tx, said, {row.atom_id for row in rows}, version, changes)
    write_changes(tx, changes, held)
    return Remade(
        is_changed=bool(changes.atoms or changes.vanished or changes.edits),
        has_vanished=bool(changes.vanished),
    )


def write_changes(
    tx: WriteTransaction, changes: Changes, held: Mapping[int, list[AtomSourceRow]]
) -> None:
    """Write what changed of atoms that had these sources."""
    stale = [source for row in changes.atoms for source in held.get(row.atom_no, [])]
    tx.delete_atoms([row.atom_no for row in changes.vanished])
    tx.delete_atom_edits([row.atom_id for row in changes.vanished])
    tx.delete_atom_sources(stale)
    tx.put_atoms(changes.atoms)
    tx.put_atom_sources(changes.sources)
    tx.put_atom_edits(changes.edits)


def _remake(
    tx: WriteTransaction,
    row: AtomRow,
    held: list[AtomSourceRow],
    said: list[Saying],
    version: int,
    changes: Changes,
) -> None:
    if row.is_live:
        stored = decode_atom(row.atom_id, row.data)
        since = stored.since_turn
        is_kept = stored.atom.origin == "hand" or (stored.atom.revision > 1 and not said)
        if is_kept:
            return
    else:
        stored, since = None, decode_removed(row.data)
    said = [one for one in said if one.turn_no >= since]
    if not said:
        if row.is_live or not since:  # what restating left goes, too
            _remove(row, since, version, changes)
        return
    new = StoredAtom(atom=said[0].atom(), since_turn=since)
    if stored is not None and stored.atom.revision > 1:
        edits = tx.atom_edits([row.atom_id])
        new, rebased = rebase(stored, edits, said[0].atom())
        changes.edits += [edit for edit in rebased if edit not in edits]
    sources = [one.source(row.atom_no) for one in said]
    data = encode_atom(new)
    if data != row.data or sources != held or not row.is_live:
        changes.atoms.append(replace(row, version=version, is_live=True, data=data))
        changes.sources += sources


def _remove(row: AtomRow, since: int, version: int, changes: Changes) -> None:
    if since:
        changes.atoms.append(removed(row, since, version))
    else:
        changes.vanished.append(row)


def removed(row: AtomRow, since_turn: int, version: int) -> AtomRow:
    """The row of an atom of which only number and id are left."""
    return replace(row, version=version, is_live=False, data=encode_removed(since_turn))


def add_new(
    tx: WriteTransaction, said: SayingsById, known: set[str], version: int, changes: Changes
) -> None:
    """Number the atoms that the memory does not know yet."""
    number = tx.next_atom()
    for atom_id, ones in said.items():
        if atom_id in known:
            continue
        changes.atoms.append(
            AtomRow(
                atom_no=number,
                atom_id=atom_id,
                version=version,
                is_live=True,
                data=ones[0].data,
            )
        )
        changes.sources += [one.source(number) for one in ones]
        number += 1


def rebase(
    stored: StoredAtom, edits: Iterable[AtomEditRow], found: Atom
) -> tuple[StoredAtom, list[AtomEditRow]]:
    """An atom that was changed by hand, as if it had first been found as `found`.

    What the hand wrote stays; the background stays with it only if the hand wrote that, too.
    """
    states = [(edit, decode_atom(edit.atom_id, edit.data)) for edit in edits]
    first = next(state.atom for edit, state in states if edit.reason == "found")

    def moved(state: StoredAtom) -> StoredAtom:
        is_own = state.atom.background != first.background
        background = state.atom.background if is_own else found.background
        return changed(
            state, replace(state.atom, background=background, created_us=found.created_us)
        )

    rebased = [
        replace(edit, data=encode_atom(changed(state, found)), changed_us=found.updated_us)
        if edit.reason == "found"
        else replace(edit, data=encode_atom(moved(state)))
        for edit, state in states
    ]
    return moved(stored), rebased
