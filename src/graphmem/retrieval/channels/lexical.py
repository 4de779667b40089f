"""The lexical channel: BM25 over passages (Robertson and Zaragoza, 2009), the best for each turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.index.segment import Counts, Ints
from graphmem.index.view import CompiledView
from graphmem.retrieval.plan import Plan
from graphmem.retrieval.recipe import Recipe

Scores: TypeAlias = NDArray[np.float64]


def lexical(view: CompiledView, plan: Plan, recipe: Recipe) -> Scores:
    """Score every turn by its best passage, as a share of what can be had (see `shares`).

    Returns:
        float64 [turns], 0 to 1, 0 where no term matches.
    """
    if not view.total_length:
        return np.zeros(view.turns)
    passages = shares(
        plan.weights,
        lambda term: _find(view, term),
        lengths=view.passage_length.values,
        documents=view.passages,
        total_length=view.total_length,
        recipe=recipe,
    )
    if view.passages == view.turns:
        return passages
    return np.maximum.reduceat(passages, view.turn_passage.values)


def shares(
    weights: Sequence[tuple[str, float]],
    find: Callable[[str], Sequence[tuple[Ints, NDArray[np.integer] | Scores]]],
    *,
    lengths: NDArray[np.integer],
    documents: int,
    total_length: int,
    recipe: Recipe,
) -> Scores:
    """BM25 of documents, as a share of what can be had.

    The best has 1 if it holds `recipe.asked` of what the query asks: as much as a document of mean
    length with that share of its terms, each once. Else it has less, in proportion, so that a
    frequent word by itself does not outweigh what is meant.

    Args:
        weights: the query's terms.
        find: gives for a term the places that hold it, with how often, in pieces.
        lengths: of the document at each place, in terms.
        documents: how many there are; places may be empty.
        total_length: of all of them, above 0.
        recipe: how repetitions and lengths count.

    Returns:
        float64 [places], 0 to 1. Each sum runs in the order of the terms, so its bits do not depend
        on how the documents are cut into pieces.
    """
    scores = np.zeros(len(lengths))
    slope = recipe.k1 * recipe.b * documents / total_length
    norm = lengths.astype(np.float64) * slope + recipe.k1 * (1.0 - recipe.b)
    asked = 0.0
    for term, weight in weights:
        found = find(term)
        holders = sum(len(places) for places, _ in found)
        gain = weight * math.log1p((documents - holders + 0.5) / (holders + 0.5))
        asked += gain
        for places, counts in found:
            scores[places] += gain * (recipe.k1 + 1.0) * counts / (counts + norm[places])
    whole = max(scores.max(initial=0.0), recipe.asked * asked)
    return scores / whole if whole > 0.0 else scores


def _find(view: CompiledView, term: str) -> Sequence[tuple[Ints, Counts]]:
    """The term's passages in each segment that has it, numbered through the view."""
    found = []
    for segment, start in zip(view.segments, view.passage_starts(), strict=True):
        row = segment.postings.find(term)
        if row is not None:
            passages, counts = row
            found.append((passages + np.int32(start), counts))
    return found
