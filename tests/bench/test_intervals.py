from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmem.bench.intervals import Estimate, estimate, estimate_difference

SHARES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=40)


def test_nothing_asked_gives_no_estimate() -> None:
    assert estimate([]) == {}


def test_equal_values_have_no_spread() -> None:
    assert estimate([{"m": 0.5}] * 7)["m"] == Estimate(mean=0.5, low=0.5, high=0.5)


def test_the_interval_is_as_wide_as_theory_says() -> None:
    rows = [{"m": float(n % 2)} for n in range(400)]
    found = estimate(rows)["m"]
    spread = 1.96 * 0.5 / np.sqrt(400)
    assert found.mean == 0.5
    assert found.high - 0.5 == pytest.approx(spread, rel=0.1)
    assert 0.5 - found.low == pytest.approx(spread, rel=0.1)


def test_the_same_questions_give_the_same_interval() -> None:
    rows = [{"m": n / 10} for n in range(10)]
    assert estimate(rows) == estimate(rows)


def test_a_paired_difference_is_as_sure_as_the_differences_are_alike() -> None:
    before = [{"m": n / 10} for n in range(10)]
    after = [{"m": n / 10 + 0.25} for n in range(10)]
    found = estimate_difference(before, after)["m"]
    assert (found.mean, found.low, found.high) == pytest.approx((0.25, 0.25, 0.25))


def test_a_difference_needs_the_same_questions() -> None:
    with pytest.raises(ValueError, match="shorter"):
        estimate_difference([{"m": 0.0}, {"m": 1.0}], [{"m": 0.0}])


@settings(max_examples=30)
@given(SHARES)
def test_bounds_are_ordered_and_within_the_values(values: list[float]) -> None:
    found = estimate([{"m": value} for value in values])["m"]
    tiny = 1e-12
    assert min(values) - tiny <= found.low <= found.high <= max(values) + tiny
    assert min(values) - tiny <= found.mean <= max(values) + tiny
