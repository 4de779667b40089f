from __future__ import annotations

from hypothesis import given, settings, strategies as st

from graphmem.readout.budget import Stage
from graphmem.readout.select import Selector
from graphmem.text.tokens import BuiltInTokenCounter
from tests.readout.makers import COUNTERS, candidate

TOLD = [
    "I bake bread on Sundays.",
    "Yes!",
    "我周末去爬山。",
    "word " * 40 + "end.",
    "A b. C d. E f. " * 30,
]


def _selector(excerpt_tokens: int = 40) -> Selector:
    return Selector(BuiltInTokenCounter(), {"bread": 1.0}, excerpt_tokens)


def test_turns_are_taken_by_rank_until_the_turns_are_spent() -> None:
    found = _selector().select(
        [candidate(n, f"turn {n}") for n in range(9)], Stage(4, 999), "stage"
    )
    assert [one.candidate.number for one in found.chosen] == [0, 1, 2, 3]
    assert not found.left_out


def test_a_turn_without_room_gives_way_to_a_shorter_one_and_is_told() -> None:
    turns = [candidate(0, "Yes!"), candidate(1, "word " * 40 + "end."), candidate(2, "No.")]
    found = _selector(200).select(turns, Stage(9, 50), "stage")
    assert [one.candidate.number for one in found.chosen] == [0, 2]
    assert [(one.turn_id, one.reason) for one in found.left_out] == [("t_1", "no_room")]


def test_a_sentence_longer_than_the_whole_budget_is_left_out_and_told() -> None:
    turns = [candidate(0, "word " * 400 + "end."), candidate(1, "No.")]
    found = _selector().select(turns, Stage(9, 100), "stage")
    assert [one.candidate.number for one in found.chosen] == [1]
    assert [(one.turn_id, one.reason) for one in found.left_out] == [("t_0", "sentence_too_long")]


def test_a_long_sentence_with_room_is_shown_although_excerpts_are_shorter() -> None:
    (one,) = _selector(10).select([candidate(0, TOLD[3])], Stage(9, 100), "stage").chosen
    assert one.is_whole


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.sampled_from(TOLD), max_size=30),
    turns=st.integers(1, 20),
    tokens=st.integers(1, 400),
    counter=st.sampled_from(COUNTERS),
)
def test_the_budget_of_turns_and_of_tokens_is_never_passed(
    texts: list[str], turns: int, tokens: int, counter: BuiltInTokenCounter
) -> None:
    selector = Selector(counter, {}, 40)
    told = [candidate(n, text, session=n % 3) for n, text in enumerate(texts)]
    found = selector.select(told, Stage(turns, tokens), "stage").chosen
    assert len(found) <= turns
    assert sum(counter.count(f"[m1] Ann: {one.text}\n") for one in found) <= tokens
