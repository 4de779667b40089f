"""The dense channel: how much nearer a turn is to the query than texts that have nothing to do with it."""

from __future__ import annotations

from typing import Final

import numpy as np

from graphmem.index.vectors import QueryVector, dots
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.lexical import Scores

STRONG: Final = 3.0  # standard deviations; below it the best turn does not count as a full match
ENOUGH: Final = 64  # turns; with more, texts of other subjects and languages would only blur it


def dense(view: CompiledView, query: QueryVector | None) -> Scores:
    """Score every turn by its nearest passage.

    Cosines of one model lie in a narrow band that differs by model and by query, so they are
    standardised over the memory's turns; a small memory has no scale of its own and borrows one
    from a background of unrelated texts. What is below the mean counts nothing.

    While vectors are on their way, turns that have them would win over better ones that have none
    yet; so the channel counts by the share of turns that have landed.

    Returns:
        float64 [turns], 0 to 1; 0 for turns whose vectors have not landed, all 0 without a query
        vector or when the memory's vectors are of another dimension.
    """
    matrix = view.vectors.values
    if query is None or matrix.shape[1] != len(query.vector):
        return np.zeros(view.turns)
    nearest = _nearest(view, dots(matrix, query.vector).astype(np.float64))
    landed = np.isfinite(nearest)
    known = nearest[landed]
    if len(known) < ENOUGH:
        known = np.concatenate([known, query.background])
    spread = known.std() or 1.0
    standard = np.where(landed, (nearest - known.mean()) / spread, 0.0)
    positive: Scores = np.maximum(standard, 0.0)
    return positive / max(float(positive.max()), STRONG) * float(landed.mean())


def _nearest(view: CompiledView, products: Scores) -> Scores:
    """The greatest product of each turn's passages; -inf where none has landed."""
    passages = np.full(view.passages, -np.inf)
    passages[view.vector_passage.values] = products
    if view.passages == view.turns:
        return passages
    return np.maximum.reduceat(passages, view.turn_passage.values)
