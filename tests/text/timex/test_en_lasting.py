"""What lasts to now, and days that are written together with their months."""

from __future__ import annotations

import pytest

from tests.text.timex.english import values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Seven years now, and I love it.", "2016.."),
        ("I've been playing for about four months now.", "2023-01.."),
        ("It's been a year now since we met", "2022.."),
        ("for two weeks now she has slept badly", "2023-04-24.."),
    ],
)
def test_what_lasts_is_open_from_its_begin(text: str, expected: str) -> None:
    assert values(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "I have two weeks now to finish it",
        "I've lived here for three years",
        "He is ten years old now",
        "three hours now",
    ],
)
def test_other_durations_are_text(text: str) -> None:
    assert values(text) == []


def test_a_day_may_be_written_together_with_its_month() -> None:
    assert values("the Friday before 23January, 2022") == ["2022-01-21"]
    assert values("on 3may2023x") == []


def test_this_weekend_told_as_past_on_a_monday_is_the_one_just_over() -> None:
    assert values("This weekend we went camping") == ["2023-05-06..2023-05-07"]
    assert values("This weekend we'll go camping") == ["2023-05-13..2023-05-14"]
