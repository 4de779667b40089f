from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from graphmem.bench.metrics import (
    all_at,
    first_ranks,
    ndcg_at,
    recall_at,
    reciprocal_rank,
    score,
)

RANKS = st.lists(
    st.one_of(st.integers(1, 50).map(float), st.just(math.inf)), min_size=1, max_size=8
)
FOUND = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)
GOLD = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1, max_size=5)


def test_a_gold_item_has_the_rank_of_its_first_return_and_infinity_without_one() -> None:
    assert first_ranks(["b", "z", "b"], ["a", "b", "b", "c"]) == (2.0, math.inf)


@pytest.mark.parametrize(
    ("k", "share", "whole"), [(1, 0.0, 0.0), (2, 0.5, 0.0), (4, 0.5, 0.0), (5, 1.0, 1.0)]
)
def test_recall_is_the_share_within_k_and_all_wants_every_item(
    k: int, share: float, whole: float
) -> None:
    assert recall_at((2, 5), k) == share
    assert all_at((2, 5), k) == whole


def test_the_reciprocal_rank_is_that_of_the_first_gold_item() -> None:
    assert reciprocal_rank((4.0, 2.0, math.inf)) == 0.5
    assert reciprocal_rank((math.inf,)) == 0.0


def test_ndcg_by_hand() -> None:
    gained = 1 / math.log2(3) + 1 / math.log2(6)
    best = 1 / math.log2(2) + 1 / math.log2(3) + 1 / math.log2(4)
    assert ndcg_at((2, 5, math.inf), 10) == pytest.approx(gained / best)
    assert ndcg_at((1, 2), 10) == pytest.approx(1.0)
    assert ndcg_at((11,), 10) == 0.0


def test_ndcg_of_more_gold_than_its_depth_can_reach_one() -> None:
    assert ndcg_at(tuple(range(1, 15)), 10) == pytest.approx(1.0)


def test_a_question_with_gold_turns_and_sessions() -> None:
    scores = score(["a", "b"], ["s", "t"], ["x", "a", "y"], ["s", "s", "u"], depths=(1, 3))
    assert scores == {
        "mrr": 0.5,
        "ndcg@10": pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3))),
        "recall@1": 0.0,
        "all@1": 0.0,
        "session_recall@1": 0.5,
        "recall@3": 0.5,
        "all@3": 0.0,
        "session_recall@3": 0.5,
    }


def test_where_only_sessions_are_gold_recall_is_of_sessions() -> None:
    scores = score([], ["s", "t"], ["a", "b", "c"], ["s", "s", "t"], depths=(2, 3))
    assert (scores["recall@2"], scores["recall@3"], scores["all@3"]) == (0.5, 1.0, 1.0)
    assert scores["mrr"] == 1.0


@given(GOLD, FOUND, st.integers(1, 10))
def test_every_score_is_a_share_and_recall_grows_with_k(
    gold: list[str], found: list[str], k: int
) -> None:
    scores = score(gold, gold, found, found, depths=(k, k + 1))
    assert all(0.0 <= value <= 1.0 + 1e-12 for value in scores.values())
    assert scores[f"recall@{k}"] <= scores[f"recall@{k + 1}"]
    assert scores[f"all@{k}"] <= scores[f"recall@{k}"]


@given(RANKS, st.integers(1, 20))
def test_the_order_of_the_gold_items_does_not_matter(ranks: list[float], k: int) -> None:
    backwards = ranks[::-1]
    assert recall_at(ranks, k) == recall_at(backwards, k)
    assert ndcg_at(ranks, k) == ndcg_at(backwards, k)
    assert reciprocal_rank(ranks) == reciprocal_rank(backwards)


@given(GOLD)
def test_returning_exactly_the_gold_is_perfect(gold: list[str]) -> None:
    scores = score(gold, gold, gold, gold, depths=(10,))
    assert scores == pytest.approx(dict.fromkeys(scores, 1.0))
