"""Measure how a function's time grows with its input, so that no test needs a clock limit."""

from __future__ import annotations

import time
from collections.abc import Callable

_REPEATS = 3
_TRIES = 4
_FLAT = 2.6


def growth(call: Callable[[str], object], unit: str, *, length: int = 50_000) -> float:
    """Time for twice the input over time for the input, each the best of some runs.

    About 2 when linear, 4 when quadratic. Process time, so that other processes hardly count; on
    a loaded machine they do by way of its caches, so what looks steep is measured again.
    """
    small = unit * (length // len(unit))
    ratio = 4.0
    for _ in range(_TRIES):
        ratio = min(ratio, _best(call, small * 2) / max(_best(call, small), 1e-4))
        if ratio < _FLAT:
            break
    return ratio


def _best(call: Callable[[str], object], text: str) -> float:
    def once() -> float:
        start = time.process_time()
        call(text)
        return time.process_time() - start

    return min(once() for _ in range(_REPEATS))
