"""Two lanes: the head of the order is ranked for precision, the tail behind it for coverage.

Who reads a hundred turns wants what else the named speaker said rather than more of what others did,
so the two are ranked by different weights (see `Recipe`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphmem.index.segment import Ints, Keys
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.lexical import Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """What every turn earned under one lane's weights.

    Attributes:
        total: float64 [turns], rounded; 0 for what may not be returned.
        shares: float64 [turns] for each channel: what it gave to the total.
    """

    total: Scores
    shares: Mapping[str, Scores]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """Turns in final order.

    Attributes:
        order: int32 [turns found]; their places in the view.
        scores: float64, aligned with `order`, non-increasing.
        shares: what each channel gave, aligned with `order`; they add up to the score.
    """

    order: Ints
    scores: Scores
    shares: Mapping[str, Scores]


def alone(view: CompiledView, lane: Lane, limit: int) -> Lanes:
    """Order turns by score, ties by id.

    Args:
        view: the memory.
        lane: its turns' scores.
        limit: the most turns to return.
    """
    order = top(lane.total, view, limit)
    return Lanes(
        order=order,
        scores=lane.total[order],
        shares={name: share[order] for name, share in lane.shares.items()},
    )


def behind(head: Lanes, view: CompiledView, tail: Lane, limit: int) -> Lanes:
    """Turns in order, and behind them those that are left, in the order of another lane.

    Args:
        head: the first turns, at least one.
        view: the memory.
        tail: the scores of the others.
        limit: the most turns to return, those of the head included.
    """
    key = tail.total.copy()
    key[head.order] = 0.0
    # Scores never rise along the order: the tail is scaled to begin below the head's last.
    last = float(head.scores[-1])
    ratio = last / max(float(key.max()), last)
    scaled = np.round(key * ratio, 6)
    order = top(scaled, view, limit - len(head.order))
    return Lanes(
        order=np.concatenate([head.order, order]),
        scores=np.concatenate([head.scores, scaled[order]]),
        shares={
            name: np.concatenate([share, tail.shares[name][order] * ratio])
            for name, share in head.shares.items()
        },
    )


def top(scores: Scores, view: CompiledView, limit: int) -> Ints:
    """The places of the turns with the `limit` highest scores above 0: by score, then by id."""
    return best(scores, view.turn_key.values, limit)


def best(scores: Scores, keys: Keys, limit: int) -> Ints:
    """The places of the `limit` highest scores above 0: by score, then by key."""
    alive = np.flatnonzero(scores > 0.0)
    if len(alive) > limit:
        floor = np.partition(scores[alive], len(alive) - limit)[len(alive) - limit]
        alive = alive[scores[alive] >= floor]
    order = np.lexsort((keys[alive], -scores[alive]))
    return alive[order][:limit].astype(np.int32)
