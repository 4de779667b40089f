from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmem.index.column import Column


def _column(*values: int) -> Column[np.int32]:
    return Column(np.array(values, dtype=np.int32))


@given(st.lists(st.lists(st.integers(0, 99), max_size=9), max_size=12))
def test_extension_equals_concatenation(parts: list[list[int]]) -> None:
    column = _column()
    for part in parts:
        column = column.extended(np.array(part, dtype=np.int32))
    assert column.values.tolist() == [value for part in parts for value in part]


def test_a_reader_keeps_its_column_when_a_newer_one_grows() -> None:
    first = _column(1, 2)
    second = first.extended(np.array([3], dtype=np.int32))
    third = second.extended(np.array([4], dtype=np.int32))
    assert first.values.tolist() == [1, 2]
    assert second.values.tolist() == [1, 2, 3]
    assert third.values.tolist() == [1, 2, 3, 4]


def test_only_the_newest_column_claims_the_shared_tail() -> None:
    base = _column(1).extended(np.array([2], dtype=np.int32))
    left = base.extended(np.array([3], dtype=np.int32))
    right = base.extended(np.array([4], dtype=np.int32))
    assert left.values.tolist() == [1, 2, 3]
    assert right.values.tolist() == [1, 2, 4]


def test_growing_does_not_copy_what_is_there() -> None:
    column = _column(*range(100)).extended(np.array([1], dtype=np.int32))
    grown = column.extended(np.array([2], dtype=np.int32))
    assert np.shares_memory(column.values, grown.values)


def test_values_are_read_only() -> None:
    column = _column(1)
    with pytest.raises(ValueError, match="read-only"):
        column.values[0] = 2
