from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.fact import FACT_KINDS
from graphmem.text.facts.scanner import scan
from tests.text.facts.found import found
from tests.text.scaling import growth

PIECES = st.sampled_from(
    [
        "Tom ", "Dr. Okafor ", "I ", "may ", "not ", "two kids ", "$20 ", "30 euros, ", "a, b and c. ", "\n- x\n- y\n",
        "https://a.example/b ", "`x` ", "CA1234 ", "\"Dune\" ", "王小明", "三百块", "两只猫", "没有", "如果", "、", "，", "《三体》",
        "“", "”", "'", "*", "(", "\n", "１２", "é", "\u0301", "😀", "\x00", "\ud800", "清华大学", "一", "第三名", "也許", "@", "/",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=14).map("".join))


def test_what_was_just_now_is_no_fact() -> None:
    assert scan("I just got back, said the cook.") == ()


@given(TEXTS)
def test_facts_lie_in_the_text_in_order_and_once(text: str) -> None:
    facts = scan(text)
    assert all(0 <= fact.start < fact.end <= len(text) for fact in facts)
    assert all(fact.kind in FACT_KINDS for fact in facts)
    keys = [(fact.start, fact.end, fact.kind) for fact in facts]
    assert keys == sorted(set(keys))


@given(TEXTS)
def test_a_line_before_moves_the_facts_and_adds_none(text: str) -> None:
    moved = {(f.start - 2, f.end - 2, f.kind) for f in scan(".\n" + text) if f.kind == "url"}
    assert moved == {(f.start, f.end, f.kind) for f in scan(text) if f.kind == "url"}


@pytest.mark.parametrize(
    "unit",
    [
        "a ", "A ", "Tom ", "a, ", "A, B and ", "1,", "1-", "one ", "two hundred ", "a hundred ", "not ", "half a ", "$1 ", '"', "'",
        "“", "`", "*A", "/a", "a/", "a.", "a@", "http://", "A-1", "order ", "- a\n", "一", "一百", "两只", "王", "、甲", "甲，", "大学", "不", "王·",
    ],
)  # fmt: skip
def test_time_grows_with_length_only(unit: str) -> None:
    assert growth(scan, unit, length=4_000) < 3.2


def test_a_date_money_or_a_code_is_not_a_number_too() -> None:
    text = "On 2023-05-07 I paid $20 for order 77-40918, two kids included."
    assert found(text, "number") == ["two kids"]


def test_the_words_of_a_title_are_no_details() -> None:
    text = 'I read "Never Let Me Go" and 《没有人给他写信的上校》.'
    assert found(text, "negation") == []
    assert found(text, "quoted") == ['"Never Let Me Go"', "《没有人给他写信的上校》"]


def test_a_place_may_have_several_marks() -> None:
    assert found("Lena, Omar and Jules came.", "name") == ["Lena", "Omar", "Jules"]
    assert found("Lena, Omar and Jules came.", "listed") == ["Lena", "Omar", "Jules"]


def test_speakers_are_names_in_any_case() -> None:
    text = "thanks wrenna, and say hi to hope"
    names = [
        text[f.start : f.end] for f in scan(text, known=["Wrenna", "Hope"]) if f.kind == "name"
    ]
    assert names == ["wrenna"]


def test_a_blank_text_has_no_facts() -> None:
    assert scan("") == scan(" \n ") == ()
