"""The lexical channel: BM25 over passages (Robertson and Zaragoza, 2009), the best for each turn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.index.segment import Counts, Ints
from graphmem.index.view import CompiledView
from graphmem.retrieval.plan import Plan
from graphmem.retrieval.recipe import Recipe

Scores: TypeAlias = NDArray[np.float64]


def lexical(view: CompiledView, plan: Plan, recipe: Recipe) -> Scores:
    """Score every turn by its best passage, as a share of what can be had.

    The best turn has 1 if it holds `recipe.asked` of what the query asks: as much as a passage of
    mean length with that share of its terms, each once. Else it has less, in proportion, so that a
    frequent word by itself does not outweigh what turns mean.

    Returns:
        float64 [turns], 0 to 1, 0 where no term matches. Each passage's sum runs in the order of
        the plan's terms, so its bits do not depend on how the memory is cut into segments.
    """
    passages = np.zeros(view.passages)
    if not view.total_length:
        return np.zeros(view.turns)
    norm = _length_norm(view, recipe)
    asked = 0.0
    for term, weight in plan.weights:
        found = _find(view, term)
        holders = sum(len(passage) for passage, _ in found)
        idf = weight * math.log1p((view.passages - holders + 0.5) / (holders + 0.5))
        asked += idf
        for passage, counts in found:
            passages[passage] += idf * (recipe.k1 + 1.0) * counts / (counts + norm[passage])
    turns = passages
    if view.passages != view.turns:
        turns = np.maximum.reduceat(passages, view.turn_passage.values)
    whole = max(turns.max(initial=0.0), recipe.asked * asked)
    return turns / whole if whole > 0.0 else turns


def _length_norm(view: CompiledView, recipe: Recipe) -> Scores:
    slope = recipe.k1 * recipe.b * view.passages / view.total_length
    lengths = view.passage_length.values.astype(np.float64)
    return lengths * slope + recipe.k1 * (1.0 - recipe.b)


def _find(view: CompiledView, term: str) -> Sequence[tuple[Ints, Counts]]:
    """The term's passages in each segment that has it, numbered through the view."""
    found = []
    for segment, start in zip(view.segments, view.passage_starts(), strict=True):
        row = segment.postings.find(term)
        if row is not None:
            passages, counts = row
            found.append((passages + np.int32(start), counts))
    return found
