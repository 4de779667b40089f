"""The temporal channel: turns of the time that the query speaks of count more."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphmem.domain.interval import Interval
from graphmem.domain.window import Window
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.lexical import Scores
from graphmem.retrieval.select import within


def of_the_time(
    view: CompiledView, dates: Sequence[Interval], scores: Scores, share: float
) -> Scores:
    """What each turn gets for its time: `share` of what it earned otherwise; float64 [turns].

    Args:
        view: the memory.
        dates: the times that the query speaks of.
        scores: what the turns earned otherwise.
        share: the channel's weight.
    """
    if not dates or not share:
        return np.zeros(view.turns)
    found = np.logical_or.reduce([within(view, Window.of(date)) for date in dates])
    return np.where(found, share * scores, 0.0)
