from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from graphmem.errors import StoreFormatError
from graphmem.index.vectors import (
    MAX_DIMENSION,
    SCALE,
    VectorBlock,
    dots,
    from_bytes,
    quantise,
    to_bytes,
)
from graphmem.index.view import CompiledView
from tests.index.conftest import Spec, make_segment


def _unit(seed: int, rows: int, dimension: int = 384) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimension)).astype(np.float32)
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _exact(matrix: NDArray[np.int16], query: NDArray[np.int16]) -> NDArray[np.int64]:
    return matrix.astype(np.int64) @ query.astype(np.int64)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.sampled_from([2, 64, 384, 1536]))
def test_every_dot_product_is_the_exact_whole_number(seed: int, rows: int, dimension: int) -> None:
    vectors = quantise(_unit(seed, rows, dimension))
    matrix, query = vectors.astype(np.float32), vectors[0].astype(np.float32)
    assert (dots(matrix, query) == _exact(vectors, vectors[0])).all()


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.data())
def test_the_bits_do_not_depend_on_how_it_is_computed(seed: int, data: st.DataObject) -> None:
    matrix = quantise(_unit(seed, 40)).astype(np.float32)
    query = matrix[data.draw(st.integers(0, 39))].copy()
    whole = dots(matrix, query)
    cut = data.draw(st.integers(1, 39))
    order = np.array(data.draw(st.permutations(range(40))))
    reloaded = from_bytes(to_bytes(matrix.astype(np.int16))).astype(np.float32)
    for other in (
        np.concatenate([dots(matrix[:cut], query), dots(matrix[cut:], query)]),
        np.array([dots(matrix[i : i + 1], query)[0] for i in range(40)]),
        dots(matrix[order], query)[np.argsort(order)],
        dots(np.asfortranarray(matrix), query),
        dots(reloaded, query),
        matrix @ query,
        (matrix @ np.stack([query, query], axis=1))[:, 1],
    ):
        assert other.tobytes() == whole.tobytes()


def test_the_longest_vector_of_the_largest_dimension_stays_exact() -> None:
    flat = np.full((1, MAX_DIMENSION), 1 / np.sqrt(MAX_DIMENSION), dtype=np.float32)
    assert (quantise(flat).astype(np.int64) ** 2).sum() < 2**24
    lengthened = (SCALE + 0.5 * np.sqrt(MAX_DIMENSION)) ** 2
    assert lengthened < 2**24


def test_ten_nearest_are_those_of_exact_search() -> None:
    matrix, queries = _unit(1, 5000), _unit(2, 200)
    near = quantise(matrix).astype(np.float32)
    hits = 0
    for query in queries:
        exact = np.argsort(-(matrix.astype(np.float64) @ query.astype(np.float64)))[:10]
        found = np.argsort(-dots(near, quantise(query).astype(np.float32)), kind="stable")[:10]
        hits += len(set(exact.tolist()) & set(found.tolist()))
    assert hits / 2000 >= 0.995


@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(1, 9))
def test_bytes_give_back_the_vectors(seed: int, rows: int, dimension: int) -> None:
    vectors = np.random.default_rng(seed).integers(-4000, 4000, (rows, dimension)).astype(np.int16)
    assert np.array_equal(from_bytes(to_bytes(vectors)), vectors)


@pytest.mark.parametrize("data", [b"", b"\x03", b"\x03\x00\x01\x00", b"\x00\x00\x01\x00"])
def test_damaged_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(StoreFormatError, match="reembed"):
        from_bytes(data)


def test_vectors_find_their_passages_in_whatever_order_they_land() -> None:
    turns = [Spec(0, None, [["x"], ["x"]]), Spec(0, None, [["x"]]), Spec(1, None, [["x"]] * 3)]
    vectors = np.arange(12, dtype=np.int16).reshape(6, 2)
    view = CompiledView.empty().extended([make_segment(turns, 0)], (), 1)
    last = VectorBlock(first_turn=2, turns=1, vectors=vectors[3:])
    first = VectorBlock(first_turn=0, turns=2, vectors=vectors[:3])
    late = view.extended([], [last], 2).extended([], [first], 3)
    placed = {
        int(p): v for p, v in zip(late.vector_passage.values, late.vectors.values, strict=True)
    }
    assert [placed[p].tolist() for p in range(6)] == vectors.tolist()
    assert len(view.vectors.values) == 0


def test_vectors_that_do_not_fit_their_turns_are_refused() -> None:
    view = CompiledView.empty().extended([make_segment([Spec(0, None, [["x"]])], 0)], (), 1)
    block = VectorBlock(first_turn=0, turns=1, vectors=np.zeros((2, 2), dtype=np.int16))
    with pytest.raises(StoreFormatError):
        view.extended([], [block], 2)
