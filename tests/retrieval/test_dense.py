from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from graphmem.domain.query import Query
from graphmem.index.vectors import QueryVector, VectorBlock, quantise
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.dense import ENOUGH, STRONG, dense
from graphmem.retrieval.rank import rank
from graphmem.retrieval.recipe import DEFAULT
from tests.index.conftest import Spec, make_segment

BACKGROUND = np.array([1.0, 2.0, 3.0, 2.0])


def _query(dimension: int = 4, at: int = 0) -> QueryVector:
    unit = np.eye(dimension, dtype=np.float32)[at : at + 1]
    vector = quantise(unit)[0].astype(np.float32)
    return QueryVector(vector=vector, background=BACKGROUND * 1e6)


def _view(angles: list[list[float]], landed: int | None = None) -> CompiledView:
    """Turns whose passages stand at these angles to the first axis."""
    turns = [Spec(number, None, [["x"]] * len(each)) for number, each in enumerate(angles)]
    flat = [angle for each in angles for angle in each]
    vectors = np.array([[np.cos(a), np.sin(a), 0.0, 0.0] for a in flat], dtype=np.float32)
    view = CompiledView.empty().extended([make_segment(turns, 0)], (), 1)
    count = len(turns) if landed is None else landed
    rows = sum(len(each) for each in angles[:count])
    block = VectorBlock(first_turn=0, turns=count, vectors=quantise(vectors)[:rows])
    return view.extended([], [block] if count else [], 2)


def test_the_nearest_passage_counts() -> None:
    scores = dense(_view([[1.5, 0.1, 1.2], [0.5, 0.6], [1.5, 1.4]]), _query())
    assert scores[0] > scores[1] > scores[2]


@settings(max_examples=50)
@given(st.lists(st.lists(st.floats(0, 3.1), min_size=1, max_size=3), min_size=1, max_size=90))
def test_scores_lie_between_0_and_1_and_follow_the_cosine(angles: list[list[float]]) -> None:
    scores = dense(_view(angles), _query())
    assert ((scores >= 0) & (scores <= 1)).all()
    steps = [max(round(4000 * float(np.cos(np.float32(a)))) for a in each) for each in angles]
    order = np.argsort(steps, kind="stable")
    assert (np.diff(scores[order]) >= 0).all()


def test_a_turn_without_vectors_scores_nothing() -> None:
    scores = dense(_view([[0.1], [0.1], [0.1]], landed=2), _query())
    assert scores[2] == 0.0
    assert scores[0] > 0.0


def test_the_channel_counts_by_the_share_of_turns_that_have_landed() -> None:
    angles = [[0.0], [1.2], [1.3], [1.4]]
    half, whole = dense(_view(angles, landed=2), _query()), dense(_view(angles), _query())
    assert 0 < half[0] <= 0.5 * max(whole[0], 1.0)


def test_a_single_turn_is_judged_by_the_background() -> None:
    near, far = dense(_view([[0.0]]), _query()), dense(_view([[1.5]]), _query())
    assert near[0] > 0.0
    assert far[0] == 0.0


def test_a_large_memory_is_its_own_scale() -> None:
    view = _view([[0.02 * n] for n in range(ENOUGH)])
    other = replace(_query(), background=BACKGROUND * 99)
    assert dense(view, _query()).tolist() == dense(view, other).tolist()


def test_a_weak_best_turn_is_no_full_match() -> None:
    view = _view([[0.02 * (n % 3)] for n in range(ENOUGH)])
    assert dense(view, _query()).max() <= 1.5 / STRONG


@pytest.mark.parametrize("query", [None, _query(8)])
def test_without_a_fitting_query_vector_nothing_scores(query: QueryVector | None) -> None:
    assert not dense(_view([[0.1], [0.2]]), query).any()


def test_the_dense_weight_is_a_weight() -> None:
    view, query = _view([[0.1], [1.5]]), Query(text="nothing of that", limit=5)
    with_it = rank(view, query, DEFAULT, _query())
    without = rank(view, query, replace(DEFAULT, dense=0.0), _query())
    assert [r.turn_no for r in with_it.ranked] == [0]
    assert without.ranked == ()
