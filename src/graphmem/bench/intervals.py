"""Percentile bootstrap intervals of means over questions (Efron 1979), seeded and vectorised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphmem.bench.metrics import Scores

_RESAMPLES: Final = 2000
_SEED: Final = 20240508
_PERCENT: Final = (2.5, 97.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its 95% interval."""

    mean: float
    low: float
    high: float


def estimate(rows: Sequence[Scores]) -> dict[str, Estimate]:
    """The mean of every metric over the questions; no estimate at all of no question.

    Every metric is read from the same resamples, as is every call with as many questions.
    """
    if not rows:
        return {}
    names = list(rows[0])
    values = np.array([[row[name] for name in names] for row in rows], dtype=np.float64)
    low, high = _bounds(values)
    return {
        name: Estimate(mean=float(mean), low=float(a), high=float(b))
        for name, mean, a, b in zip(names, values.mean(axis=0), low, high, strict=True)
    }


def estimate_difference(before: Sequence[Scores], after: Sequence[Scores]) -> dict[str, Estimate]:
    """The mean of `after - before` question by question: both resampled together (paired)."""
    return estimate(
        [
            {name: new[name] - old[name] for name in old}
            for old, new in zip(before, after, strict=True)
        ]
    )


def _bounds(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Low and high bound of each column's mean: shape (2, columns)."""
    count = len(values)
    drawn = np.random.default_rng(_SEED).multinomial(
        count, np.full(count, 1.0 / count), size=_RESAMPLES
    )
    means = drawn @ values / count
    return np.percentile(means, _PERCENT, axis=0)
