"""Each channel against a plain rewriting of its definition."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, strategies as st

from graphmem.domain.interval import Interval
from graphmem.domain.query import Query
from graphmem.index.vectors import QueryVector, VectorBlock
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.context import near, need, session_best
from graphmem.retrieval.channels.lexical import lexical
from graphmem.retrieval.channels.speaker import named_speaker
from graphmem.retrieval.lanes import top
from graphmem.retrieval.plan import Plan
from graphmem.retrieval.rank import rank
from graphmem.retrieval.recipe import ABLATIONS, DEFAULT
from tests.index.conftest import TERMS, Spec, cut, number_sessions, specs

ALWAYS = Interval(start_us=0, end_us=None, grain="day")
sizes = st.lists(st.integers(1, 8), max_size=6)
weights = st.dictionaries(st.sampled_from([*TERMS, "absent"]), st.floats(0.1, 3.0), min_size=1)


def _view(turns: list[Spec], parts: list[int]) -> CompiledView:
    return CompiledView.empty().extended(cut(number_sessions(turns), parts), (), 1)


def _plan(weights: dict[str, float], speakers: tuple[int, ...] = ()) -> Plan:
    return Plan(weights=tuple(weights.items()), speakers=speakers)


def _plain_bm25(turns: list[Spec], weights: dict[str, float]) -> list[float]:
    passages = [words for turn in turns for words in turn.passages]
    average = sum(map(len, passages)) / len(passages)

    def score(words: list[str]) -> float:
        total = 0.0
        for term, weight in weights.items():
            holders = sum(term in other for other in passages)
            count = Counter(words)[term]
            if count:
                idf = math.log(1 + (len(passages) - holders + 0.5) / (holders + 0.5))
                norm = DEFAULT.k1 * (1 - DEFAULT.b + DEFAULT.b * len(words) / average)
                total += weight * idf * count * (DEFAULT.k1 + 1) / (count + norm)
        return total

    return [max(map(score, turn.passages)) for turn in turns]


@given(specs, sizes, weights)
def test_lexical_is_bm25_of_the_best_passage(
    turns: list[Spec], parts: list[int], weights: dict[str, float]
) -> None:
    scores = lexical(_view(turns, parts), _plan(weights), replace(DEFAULT, asked=0.0))
    expected = _plain_bm25(turns, weights)
    best = max(expected) or 1.0
    assert scores.tolist() == pytest.approx([score / best for score in expected])


@given(specs, weights)
def test_the_best_turn_has_1_once_it_holds_enough_of_what_is_asked(
    turns: list[Spec], weights: dict[str, float]
) -> None:
    view = _view(turns, [])
    passages = [words for turn in turns for words in turn.passages]
    asked = 0.0
    for term, weight in weights.items():
        holders = sum(term in words for words in passages)
        asked += weight * math.log(1 + (len(passages) - holders + 0.5) / (holders + 0.5))
    best = lexical(view, _plan(weights), replace(DEFAULT, asked=0.3)).max()
    held = max(_plain_bm25(turns, weights)) / (0.3 * asked)
    assert best == pytest.approx(min(1.0, held))


@given(specs, sizes, weights)
def test_the_bits_do_not_depend_on_the_segments(
    turns: list[Spec], parts: list[int], weights: dict[str, float]
) -> None:
    plan = _plan(weights)
    whole = lexical(_view(turns, []), plan, DEFAULT)
    assert lexical(_view(turns, parts), plan, DEFAULT).tobytes() == whole.tobytes()


@given(specs, st.lists(st.floats(0.05, 0.5), max_size=3).map(tuple))
def test_near_passes_shares_along_the_session(turns: list[Spec], shares: tuple[float, ...]) -> None:
    view = _view(turns, [])
    scores = np.arange(1.0, view.turns + 1)
    sessions: dict[int, list[int]] = {}
    for number, session in enumerate(view.turn_session.values.tolist()):
        sessions.setdefault(session, []).append(number)
    expected = np.zeros(view.turns)
    for members in sessions.values():
        for here, turn in enumerate(members):
            for distance, share in enumerate(shares, start=1):
                for there in (here - distance, here + distance):
                    if 0 <= there < len(members):
                        expected[turn] += share * scores[members[there]]
    assert near(view, scores, shares).tolist() == pytest.approx(expected.tolist())


@given(specs, st.integers(1, 12))
def test_short_turns_need_context_and_long_ones_less(turns: list[Spec], short: int) -> None:
    lengths = [sum(map(len, turn.passages)) for turn in turns]
    expected = [min(1.0, short / max(length, 1)) for length in lengths]
    assert need(_view(turns, []), short).tolist() == pytest.approx(expected)


@given(specs)
def test_session_best_is_a_share_of_the_best_turn(turns: list[Spec]) -> None:
    view = _view(turns, [])
    scores = np.arange(1.0, view.turns + 1)
    sessions = view.turn_session.values
    expected = [0.5 * scores[sessions == session].max() for session in sessions]
    assert session_best(view, scores, 0.5).tolist() == pytest.approx(expected)


def test_only_turns_of_the_named_speaker_gain() -> None:
    view = _view([Spec(0, "Ann", [["x"]]), Spec(0, "Bo", [["x"]]), Spec(0, None, [["x"]])], [])
    gained = named_speaker(view, _plan({"x": 1.0}, (1,)), np.array([2.0, 2.0, 2.0]), 0.5)
    assert gained.tolist() == [0.0, 1.0, 0.0]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0]), min_size=1, max_size=60), st.integers(1, 70))
def test_top_is_a_full_sort_cut_off(scores: list[float], limit: int) -> None:
    view = _view([Spec(0, None, [["x"]])] * len(scores), [])
    keys = view.turn_key.values
    expected = sorted(
        (i for i, score in enumerate(scores) if score > 0), key=lambda i: (-scores[i], keys[i])
    )
    assert top(np.array(scores), view, limit).tolist() == expected[:limit]


@pytest.mark.parametrize("name", ABLATIONS)
def test_each_ablation_changes_the_ranking_of_something(name: str) -> None:
    turns = [
        Spec(0, "Ann", [["apfel", "birne"]]),
        Spec(0, "Bo", [["apfel"]]),
        Spec(0, "Ann", [["x"]]),
        Spec(0, "Bo", [["ann"]]),
        Spec(0, "Bo", [["birne"]]),
        Spec(1, "Ann", [["apfel"]]),
        Spec(1, "Ann", [["x"] * 200]),
    ]
    vectors = np.eye(7, dtype=np.int16) * 4000
    block = VectorBlock(first_turn=0, turns=7, vectors=vectors.astype(np.int16))
    view = _view(turns, []).extended([], [block], 2)
    near = QueryVector(vector=vectors[6].astype(np.float32), background=np.zeros(3))
    query = Query(text="Ann apfel birne feige kirsche mango melone pflaume 榅桲", limit=10)
    shares = [
        [
            dict(r.shares)
            for r in rank(view, query, replace(recipe, head=2), near, dates=[ALWAYS]).ranked
        ]
        for recipe in (DEFAULT, ABLATIONS[name])
    ]
    assert shares[0] != shares[1]


def test_an_empty_memory_has_nothing_to_rank() -> None:
    assert rank(CompiledView.empty(), Query(text="x"), DEFAULT).ranked == ()
