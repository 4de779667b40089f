"""Inspecting shows a memory's atoms, what follows from them, and what they stand on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.build.coverage import Words, coverage_of, joined
from graphmem.build.graph import Chain, Graph
from graphmem.domain.atom import Atom
from graphmem.domain.atom_query import FoundAtom
from graphmem.domain.inspection import (
    ChainShown,
    ChainState,
    CollectionShown,
    CoverageShown,
    Entity,
    Explanation,
    Inspection,
    SourceShown,
)
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import AtomNotFoundError
from graphmem.ports.atoms import AtomSourceRow
from graphmem.ports.store import ReadTransaction
from graphmem.retrieval.atoms import RankedAtom
from graphmem.service.atomic.reading import AtomReader, Shelf
from graphmem.service.policy import ATOMIC

_CHUNK: Final = 1000  # turns whose texts are held at once


def inspect(reader: AtomReader, scope: Scope) -> Inspection:
    """Everything that there is of a memory's atoms, with a scan of all its turns.

    Raises:
        MemoryNotFoundError: there is no such memory.
    """
    with reader.open(scope, ATOMIC) as shelf:
        scan = _scan(shelf.read)
        found = _all(shelf, scan.names)
        graph = shelf.graph([one.atom for one in found])
        by_id = {one.atom.atom_id: one for one in found}
        return Inspection(
            atoms=tuple(by_id[atom.atom_id] for atom in graph.ordered),
            entities=_entities(graph),
            chains=tuple(map(_chain, graph.chains)),
            collections=tuple(
                CollectionShown(
                    subject=collection.subject,
                    predicate=collection.predicate,
                    values=tuple(atom.value for atom in collection.members),
                    atom_ids=tuple(atom.atom_id for atom in collection.members),
                    is_closed=collection.closed,
                )
                for collection in graph.collections
            ),
            coverage=scan.coverage,
        )


def explain(reader: AtomReader, scope: Scope, atom_id: str) -> Explanation:
    """What an atom stands on, and what it replaced or was replaced by.

    Raises:
        MemoryNotFoundError: there is no such memory.
        AtomNotFoundError: it has no such atom.
    """
    history = reader.history(scope, atom_id)
    with reader.open(scope, ATOMIC) as shelf:
        found = reader.show(shelf, [atom_id])
        if not found:
            raise AtomNotFoundError
        turns = {turn.turn_no: turn for turn in shelf.read.turns(_turn_nos([found[0].atom]))}
        return Explanation(
            memory_id=scope.memory_id,
            found=found[0],
            sources=tuple(
                _source(turns[source.turn_no], source.start, source.end)
                for source in found[0].atom.sources
            ),
            history=history,
            chain=_chain_of(shelf, found[0].atom),
        )


def _all(shelf: Shelf, names: Mapping[int, str]) -> tuple[FoundAtom, ...]:
    view = shelf.atoms
    numbers = view.atom_no.values[view.is_live].tolist()
    flags = view.is_superseded[view.is_live].tolist()
    pairs = zip(numbers, flags, strict=True)
    ranked = [RankedAtom(atom_no=n, is_superseded=s) for n, s in pairs]
    return shelf.show(ranked, None, names)


def _turn_nos(atoms: Iterable[Atom]) -> list[int]:
    return list(dict.fromkeys(source.turn_no for atom in atoms for source in atom.sources))


def _entities(graph: Graph) -> tuple[Entity, ...]:
    found = [Entity(name=atoms[0].subject, atoms=len(atoms)) for atoms in graph.owners.values()]
    return tuple(sorted(found, key=lambda entity: (-entity.atoms, entity.name)))


def _chain(chain: Chain) -> ChainShown:
    return ChainShown(
        subject=chain.subject,
        attribute=chain.attribute,
        states=tuple(
            ChainState(
                atom_id=state.atom.atom_id, content=state.atom.content, valid_us=state.valid_us
            )
            for state in chain.states
        ),
    )


def _chain_of(shelf: Shelf, atom: Atom) -> ChainShown | None:
    if atom.chain is None:
        return None
    atoms = shelf.plain(list(shelf.atoms.chains.members[atom.chain]))
    chain = next(iter(shelf.graph(atoms).chains), None)
    return None if chain is None else _chain(chain)


def _source(turn: Turn, start: int, end: int) -> SourceShown:
    return SourceShown(
        turn_id=turn.turn_id,
        session_id=turn.session_id,
        role=turn.role,
        speaker=turn.speaker,
        content=turn.content,
        start=start,
        end=end,
        said_at=turn.occurred.iso() if turn.occurred else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scan:
    """What one reading of all turns gives.

    Attributes:
        names: the turns' ids by their numbers.
        coverage: how their fragile facts are kept.
    """

    names: Mapping[int, str]
    coverage: CoverageShown


def _scan(read: ReadTransaction) -> _Scan:
    parts = []
    names: dict[int, str] = {}
    verbatim_turns = 0
    for turns in _chunks(read, read.turn_nos()):
        words = _words(read.sources_in([turn.turn_no for turn in turns]))
        for turn in turns:
            names[turn.turn_no] = turn.turn_id
            claims, verbatim = words[turn.turn_no]
            parts.append(coverage_of(turn, claims, verbatim))
            verbatim_turns += bool(verbatim)
    whole = joined(parts)
    coverage = CoverageShown(
        facts=whole.facts,
        in_claims=whole.in_claims,
        verbatim=whole.verbatim,
        turns=len(names),
        verbatim_turns=verbatim_turns,
    )
    return _Scan(names=names, coverage=coverage)


def _words(
    sources: Sequence[AtomSourceRow],
) -> defaultdict[int, tuple[list[Words], list[Words]]]:
    """By turn: the words of typed atoms, and those that are kept as they are."""
    words: defaultdict[int, tuple[list[Words], list[Words]]] = defaultdict(lambda: ([], []))
    for source in sources:
        words[source.turn_no][source.origin == "verbatim"].append((source.start, source.end))
    return words


def _chunks(read: ReadTransaction, turn_nos: Sequence[int]) -> Iterator[list[Turn]]:
    for start in range(0, len(turn_nos), _CHUNK):
        yield read.turns(turn_nos[start : start + _CHUNK])
