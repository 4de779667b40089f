"""From a query and a view of atoms to atoms in final order.

Which atoms are wanted is decided before they are ranked, by whole columns: it costs the same
however many of them there are. Scores don't depend on it: a filtered search answers what is left of
the whole one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphmem.domain.atom import fold_claim
from graphmem.domain.atom_query import AtomFilter
from graphmem.domain.claim import ATOM_TYPES
from graphmem.index.atoms import AtomView, Flags
from graphmem.index.segment import Ints
from graphmem.index.vectors import QueryVector
from graphmem.index.view import NO_TURN, CompiledView
from graphmem.retrieval.channels.dense import dense
from graphmem.retrieval.channels.lexical import Scores, shares
from graphmem.retrieval.lanes import best
from graphmem.retrieval.recipe import Recipe


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedAtom:
    """One atom's place in an order.

    Attributes:
        atom_no: the atom.
        is_superseded: whether a newer value took its place.
        score: above 0, at most 1, rounded to 6 decimals; None where nothing was asked.
    """

    atom_no: int
    is_superseded: bool
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Wanted:
    """The atoms that a filter lets through.

    Attributes:
        places: bool [places].
        is_superseded: bool [places], at the time that the filter names.
    """

    places: Flags
    is_superseded: Flags


def wanted(
    view: AtomView, turns: CompiledView, where: AtomFilter, sessions: Sequence[int] | None
) -> Wanted:
    """Apply a filter to whole columns.

    Args:
        view: the atoms.
        turns: the memory's turns.
        where: the filter.
        sessions: the numbers of the sessions that it names, None for all.
    """
    kept = view.is_live.copy()
    if where.type is not None:
        kept &= view.type.values == ATOM_TYPES.index(where.type)
    if where.start_us is not None:
        kept &= view.updated.values >= where.start_us
    if where.end_us is not None:
        kept &= view.updated.values <= where.end_us
    if where.subject is not None:
        kept &= view.subject.values == view.subjects.get(fold_claim(where.subject), NO_TURN)
    if sessions is not None:
        kept &= view.in_part(turns, sessions, where.part)
    is_superseded = view.is_superseded
    if where.as_of_us is not None:
        kept &= view.created.values <= where.as_of_us
        is_superseded = view.superseded_as_of(where.as_of_us)
    if not where.superseded:
        kept &= ~is_superseded | view.says_more
    return Wanted(places=kept, is_superseded=is_superseded)


def rank_atoms(
    view: AtomView,
    turns: CompiledView,
    weights: Sequence[tuple[str, float]],
    recipe: Recipe,
    vector: QueryVector | None,
    among: Wanted,
    limit: int,
) -> list[RankedAtom]:
    """The best of the wanted atoms: same rows, same query, same result.

    An atom's score is its share of what words can earn (see `shares`), and how much
    nearer its first source is to the query by meaning than other turns are, weighed as in the
    ranking of turns and brought to 0..1. Without a model the words count alone.
    """
    words = recipe.lexical * _lexical(view, weights, recipe)
    total, weight = words, recipe.lexical
    if vector is not None and recipe.dense:
        total, weight = words + recipe.dense * _meaning(view, turns, vector), weight + recipe.dense
    scores = np.round(total / weight, 6) if weight else np.zeros(view.places)
    scores = np.where(among.places, scores, 0.0)
    order = best(scores, view.atom_key.values, limit)
    return [
        RankedAtom(atom_no=number, is_superseded=superseded, score=score)
        for number, superseded, score in zip(
            view.atom_no.values[order].tolist(),
            among.is_superseded[order].tolist(),
            scores[order].tolist(),
            strict=True,
        )
    ]


def list_atoms(view: AtomView, among: Wanted, *, offset: int, limit: int) -> list[RankedAtom]:
    """Some of the wanted atoms, the last changed first; ties by id."""
    alive = np.flatnonzero(among.places)
    order = np.lexsort((view.atom_key.values[alive], -view.updated.values[alive]))
    page: Ints = alive[order][offset : offset + limit].astype(np.int32)
    return [
        RankedAtom(atom_no=number, is_superseded=superseded)
        for number, superseded in zip(
            view.atom_no.values[page].tolist(), among.is_superseded[page].tolist(), strict=True
        )
    ]


def _lexical(view: AtomView, weights: Sequence[tuple[str, float]], recipe: Recipe) -> Scores:
    """What words earn each of the living atoms: float64 [places], 0 to 1."""
    total = int(view.length.values[view.is_live].sum())
    if not total:
        return np.zeros(view.places)
    return shares(
        weights,
        lambda term: _find(view, term),
        lengths=view.length.values,
        documents=int(np.count_nonzero(view.is_live)),
        total_length=total,
        recipe=recipe,
    )


def _find(view: AtomView, term: str) -> list[tuple[Ints, Scores]]:
    """The living places that hold a term, with how often."""
    found = []
    for block, start in view.block_starts():
        row = block.postings.find(term)
        if row is not None:
            places, counts = row[0] + np.int32(start), row[1]
            lives = view.is_live[places]
            found.append((places[lives], counts[lives].astype(np.float64)))
    return found


def _meaning(view: AtomView, turns: CompiledView, vector: QueryVector) -> Scores:
    """What the first source of each atom earns by meaning: float64 [places], 0 to 1."""
    near = np.append(dense(turns, vector), 0.0)
    return near[view.first_turn.values]
