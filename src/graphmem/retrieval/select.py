"""Which turns a query may return at all; decided before anything is cut, so that no limit hides a match."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphmem.domain.query import Query
from graphmem.domain.window import Window
from graphmem.index.view import CompiledView


def wanted(
    view: CompiledView, query: Query, sessions: Sequence[int] | None
) -> NDArray[np.bool_] | None:
    """Bool [turns]: those that every filter of the query lets through; None without a filter.

    Args:
        view: the memory.
        query: its window is held against the times that a turn speaks of and the time at which it
            was said; its `as_of` against the latter alone.
        sessions: the numbers of the only sessions that are wanted, None for all.
    """
    filters = []
    if sessions is not None:
        filters.append(np.isin(view.turn_session.values, sessions))
    if query.said is not None:
        said = view.turn_time.values
        filters.append((said >= query.said.first_us) & (said <= query.said.last_us))
    if query.window is not None:
        filters.append(within(view, query.window))
    if query.as_of_us is not None:
        filters.append(view.turn_time.values <= query.as_of_us)
    return np.logical_and.reduce(filters) if filters else None


def within(view: CompiledView, window: Window) -> NDArray[np.bool_]:
    """Bool [turns]: those said within the window, and those that speak of a time overlapping it."""
    said = view.turn_time.values
    found = (said >= window.first_us) & (said <= window.last_us)
    spoken = (view.event_start.values <= window.last_us) & (view.event_end.values > window.first_us)
    found[view.event_turn.values[spoken]] = True
    return found
