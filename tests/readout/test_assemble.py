from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.domain.moment import Moment
from graphmem.domain.prepared import Prepared
from graphmem.errors import InvalidInputError
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.assemble import Rules
from tests.readout.makers import COUNTERS, candidate, lines_of, prepared, rules

TOLD = [candidate(n, f"I bake loaf number {n}.", session=n // 10, day=n // 10) for n in range(90)]


@pytest.mark.parametrize(
    ("query", "turns", "tokens"),
    [
        ("What does Ann do?", 32, 2200),
        ("When did Ann bake?", 64, 3800),
        ("Which breads has Ann baked?", 80, 4500),
        ("Would Ann enjoy a bakery?", 80, 4500),
        ("小安什么时候烤面包？", 64, 3800),
    ],
)
def test_each_family_has_its_budget(query: str, turns: int, tokens: int) -> None:
    ready = prepared(TOLD, query, rules(readout="v5_73"))
    assert (ready.trace.stage_turns, ready.trace.stage_tokens) == (turns, tokens)
    assert ready.usage.turns == turns


def test_source_focus_adds_the_turns_behind_the_stage() -> None:
    ready = prepared(TOLD)
    lanes = [one.lane for one in sorted(ready.evidence, key=lambda one: -one.score)]
    assert lanes == ["stage"] * 32 + ["focus"] * 24


def test_blocks_stand_in_order_of_time_and_session() -> None:
    told = [
        candidate(5, "later", session=2, day=3),
        candidate(7, "ten", session=9, day=1),
        candidate(6, "two", session=1, day=1),
        candidate(8, "undated", session=4, day=None),
        candidate(1, "first", session=0, day=0),
    ]
    ready = prepared(told)
    ids = [identity for identity, _ in lines_of(ready.messages[1].content)]
    assert ids == [one.id for one in ready.evidence] == ["m2", "m9", "m7", "m8", "m6"]
    assert "## 2023-05-09, session 10" in ready.messages[1].content
    assert "## undated, session 5" in ready.messages[1].content


def test_prompts_about_the_same_turns_share_all_before_the_question() -> None:
    first, second = (
        prepared(order, query).messages
        for order, query in ((TOLD[:20], "What does Ann do?"), (TOLD[:20][::-1], "Who is Ann?"))
    )
    assert first[0] == second[0]
    head = first[1].content.partition("Question:")[0]
    assert second[1].content.startswith(head)


def test_the_question_its_date_and_its_options_stand_behind_the_frame() -> None:
    asked = Moment.parse_iso("2023-06-01T09:30:00Z")
    ready = prepared(
        TOLD[:2], "Which did Ann bake, rye or wheat?", options=("rye", "wheat"), asked_at=asked
    )
    tail = ready.messages[1].content.partition("</memory>")[2]
    assert tail.split("\n\n")[1:4] == [
        "The question was asked on 2023-06-01 09:30.",
        "Question: Which did Ann bake, rye or wheat?",
        "Options:\n(1) rye\n(2) wheat",
    ]
    assert "first state what the records say of each side" in tail


def test_only_labels_add_a_constraint() -> None:
    def tail(query: str) -> str:
        return prepared(TOLD[:2], query).messages[1].content.partition("</memory>")[2]

    assert "Structure" not in tail("What does Ann bake?")
    assert "geography" in tail("Which country does Ann live in?")
    assert "结构要求" in tail("小安住在哪个国家？")


def test_the_rules_tell_to_abstain_to_cite_and_to_obey_no_record() -> None:
    for query, words in (
        ("What?", ("do not know", "[m12]", "no instruction")),
        ("什么？", ("不知道", "[m12]", "不得执行")),
    ):
        system = prepared(TOLD[:2], query).messages[0].content
        assert all(word in system for word in words)


def test_a_memory_without_evidence_still_makes_a_prompt() -> None:
    ready = prepared([])
    assert ready.evidence == ()
    assert "(no records)" in ready.messages[1].content


def test_cards_stand_by_session_and_speaker_with_a_table_of_dates() -> None:
    told = [
        candidate(0, "I sold my boat yesterday.", speaker="Ann"),
        candidate(1, "I moved last Tuesday.", speaker="Bob"),
        candidate(2, "Good.", speaker="Ann"),
    ]
    ready = prepared(told, "When did Ann sell it?", rules(readout="v5_73"))
    inside = ready.messages[1].content.partition("<memory>\n")[2].partition("\n</memory>")[0]
    assert inside == (
        "## 2023-05-08, session 1\n"
        "# Ann\n[m1] I sold my boat yesterday (2023-05-07).\n[m3] Good.\n"
        "# Bob\n[m2] I moved last Tuesday (2023-05-02).\n\n"
        "Dates in the records:\n"
        "2023-05-02 | last Tuesday | [m2]\n2023-05-07 | yesterday | [m1]"
    )


def test_an_approximate_date_stands_in_no_table() -> None:
    told = [candidate(0, "I just sold my boat.", speaker="Ann")]
    ready = prepared(told, "When did Ann sell it?", rules(readout="v5_73"))
    assert "I just (~2023-05-08) sold my boat." in ready.messages[1].content
    assert "Dates in the records" not in ready.messages[1].content


def test_under_the_ceiling_the_focus_gives_way_first() -> None:
    free = prepared(TOLD).usage.prompt_tokens
    tight = prepared(TOLD, by=rules(max_answer_tokens_hard=free - 60))
    trace = tight.trace.optimized_readout
    assert not trace.fallback
    assert (trace.stage_kept, trace.focus_wanted) == (32, 24)
    assert 0 < trace.focus_kept < 24
    assert tight.usage.prompt_tokens <= free - 60


def test_where_the_stage_is_too_much_the_cards_serve_and_the_trace_says_so() -> None:
    tight = prepared(TOLD, by=rules(max_answer_tokens_hard=500))
    trace = tight.trace.optimized_readout
    assert (trace.asked, trace.used, trace.fallback, trace.focus_kept) == (
        "v5_81",
        "v5_73",
        True,
        0,
    )
    assert 0 < trace.stage_kept < 32
    assert tight.usage.prompt_tokens <= 500
    assert [one.id for one in tight.evidence] == [f"m{n + 1}" for n in range(trace.stage_kept)]


def test_a_question_over_the_ceiling_is_refused_with_field_and_remedy() -> None:
    with pytest.raises(InvalidInputError, match="shorten it") as raised:
        prepared(TOLD, "why " * 20_000)
    assert raised.value.field == "query"


def prepared_or_none(query: str, by: Rules) -> Prepared | None:
    try:
        return prepared([], query, by)
    except InvalidInputError:
        return None


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 4000), max_size=40),
    counter=st.sampled_from(COUNTERS),
    readout=st.sampled_from(["v5_81", "v5_73"]),
    ceiling=st.integers(1, 13_000),
    stage=st.integers(1, 100_000),
    query=st.sampled_from(["What?", "When did she go?", "哪些城市？", "Who? " * 40]),
)
def test_the_ceiling_is_never_passed(
    sizes: list[int], counter: TokenCounter, readout: str, ceiling: int, stage: int, query: str
) -> None:
    told = [
        candidate(n, "Word. " * (size // 6) + "x" * (size % 7 + 1)) for n, size in enumerate(sizes)
    ]
    by = rules(
        counter,
        readout,
        lookup_tokens=stage,
        temporal_tokens=stage,
        wide_tokens=stage,
        max_answer_tokens_hard=ceiling,
    )
    if prepared_or_none(query, by) is None:
        return  # not even the question has room
    ready = prepared(told, query, by)
    counted = sum(counter.count(message.content) for message in ready.messages)
    assert counted == ready.usage.prompt_tokens <= ceiling
    shown = ready.messages[1].content
    assert all(f"[{one.id}] " in shown and one.text in shown for one in ready.evidence)
    json.dumps(ready.to_dict())
