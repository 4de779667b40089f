from __future__ import annotations

import pytest

from tests.text.facts.found import found


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("flight CA1234 is late", "CA1234"),
        ("on BA 117 to Rome", "BA 117"),
        ("坐G1234去", "G1234"),
        ("call 138-0013-8000", "138-0013-8000"),
        ("电话13912345678", "13912345678"),
        ("ring +44 7700 900123 please", "+44 7700 900123"),
        ("(415) 555-2671", "(415) 555-2671"),
        ("on v2.3.1 now", "v2.3.1"),
        ("version 3.12 broke", "3.12"),
        ("commit 9f3c2ab broke it", "9f3c2ab"),
        ("try `pip install x`", "`pip install x`"),
        ("the PIN is 4482", "4482"),
        ("验证码是4482", "4482"),
        ("order #5521 is late", "#5521"),
        ("key 7KQ2-PP4X-90LM", "7KQ2-PP4X-90LM"),
        ("ticket OPS-2291", "OPS-2291"),
        ("car 沪A·8K231 there", "沪A·8K231"),
        ("call foo_bar() there", "foo_bar()"),
        ("with --dry-run on", "--dry-run"),
        ("my id is lilei_88", "lilei_88"),
        ("set DEBUG=1", "DEBUG=1"),
        ("at 10.0.0.12", "10.0.0.12"),
    ],
)
def test_identifiers_are_found(text: str, code: str) -> None:
    assert found(text, "code") == [code]


@pytest.mark.parametrize(
    "text",
    [
        "we won 3-1",
        "2019-2021",
        "100-200 people",
        "it's 5km and 16GB",
        "the 21st and the 1980s",
        "order 3 pizzas",
        "a 12-year-old",
        "12000000 people",
        "COVID-19",
        "well-known facts",
    ],
)
def test_scores_ranges_and_measures_are_none(text: str) -> None:
    assert found(text, "code") == []


def test_a_fence_is_one_piece_of_code() -> None:
    assert found("x\n```\nif a: not b\n```\ny", "code") == ["```\nif a: not b\n```"]
    assert found("x\n```\nif a: not b\n```\ny", "negation") == []
