"""Reading finds atoms of one version of a memory and shows them as callers see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from graphmem.build.graph import Graph, TurnPlace
from graphmem.domain.atom import Atom, AtomSource
from graphmem.domain.atom_query import (
    AtomFilter,
    AtomPage,
    AtomSearch,
    AtomState,
    EditReason,
    FoundAtom,
)
from graphmem.domain.scope import Scope
from graphmem.errors import AtomNotFoundError, MemoryNotFoundError
from graphmem.index.atom_codec import decode_atom
from graphmem.index.atoms import AtomView
from graphmem.index.cache import ViewCache
from graphmem.index.view import CompiledView
from graphmem.ports.atoms import AtomRow
from graphmem.ports.stage import stage
from graphmem.ports.store import Head, ReadTransaction, Store
from graphmem.retrieval.atoms import RankedAtom, Wanted, list_atoms, rank_atoms, wanted
from graphmem.retrieval.recipe import Recipe
from graphmem.service.asking import query_vector
from graphmem.service.atomic.cache import AtomCache
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.policy import Policy
from graphmem.service.published import published
from graphmem.service.sessions import SessionBook
from graphmem.text.analyse import terms

_SHARED_TRIES: Final = 3  # with the shared views, before some are built for this call alone
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shelf:
    """One version of a memory, open for reading.

    Attributes:
        scope: the memory.
        read: the snapshot.
        head: the memory's state in it.
        turns: its turns.
        atoms: its atoms.
        sessions: finds its sessions.
    """

    scope: Scope
    read: ReadTransaction
    head: Head
    turns: CompiledView
    atoms: AtomView
    sessions: SessionBook

    def wanted(self, where: AtomFilter) -> Wanted:
        """The atoms that a filter lets through."""
        sessions = self.sessions.numbers(self.scope, self.read, self.head, where.part)
        return wanted(self.atoms, self.turns, where, sessions)

    def plain(self, atom_nos: Sequence[int]) -> list[Atom]:
        """The atoms of these numbers, in their order, without reading a turn."""
        rows = {row.atom_no: row for row in self.read.atoms_at(atom_nos)}
        return list(_with_sources(self.read, [rows[number] for number in atom_nos]))

    def graph(self, atoms: Sequence[Atom]) -> Graph:
        """What follows from some atoms; where their turns stand is known without reading them."""
        view = self.turns
        numbers = sorted({source.turn_no for atom in atoms for source in atom.sources})
        at = np.searchsorted(view.turn_no.values, np.array(numbers, dtype=np.int64)).tolist()
        places = {
            number: TurnPlace(
                scene=int(view.turn_session.values[place]),
                time_us=int(view.turn_time.values[place]),
            )
            for number, place in zip(numbers, at, strict=True)
        }
        return Graph(atoms=atoms, turns=places)

    def show(
        self,
        ranked: Sequence[RankedAtom],
        as_of_us: int | None,
        names: Mapping[int, str] | None = None,
    ) -> tuple[FoundAtom, ...]:
        """The atoms at these places of an order, as callers see them.

        Args:
            ranked: the atoms.
            as_of_us: the time at which they are looked at; None for now.
            names: the ids of the turns that they stand on, where the caller has read them.
        """
        atoms = self.plain([one.atom_no for one in ranked])
        if as_of_us is not None:
            atoms = _as_of(self.read, atoms, as_of_us)
        names = _turn_ids(self.read, atoms) if names is None else names
        return tuple(
            FoundAtom(
                atom=atom,
                turn_ids=tuple(names[number] for number in _turn_nos(atom)),
                is_superseded=one.is_superseded,
                score=one.score,
            )
            for atom, one in zip(atoms, ranked, strict=True)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomReader:
    """Reads atoms. Thread-safe."""

    store: Store
    cache: ViewCache
    atoms: AtomCache
    dense: Dense | None
    builder: Builder
    sessions: SessionBook

    def search(
        self,
        scope: Scope,
        text: str,
        where: AtomFilter,
        recipe: Recipe,
        policy: Policy,
        *,
        limit: int,
        waited_seconds: float,
    ) -> AtomSearch:
        """The atoms that answer a query, best first; none in a memory that is not there."""
        try:
            vector = query_vector(self, scope, text, waited_seconds, recipe, policy)
        except MemoryNotFoundError:
            return AtomSearch(items=(), version=0)
        counts: dict[str, float] = {}
        for term in terms(text):
            counts[term] = counts.get(term, 0.0) + 1.0

        def answer(shelf: Shelf) -> AtomSearch:
            with stage("rank"):
                among = shelf.wanted(where)
                ranked = rank_atoms(
                    shelf.atoms, shelf.turns, list(counts.items()), recipe, vector, among, limit
                )
            with stage("store"):
                items = shelf.show(ranked, where.as_of_us)
            return AtomSearch(items=items, version=shelf.head.ready_version)

        return self.look(scope, policy, answer) or AtomSearch(items=(), version=0)

    def query(
        self, scope: Scope, where: AtomFilter, policy: Policy, *, offset: int, limit: int
    ) -> AtomPage:
        """Some of a memory's atoms, the last changed first; none in a memory that is not there."""

        def answer(shelf: Shelf) -> AtomPage:
            with stage("rank"):
                among = shelf.wanted(where)
                ranked = list_atoms(shelf.atoms, among, offset=offset, limit=limit)
            with stage("store"):
                items = shelf.show(ranked, where.as_of_us)
            return AtomPage(items=items, total=int(among.places.sum()))

        return self.look(scope, policy, answer) or AtomPage(items=(), total=0)

    def get(self, scope: Scope, atom_id: str, policy: Policy) -> FoundAtom:
        """One atom.

        Raises:
            AtomNotFoundError: the memory has none with this id.
        """

        def answer(shelf: Shelf) -> FoundAtom | None:
            found = self.show(shelf, [atom_id])
            return found[0] if found else None

        found = self.look(scope, policy, answer)
        if found is None:
            raise AtomNotFoundError
        return found

    def find(self, scope: Scope, atom_ids: Sequence[str], policy: Policy) -> tuple[FoundAtom, ...]:
        """Those of some atoms that the memory holds, in the order asked."""
        return self.look(scope, policy, lambda shelf: self.show(shelf, atom_ids)) or ()

    def show(self, shelf: Shelf, atom_ids: Sequence[str]) -> tuple[FoundAtom, ...]:
        """Those of some atoms that a version holds, in the order asked."""
        rows = {row.atom_id: row for row in shelf.read.find_atoms(atom_ids) if row.is_live}
        places = shelf.atoms.place
        ranked = [
            RankedAtom(
                atom_no=row.atom_no,
                is_superseded=bool(shelf.atoms.is_superseded[places[row.atom_no]]),
            )
            for atom_id in atom_ids
            if (row := rows.get(atom_id)) is not None
        ]
        return shelf.show(ranked, None)

    def history(self, scope: Scope, atom_id: str) -> tuple[AtomState, ...]:
        """All states of an atom, oldest first.

        Raises:
            AtomNotFoundError: the memory has none with this id.
        """
        with self.store.read(scope) as snapshot:
            rows = [row for row in snapshot.find_atoms([atom_id]) if row.is_live]
            if not rows:
                raise AtomNotFoundError
            edits = snapshot.atom_edits([atom_id])
        if not edits:
            atom = decode_atom(atom_id, rows[0].data).atom
            return (_state(atom, atom.updated_us, "found"),)
        return tuple(
            _state(decode_atom(atom_id, edit.data).atom, edit.changed_us, edit.reason)
            for edit in edits
        )

    @contextmanager
    def open(self, scope: Scope, policy: Policy) -> Iterator[Shelf]:
        """One version of a memory, for as long as the block lasts.

        Raises:
            MemoryNotFoundError: there is no such memory.
            MemoryPendingError: it is not built whole, and the policy does not go on without.
        """
        with published(self.store, self.builder, scope, policy) as (snapshot, head):
            with stage("store"):
                turns = self.cache.view(scope, snapshot, head)
                if turns.version != head.ready_version:
                    turns = self.cache.private_view(snapshot, head)
                atoms = self.atoms.view(scope, snapshot, head, turns)
                if atoms.version != head.version:
                    atoms = self.atoms.private_view(snapshot, head, turns)
            yield self._shelf(scope, snapshot, head, turns, atoms)

    def look(self, scope: Scope, policy: Policy, answer: Callable[[Shelf], T]) -> T | None:
        """What a version of the memory answers; None if there is no memory.

        As with turns, a snapshot whose shared views are ahead of it is given up for a newer one.
        """
        try:
            for _ in range(_SHARED_TRIES):
                with published(self.store, self.builder, scope, policy) as (snapshot, head):
                    with stage("store"):
                        shelf = self._shared(scope, snapshot, head)
                    if shelf is not None:
                        return answer(shelf)
            with self.open(scope, policy) as shelf:
                return answer(shelf)
        except MemoryNotFoundError:
            return None

    def _shared(self, scope: Scope, snapshot: ReadTransaction, head: Head) -> Shelf | None:
        """The shared views; None if they are ahead of the snapshot."""
        turns = self.cache.view(scope, snapshot, head)
        if turns.version != head.ready_version:
            return None
        atoms = self.atoms.view(scope, snapshot, head, turns)
        if atoms.version != head.version:
            return None
        return self._shelf(scope, snapshot, head, turns, atoms)

    def _shelf(
        self,
        scope: Scope,
        snapshot: ReadTransaction,
        head: Head,
        turns: CompiledView,
        atoms: AtomView,
    ) -> Shelf:
        return Shelf(
            scope=scope,
            read=snapshot,
            head=head,
            turns=turns,
            atoms=atoms,
            sessions=self.sessions,
        )


def _with_sources(read: ReadTransaction, rows: Sequence[AtomRow]) -> Iterator[Atom]:
    held: dict[int, list[AtomSource]] = {row.atom_no: [] for row in rows}
    for source in read.atom_sources(list(held)):
        held[source.atom_no].append(
            AtomSource(turn_no=source.turn_no, start=source.start, end=source.end)
        )
    for row in rows:
        yield decode_atom(row.atom_id, row.data).atom.with_sources(tuple(held[row.atom_no]))


def _as_of(read: ReadTransaction, atoms: Sequence[Atom], us: int) -> list[Atom]:
    """The atoms as they said at that time, where a hand has changed them since."""
    edits = read.atom_edits([atom.atom_id for atom in atoms if atom.updated_us > us])
    then = {
        edit.atom_id: decode_atom(edit.atom_id, edit.data).atom
        for edit in edits
        if edit.changed_us <= us
    }
    return [
        replace(then.get(atom.atom_id, atom), sources=_until(read, atom.sources, us))
        for atom in atoms
    ]


def _until(
    read: ReadTransaction, sources: tuple[AtomSource, ...], us: int
) -> tuple[AtomSource, ...]:
    turns = read.turns([source.turn_no for source in sources])
    late = {t.turn_no for t in turns if (t.occurred.us if t.occurred else t.recorded_us) > us}
    return tuple(source for source in sources if source.turn_no not in late)


def _turn_nos(atom: Atom) -> list[int]:
    return list(dict.fromkeys(source.turn_no for source in atom.sources))


def _turn_ids(read: ReadTransaction, atoms: Iterable[Atom]) -> dict[int, str]:
    numbers = dict.fromkeys(source.turn_no for atom in atoms for source in atom.sources)
    return {turn.turn_no: turn.turn_id for turn in read.turns(list(numbers))}


def _state(atom: Atom, changed_us: int, reason: EditReason) -> AtomState:
    return AtomState(
        revision=atom.revision,
        content=atom.content,
        background=atom.background,
        changed_us=changed_us,
        reason=reason,
    )
