from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.build.extract import extract
from graphmem.domain.moment import Moment
from graphmem.domain.turn import Turn
from graphmem.text.facts.scanner import scan
from tests.text.scaling import growth

PIECES = (
    "I love sushi. ", "I moved to Oslo in 2019. ", "Thanks! ", "It cost $20, not 30. ", "How are you? ",
    "Caroline: hi ", "我上周五去了上海。", "我喜欢寿司。", "谢谢！", "一共三百块，还没付。", "\n", "x", "“Dune” ",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=10).map("".join).filter(str.strip)


def _turn(content: str, *, speaker: str | None = None, role: str = "user") -> Turn:
    return Turn(
        turn_no=3,
        turn_id="t_3",
        session_no=0,
        session_id="s",
        position=0,
        role=role,
        content=content,
        speaker=speaker,
        listener=None,
        parts=None,
        occurred=Moment.parse_iso("2023-05-08T13:56:00Z"),
        recorded_us=0,
        version=1,
    )


@settings(deadline=None)
@given(texts)
def test_every_fragile_fact_is_in_the_words_of_some_atom(text: str) -> None:
    turn = _turn(text, speaker="Ann")
    found = extract(turn)
    sources = [draft.source for draft in found.drafts]
    for fact in scan(text, known=["Ann"]):
        assert any(s.start <= fact.start and fact.end <= s.end for s in sources)
    assert found.coverage.share == 1.0


@settings(deadline=None)
@given(texts)
def test_an_atom_names_words_of_its_turn(text: str) -> None:
    for draft in extract(_turn(text)).drafts:
        assert draft.source.turn_no == 3
        assert 0 <= draft.source.start < draft.source.end <= len(text)


def test_a_claim_is_kept_as_it_was_spoken_with_its_date() -> None:
    (draft,) = extract(_turn("I moved to Oslo last month.", speaker="Ann")).drafts
    assert draft.content == "I moved to Oslo last month (2023-04)."
    assert (draft.subject, draft.type, draft.origin) == ("Ann", "episodic", "rules")


def test_a_label_is_no_part_of_an_atom_but_its_place_counts_from_it() -> None:
    text = "Caroline: I love sushi."
    (draft,) = extract(_turn(text)).drafts
    assert draft.subject == "Caroline"
    assert text[draft.source.start : draft.source.end] == "I love sushi."


@pytest.mark.parametrize(
    "text", ["Thanks, that's great!", "How are you?", "谢谢，太好了！", "你好吗？"]
)
def test_small_talk_makes_no_atom(text: str) -> None:
    assert extract(_turn(text)).drafts == ()


def test_a_fact_outside_of_all_claims_is_kept_verbatim() -> None:
    found = extract(_turn("Thanks! Does CA1234 leave at 7 pm?"))
    assert [(d.content, d.origin) for d in found.drafts] == [
        ("Does CA1234 leave at 7 pm?", "verbatim")
    ]
    assert found.coverage.verbatim == found.coverage.facts > 0


@pytest.mark.parametrize("unit", ["I love $5. ", "“a. ", "CA1234? ", "我喜欢3只猫。", "not "])
def test_extraction_is_linear(unit: str) -> None:
    assert growth(lambda text: extract(_turn(text)), unit, length=6_000) < 3.4
