from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from graphmem.text.facts import elapsed, english_money, english_number, english_polarity
from graphmem.text.facts.english_rule import Rule, starts
from graphmem.text.words import word_set

RULES = [
    (name, rule)
    for module in (elapsed, english_money, english_number, english_polarity)
    for name, rule in vars(module).items()
    if isinstance(rule, Rule)
]
WORDS = sorted(
    {word for _, rule in RULES for word in re.findall(r"[a-z]{2,}", rule._pattern.pattern)}
    | word_set("0 a 7 $ - ' , I Tom the of to in at no not one can't 12:30 5pm £3")
)


@pytest.mark.parametrize("rule", [pytest.param(rule, id=name) for name, rule in RULES])
@given(st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join))
def test_a_rule_finds_what_its_pattern_finds(rule: Rule, text: str) -> None:
    tried = [match.span() for match in rule.find(text, starts(text))]
    assert tried == [match.span() for match in rule._pattern.finditer(text)]


def test_words_numbers_and_signs_begin_rules() -> None:
    assert starts("Don't pay $20") == [(0, "don"), (4, "t"), (6, "pay"), (10, "$"), (11, "0")]
