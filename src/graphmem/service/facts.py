"""Facts are read beside a search: the atoms of the turns that it found, and all that follows from these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from graphmem.build.graph import Chain, Collection
from graphmem.domain.atom import Atom, fold_claim
from graphmem.domain.question import Question
from graphmem.domain.scope import Scope
from graphmem.readout.aids import takes_atoms
from graphmem.readout.facts import NO_FACTS, Facts
from graphmem.service.atomic.reading import AtomReader, Shelf
from graphmem.service.policy import Policy
from graphmem.service.search import Found

MOST_ATOMS: Final = 2000  # of one person; who has more is not counted
MOST_TURNS: Final = 4000  # of the sessions in which they are told


def read_facts(
    reader: AtomReader,
    scope: Scope,
    policy: Policy,
    found: Found,
    text: str,
    question: Question,
) -> Facts:
    """What the graph knows of some turns, as far as the question can make use of it.

    Args:
        reader: reads atoms.
        scope: the memory.
        policy: the contract under which is read.
        found: the turns; nothing is known of them if the memory has another version by now.
        text: the question as it was asked.
        question: what it was read as.

    Raises:
        MemoryPendingError: it is not built whole, and the policy does not go on without.
        StoreError: the store failed.
    """
    turn_nos = sorted(turn.turn_no for turn in found.turns)

    def answer(shelf: Shelf) -> Facts:
        if shelf.head.ready_version != found.retrieval.trace.version or not shelf.atoms.places:
            return NO_FACTS
        numbers = _standing_on(shelf, turn_nos)
        return Facts(
            atoms=_by_turn(_atoms(shelf, numbers)) if takes_atoms(question, text) else {},
            chains=_chains(shelf, numbers),
            collections=_collections(shelf, question) if question.kind == "count" else (),
        )

    return (reader.look(scope, policy, answer) if turn_nos else None) or NO_FACTS


def _standing_on(shelf: Shelf, turn_nos: Sequence[int]) -> list[int]:
    """The numbers of the atoms that stand on some turns."""
    view = shelf.atoms
    turns = np.searchsorted(shelf.turns.turn_no.values, np.array(turn_nos, dtype=np.int64))
    places = np.unique(view.source_atom.values[np.isin(view.source_turn.values, turns)])
    numbers: list[int] = np.unique(view.atom_no.values[places[view.is_live[places]]]).tolist()
    return numbers


def _by_turn(atoms: Iterable[Atom]) -> dict[int, list[Atom]]:
    found: dict[int, list[Atom]] = {}
    for atom in atoms:
        for turn_no in dict.fromkeys(source.turn_no for source in atom.sources):
            found.setdefault(turn_no, []).append(atom)
    return found


def _atoms(shelf: Shelf, numbers: Iterable[int]) -> list[Atom]:
    place = shelf.atoms.place
    return shelf.plain([number for number in numbers if number < len(place) and place[number] >= 0])


def _chains(shelf: Shelf, numbers: Iterable[int]) -> tuple[Chain, ...]:
    """The chains of some atoms, whole."""
    chains = shelf.atoms.chains
    keys = {chains.chain_of[number] for number in numbers if number in chains.chain_of}
    members = sorted({number for key in keys for number in chains.members[key]})
    return shelf.graph(_atoms(shelf, members)).chains


def _collections(shelf: Shelf, question: Question) -> tuple[Collection, ...]:
    """The collections of whom a question names; those of whom too much is told are left out."""
    return tuple(
        collection
        for name in question.people
        for collection in _collections_of(shelf, fold_claim(name))
        if collection.closed
    )


def _collections_of(shelf: Shelf, subject: str) -> Iterator[Collection]:
    view = shelf.atoms
    number = view.subjects.get(subject)
    if number is None:
        return
    theirs = view.atom_no.values[view.is_live & (view.subject.values == number)]
    if len(theirs) > MOST_ATOMS:
        return
    atoms = _atoms(shelf, theirs.tolist())
    turns = _turns_around(shelf, atoms)
    if len(turns) > MOST_TURNS:
        return
    # What is only kept verbatim leaves its scene open, whomever it speaks of.
    rows = shelf.read.sources_in(turns)
    known = {atom.atom_id for atom in atoms}
    verbatim = sorted({row.atom_no for row in rows if row.origin == "verbatim"})
    others = [atom for atom in _atoms(shelf, verbatim) if atom.atom_id not in known]
    yield from (
        collection
        for collection in shelf.graph([*atoms, *others]).collections
        if collection.subject == subject
    )


def _turns_around(shelf: Shelf, atoms: Sequence[Atom]) -> list[int]:
    """All turns of the sessions in which some atoms were told."""
    places = shelf.graph(atoms).turns.values()
    scenes = sorted({place.scene for place in places})
    view = shelf.turns
    return [int(n) for n in view.turn_no.values[np.isin(view.turn_session.values, scenes)]]
