from __future__ import annotations

import pytest

from tests.text.facts.found import found


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('he said "over there" and left', ['"over there"']),
        ("“a” and “b”", ["“a”", "“b”"]),
        ("他说「加油」。", ["「加油」"]),
        ("看了《三体》和《边城》", ["《三体》", "《边城》"]),
        ("the song 'Don't Stop' again", ["'Don't Stop'"]),
        ("I read *The Salt Path* twice", ["*The Salt Path*"]),
        ('他说"别走"', ['"别走"']),
    ],
)
def test_marks_hold_a_quotation(text: str, quoted: list[str]) -> None:
    assert found(text, "quoted") == quoted


@pytest.mark.parametrize(
    "text",
    [
        "it's Tom's and the boys' room",
        "rock 'n' roll in the '90s",
        '6" by 7" wide',
        "*very* good",
        '"open',
    ],
)
def test_apostrophes_inches_and_emphasis_are_none(text: str) -> None:
    assert found(text, "quoted") == []


def test_a_quotation_with_capitals_is_a_name_too() -> None:
    assert found('I saw "The Salt Orchard".', "name") == ["The Salt Orchard"]
    assert found('It said "wet paint".', "name") == []
    assert found("看了《三体》。", "name") == []
