"""Two lanes: the head of the order is ranked for precision, the tail behind it for coverage.

Who reads a hundred turns wants what else the named speaker said rather than more of what others did:
in the tail, being said by a named speaker counts more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from graphmem.index.segment import Ints, Keys
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.lexical import Scores
from graphmem.retrieval.recipe import Recipe

SPEAKER = "speaker"


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


def in_lanes(
    view: CompiledView, recipe: Recipe, total: Scores, shares: Mapping[str, Scores], limit: int
) -> Lanes:
    """Order turns by score, ties by id, those behind the head anew.

    Args:
        view: the memory.
        recipe: the weights.
        total: float64 [turns], rounded; 0 for what may not be returned.
        shares: what each channel gave to it.
        limit: the most turns to return.
    """
    order = top(total, view, limit)
    head = order[: recipe.head]
    plain = Lanes(
        order=order,
        scores=total[order],
        shares={name: share[order] for name, share in shares.items()},
    )
    if len(order) <= len(head) or not shares[SPEAKER].any() or not recipe.speaker:
        return plain
    more = recipe.tail_speaker / recipe.speaker
    wide = dict(shares) | {SPEAKER: shares[SPEAKER] * more}
    key = np.where(total > 0.0, sum(wide.values(), np.zeros(len(total))), 0.0)
    key[head] = 0.0
    # Scores never rise along the order: the tail is scaled to begin below the head's last.
    best = max(float(key.max()), float(total[head[-1]]))
    ratio = float(total[head[-1]]) / best
    scaled = np.round(key * ratio, 6)
    tail = top(scaled, view, limit - len(head))
    return Lanes(
        order=np.concatenate([head, tail]),
        scores=np.concatenate([total[head], scaled[tail]]),
        shares={
            name: np.concatenate([share[head], wide[name][tail] * ratio])
            for name, share in shares.items()
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
