from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from graphmem.text.tokens import BuiltInTokenCounter

COUNT = BuiltInTokenCounter().count


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("   ", 0),
        ("cat", 1),
        ("internationalisation", 3),
        ("a cat.", 3),
        ("2023", 2),
        ("我喜欢烤面包", 5),
        ("привет", 3),
        ("🙂", 2),
        ("a\n\n\nb", 3),
    ],
)
def test_what_a_token_is(text: str, tokens: int) -> None:
    assert COUNT(text) == tokens


@given(st.text(), st.text())
def test_parts_joined_by_a_break_cost_no_more_than_one_token_beside_their_own(
    first: str, second: str
) -> None:
    whole = COUNT(f"{first}\n{second}")
    assert whole <= COUNT(first) + COUNT(second) + 1
    assert COUNT(first + first) <= 2 * COUNT(first)


def test_counting_is_linear() -> None:
    began = time.perf_counter()
    COUNT("a1我。" * 250_000)
    assert time.perf_counter() - began < 5
