from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.build.extract import extract
from graphmem.build.scenes.prompt import LONGEST_TURN
from graphmem.build.scenes.reply import read_reply
from graphmem.build.scenes.telling import Told, tell
from graphmem.domain.atom import AtomDraft
from graphmem.domain.turn import Turn
from graphmem.errors import ChatResponseError
from graphmem.text.facts.scanner import scan
from tests.build.scenes.makers import answer, item, scene, turn


def _tell(turns: list[Turn], *items: object) -> Told:
    return tell(turns, read_reply(answer(*items)))


def _drafts(told: Told) -> list[AtomDraft]:
    return [draft for each in told.extractions for draft in each.drafts]


def test_a_claim_of_the_model_becomes_an_atom_on_the_sentence_that_it_quotes() -> None:
    turns = scene("Hello! I moved to Oslo  last month. Nice, isn't it?", "Wow!")
    told = _tell(
        turns,
        item(
            "moved to oslo last month",
            0,
            subject="I",
            predicate="move to",
            value="Oslo",
            statement="Ann moved to Oslo last month.",
            when="last month",
        ),
    )
    (draft,) = [draft for draft in _drafts(told) if draft.origin == "llm"]
    assert draft.content == "Ann moved to Oslo last month (2023-04)."
    assert (draft.subject, draft.predicate, draft.value) == ("Ann", "move to", "Oslo")
    assert draft.event is not None
    assert draft.event.text() == "2023-04"
    place = turns[0].content[draft.source.start : draft.source.end]
    assert (draft.source.turn_no, place) == (10, "I moved to Oslo  last month.")


def test_chinese_stays_chinese() -> None:
    turns = [turn(0, "我上周五去了上海。", speaker="小明"), turn(1, "好啊！", speaker="小红")]
    told = _tell(
        turns,
        item(
            "我上周五去了上海",
            0,
            subject="我",
            predicate="去",
            value="上海",
            statement="小明上周五去了上海。",
            when="上周五",
        ),
    )
    (draft,) = _drafts(told)
    assert draft.content == "小明上周五(2023-05-05)去了上海。"
    assert draft.subject == "小明"


@pytest.mark.parametrize(
    "invented",
    [
        {"value": "Bergen"},
        {"value": "3 cats"},
        {"value": "Oslo in 2021"},
        {"subject": "Caroline"},
        {"predicate": "move on 2021-02-03"},
        {"quote": "I moved to Bergen", "value": "Bergen"},
        {"quote": "", "value": ""},
        {"position": 7},
        {"position": -1},
    ],
    ids=str,
)
def test_what_nobody_said_is_refused(invented: dict[str, object]) -> None:
    turns = scene("I moved to Oslo.", "I have two dogs.")
    good = item("I have two dogs", 1, subject="Tom", value="two dogs")
    told = _tell(turns, good, item("I moved to Oslo", 0, value="Oslo") | invented)
    assert (told.accepted, told.refused) == (1, 1)
    assert [d.content for d in _drafts(told) if d.origin == "llm"] == ["I have two dogs."]


def test_inventions_alone_are_a_failure_and_not_nothing_found() -> None:
    with pytest.raises(ChatResponseError, match="do not stand"):
        _tell(scene("I moved to Oslo."), item("I moved to Bergen", 0, value="Bergen"))


def test_nothing_found_keeps_every_detail_verbatim() -> None:
    told = _tell(scene("I moved to Oslo in 2019.", "Great!"))
    assert [(d.content, d.origin) for d in _drafts(told)] == [
        ("I moved to Oslo in 2019.", "verbatim")
    ]
    assert told.extractions[1].drafts == ()


@pytest.mark.parametrize(
    "statement",
    [
        "Ann moved to Oslo.",  # drops the year
        "Ann moved to Oslo in 2018.",  # another year
        "Ann moved to Oslo in 2019 with Tom and Caroline.",  # somebody nobody named
        "",
    ],
)
def test_a_statement_that_says_more_or_less_gives_way_to_the_words(statement: str) -> None:
    turns = scene("I moved to Oslo in 2019.", "Great!")
    told = _tell(turns, item("I moved to Oslo", 0, value="Oslo", statement=statement))
    (draft,) = _drafts(told)
    assert (draft.content, draft.origin) == ("I moved to Oslo in 2019.", "llm")


@pytest.mark.parametrize("statement", ["I", "Ann.", "Ann has a hobby.", "tea"])
def test_a_statement_that_words_nothing_of_the_quotation_gives_way_to_it(statement: str) -> None:
    turns = scene("I love sushi and green tea.")
    quote = "I love sushi and green tea"
    told = _tell(turns, item(quote, 0, value="green tea", statement=statement))
    assert [d.content for d in _drafts(told)] == ["I love sushi and green tea."]


@pytest.mark.parametrize("quote", ["I", "is", "my", "ster", "我"])
def test_what_stands_everywhere_is_no_quotation(quote: str) -> None:
    turns = scene("My sister is a nurse, 我很高兴.", "I have two dogs.")
    with pytest.raises(ChatResponseError, match="do not stand"):
        _tell(turns, item(quote, 0, subject="I", predicate="I", value=quote, statement="I"))


def test_a_negation_may_be_kept_by_the_polarity() -> None:
    turns = scene("I don't eat meat.")
    told = _tell(
        turns,
        item("I don't eat meat", 0, value="meat", statement="Ann avoids meat.", polarity="negated"),
    )
    assert [d.content for d in _drafts(told)] == ["Ann avoids meat."]


def test_nothing_is_denied_where_nobody_denies() -> None:
    told = _tell(scene("I eat meat."), item("I eat meat", 0, value="meat", polarity="negated"))
    assert [d.polarity for d in _drafts(told)] == ["affirmed"]


def test_a_date_that_the_model_computed_is_not_used() -> None:
    turns = scene("I moved to Oslo last month.")
    told = _tell(turns, item("I moved to Oslo", 0, value="Oslo", when="2023-04"))
    (draft,) = _drafts(told)
    assert draft.event is None


def test_an_answer_to_a_question_stands_on_both_turns() -> None:
    turns = scene("Where did you go, Tom?", "To Rome.")
    told = _tell(turns, item("To Rome", 1, 0, subject="Tom", predicate="go to", value="Rome"))
    first, second = told.extractions
    assert [d.source.turn_no for d in first.drafts if d.origin == "llm"] == [10]
    assert [d.content for d in second.drafts] == ["To Rome."]


def test_a_quote_in_another_turn_than_said_is_found() -> None:
    turns = scene("Hello!", "I have two dogs.")
    told = _tell(turns, item("I have two dogs", 0, subject="Tom", value="two dogs"))
    assert [d.source.turn_no for d in _drafts(told) if d.content == "I have two dogs."] == [10, 11]


def test_the_attribute_that_chains_are_made_of_comes_from_the_rules() -> None:
    turns = scene("I live in Oslo now.")
    (by_rules,) = extract(turns[0]).drafts
    told = _tell(
        turns, item("I live in Oslo", 0, predicate="live in", value="Oslo", type="persona")
    )
    (draft,) = _drafts(told)
    assert draft.attribute == by_rules.attribute != ""


def test_turns_behind_the_last_whole_atom_of_a_cut_answer_are_told_by_rules() -> None:
    turns = scene("I have two dogs.", "I moved to Oslo in 2019.")
    text = answer(item("I have two dogs", 0, value="two dogs"), item("I moved", 1))[:-30]
    told = tell(turns, read_reply(text))
    assert [d.origin for d in told.extractions[0].drafts] == ["llm"]
    assert told.extractions[1] == extract(turns[1])


def test_a_turn_that_is_too_long_to_show_is_told_by_rules() -> None:
    long = turn(1, "I love sushi. " * (LONGEST_TURN // 10), speaker="Tom")
    told = _tell([turn(0, "I have two dogs."), long], item("I have two dogs", 0, value="two dogs"))
    assert told.extractions[1] == extract(long)


PIECES = (
    "I love sushi. ", "I moved to Oslo in 2019. ", "Thanks! ", "It cost $20, not 30. ", "How are you? ",
    "我上周五去了上海。", "我喜欢寿司。", "谢谢！", "\n", "x", "“Dune” ", "maybe CA1234 ",
)  # fmt: skip
contents = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join).filter(str.strip)
phrases = st.sampled_from([*PIECES, "Oslo", "sushi", "2019", "上海", "", "$20", "not 30", "Bergen"])
items = st.builds(
    item,
    phrases,
    st.integers(min_value=-1, max_value=4),
    st.integers(min_value=-1, max_value=4),
    value=phrases,
    subject=st.sampled_from(["Ann", "I", "我", "", "Tom", "Zed"]),
    statement=phrases,
    when=phrases,
    polarity=st.sampled_from(["affirmed", "negated"]),
)


def test_a_claim_holds_no_approximate_date() -> None:
    said = "I just finished the marathon."
    (extraction,) = _tell(scene(said), item(said, 0, statement=said, when="just")).extractions
    (draft,) = extraction.drafts
    assert (draft.origin, draft.event) == ("llm", None)


def test_a_claim_about_two_turns_of_the_same_words_stands_on_each_once() -> None:
    said = "I moved to Oslo in 2019."
    listed = item("I love sushi.", 1, 2, value=said, subject="Ann", statement=said)
    told = _tell(scene("I love sushi.", said, said), listed)
    assert [len(extraction.drafts) for extraction in told.extractions[1:]] == [1, 1]


@settings(deadline=None, max_examples=60)
@given(st.lists(contents, min_size=1, max_size=4), st.lists(items, max_size=6))
def test_whatever_a_model_lists_every_detail_is_in_the_words_of_some_atom(
    texts: list[str], listed: list[dict[str, object]]
) -> None:
    turns = scene(*texts)
    try:
        told = _tell(turns, *listed)
    except ChatResponseError:
        return
    assert _tell(turns, *listed) == told
    said = " ".join(texts).casefold()
    for each, extraction in zip(turns, told.extractions, strict=True):
        assert extraction.coverage.share == 1.0
        places = [(d.source.start, d.source.end) for d in extraction.drafts]
        names = [(d.subject, d.content, d.source.start) for d in extraction.drafts]
        assert len(set(names)) == len(names)
        assert all(0 <= start < end <= len(each.content) for start, end in places)
        for fact in scan(each.content, known=[each.speaker or ""]):
            assert any(start <= fact.start and fact.end <= end for start, end in places)
        for draft in extraction.drafts:
            is_said = draft.value.strip().casefold() in said
            assert draft.origin != "llm" or is_said or "Bergen" not in draft.value
