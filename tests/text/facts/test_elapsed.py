from __future__ import annotations

import pytest

from tests.text.facts.found import marks


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("lunch at 12:30?", "12:30"),
        ("at 8 pm then", "8 pm"),
        ("I felt bad recently", "recently"),
        ("it was cold back then", "back then"),
        ("when I was nine", "when I was nine"),
        ("in her thirties", "thirties"),
        ("最近很忙", "最近"),
        ("早上九点开会", "九点"),
        ("她三十五岁了", "三十五岁"),
        ("国庆去爬山", "国庆"),
    ],
)
def test_times_without_a_date_are_dates(text: str, surface: str) -> None:
    assert marks(text, "date", surface)
    assert not marks(text, "number", surface)


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("for two weeks", "two weeks"),
        ("a 3-hour drive", "3-hour"),
        ("it took a year and a half", "a year and a half"),
        ("seven to nine hours", "nine hours"),
        ("等了三个小时", "三个小时"),
        ("一整夜没睡", "一整夜"),
        ("住了两年半", "两年半"),
        ("四十分钟后熟", "四十分钟"),
    ],
)
def test_how_long_is_a_duration(text: str, surface: str) -> None:
    assert marks(text, "duration", surface) or marks(text, "date", surface)
    assert not marks(text, "number", surface)


@pytest.mark.parametrize("text", ["晚上好", "住12号楼", "950日元"])
def test_greetings_houses_and_yen_are_no_times(text: str) -> None:
    assert not marks(text, "date", text)
    assert not marks(text, "duration", text)
