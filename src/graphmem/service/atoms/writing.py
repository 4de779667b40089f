"""Writing brings what a batch says into the memory: new atoms, and new sources of known ones.

It costs what the batch does: known atoms are looked up by id, nothing else of the memory is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphmem.build.extract import Extraction, extract
from graphmem.domain.scope import Scope
from graphmem.index.atom_codec import StoredAtom, decode_removed, encode_atom
from graphmem.ports.atoms import AtomRow
from graphmem.ports.store import WriteTransaction
from graphmem.service.atoms.sayings import Saying, sayings


def write_atoms(
    tx: WriteTransaction, said: Sequence[Saying], version: int, *, shift: int = 0
) -> None:
    """Write what turns say that come behind all others.

    Args:
        tx: a write transaction of the memory.
        said: what they say, in order.
        version: the version that publishes them.
        shift: the number of the batch's first turn, if they were made before it had numbers.
    """
    known = {row.atom_id: row for row in tx.find_atoms([one.atom_id for one in said])}
    written: dict[str, AtomRow] = {}
    next_atom = tx.next_atom()
    sources = []
    for one in said:
        row = written.get(one.atom_id)
        if row is None:
            old = known.get(one.atom_id)
            if old and not old.is_live and one.turn_no + shift < decode_removed(old.data):
                continue  # deleted by hand while this turn was there, but not published
            row = _row(one, old, next_atom, version)
            next_atom += old is None
            written[one.atom_id] = row
        sources.append(one.source(row.atom_no, shift))
    tx.put_atoms(list(written.values()))
    tx.put_atom_sources(sources)


def _row(saying: Saying, old: AtomRow | None, atom_no: int, version: int) -> AtomRow:
    """The row of an atom that is said for the first time, again, or again after its deletion."""
    if old is None:
        return AtomRow(
            atom_no=atom_no,
            atom_id=saying.atom_id,
            version=version,
            is_live=True,
            data=saying.data,
        )
    if old.is_live:
        return replace(old, version=version)
    again = StoredAtom(atom=saying.atom(), since_turn=decode_removed(old.data))
    return replace(old, version=version, is_live=True, data=encode_atom(again))


def write_raw_atoms(
    tx: WriteTransaction,
    scope: Scope,
    turn_nos: Sequence[int],
    version: int,
    prepared: Mapping[int, Extraction],
) -> None:
    """Write what turns say that were stored before, and are published now.

    Args:
        tx: a write transaction of the memory.
        scope: the memory.
        turn_nos: the numbers of the turns; those that are gone are left out.
        version: the version that publishes them.
        prepared: what was extracted from turns before; the others' is extracted now.
    """
    turns = tx.turns(turn_nos)
    if turns:
        found = [prepared.get(turn.turn_no) or extract(turn) for turn in turns]
        write_atoms(tx, sayings(scope, turns, found), version)
