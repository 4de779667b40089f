"""The context channels: a turn earns from its neighbours and from its session's best turn."""

from __future__ import annotations

import numpy as np

from graphmem.index.view import NO_TURN, CompiledView
from graphmem.retrieval.channels.lexical import Scores


def need(view: CompiledView, short: int) -> Scores:
    """How much context a turn needs: a short one all, a long one, which speaks for itself, less.

    Args:
        view: the memory.
        short: turns of up to so many terms need all.

    Returns:
        float64 [turns], above 0, at most 1.
    """
    if not view.turns:
        return np.ones(0)
    lengths = np.add.reduceat(view.passage_length.values, view.turn_passage.values)
    return np.minimum(1.0, short / np.maximum(lengths, 1))


def near(view: CompiledView, scores: Scores, shares: tuple[float, ...]) -> Scores:
    """What each turn gets from the turns around it in its session.

    Args:
        view: the memory.
        scores: float64 [turns], what the turns earned themselves.
        shares: the share that is passed on to distance 1, 2, ...

    Returns:
        float64 [turns].
    """
    gained = np.zeros_like(scores)
    turn = np.arange(view.turns, dtype=np.int32)
    other = turn
    for share in shares:
        other = np.where(other == NO_TURN, NO_TURN, view.turn_previous.values[other])
        linked = other != NO_TURN
        here, there = turn[linked], other[linked]
        gained[here] += share * scores[there]
        gained[there] += share * scores[here]  # a turn precedes one other at most: no clash
    return gained


def session_best(view: CompiledView, scores: Scores, share: float) -> Scores:
    """What each turn gets from the best turn of its session: float64 [turns]."""
    best = np.zeros(view.sessions)
    np.maximum.at(best, view.turn_session.values, scores)
    return share * best[view.turn_session.values]
