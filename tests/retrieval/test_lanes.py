from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmem.domain.query import Query
from graphmem.index.vectors import QueryVector, VectorBlock
from graphmem.index.view import CompiledView
from graphmem.retrieval.rank import rank
from graphmem.retrieval.recipe import DEFAULT
from tests.index.conftest import Spec, cut, number_sessions, specs

QUERY = Query(text="Ann apfel x", limit=100)
heads = st.integers(1, 6)


def _view(turns: list[Spec]) -> CompiledView:
    return CompiledView.empty().extended(cut(number_sessions(turns), []), (), 1)


@given(specs, heads)
def test_the_head_is_as_without_a_tail(turns: list[Spec], head: int) -> None:
    lanes = rank(_view(turns), QUERY, replace(DEFAULT, head=head)).ranked
    plain = rank(_view(turns), QUERY, replace(DEFAULT, head=1000)).ranked
    assert lanes[:head] == plain[:head]
    assert sorted(r.turn_no for r in lanes) == sorted(r.turn_no for r in plain)


@given(specs, heads)
def test_scores_never_rise_and_are_what_the_channels_gave(turns: list[Spec], head: int) -> None:
    ranked = rank(_view(turns), QUERY, replace(DEFAULT, head=head)).ranked
    scores = [one.score for one in ranked]
    assert scores == sorted(scores, reverse=True)
    for one in ranked:
        assert sum(one.shares.values()) == pytest.approx(one.score, abs=1e-5)


@given(specs, heads, st.integers(1, 30))
def test_fewer_turns_are_the_first_of_more(turns: list[Spec], head: int, limit: int) -> None:
    recipe = replace(DEFAULT, head=head)
    most = rank(_view(turns), QUERY, recipe).ranked
    assert rank(_view(turns), replace(QUERY, limit=limit), recipe).ranked == most[:limit]


def test_behind_the_head_the_named_speaker_comes_first() -> None:
    turns = [
        Spec(0, "Ann", [["apfel", "x"]]),
        Spec(1, "Bo", [["apfel", "苹果"]]),
        Spec(2, "Ann", [["x", "梨子", "梨子", "梨子", "梨子"]]),
    ]
    plain = rank(_view(turns), QUERY, replace(DEFAULT, head=1, speaker=0.1, tail_speaker=0.1))
    lanes = rank(_view(turns), QUERY, replace(DEFAULT, head=1, speaker=0.1, tail_speaker=9.0))
    assert [one.turn_no for one in plain.ranked] == [0, 1, 2]
    assert [one.turn_no for one in lanes.ranked] == [0, 2, 1]


@pytest.mark.parametrize(("asked", "first"), [("apfel", 0), ("apfel 苹果", 1)])
def test_in_the_head_meaning_counts_more_for_chinese(asked: str, first: int) -> None:
    turns = [Spec(0, "Bo", [["apfel", "苹果"]]), Spec(1, "Bo", [["x"]])]
    vectors = np.eye(2, dtype=np.int16) * 4000
    view = _view(turns).extended([], [VectorBlock(first_turn=0, turns=2, vectors=vectors)], 2)
    near = QueryVector(vector=vectors[1].astype(np.float32), background=np.zeros(3))
    recipe = replace(DEFAULT, dense=1.0, chinese_dense=3.0, near=())
    ranked = rank(view, replace(QUERY, text=asked), recipe, near).ranked
    assert [one.turn_no for one in ranked] == [first, 1 - first]
