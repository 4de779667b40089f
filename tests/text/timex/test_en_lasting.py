"""What lasts to now, and days that are written together with their months."""

from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
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


def test_this_winter_is_text_in_january() -> None:
    january = Moment.parse_iso("2023-01-17T10:00:00Z")
    assert values("This winter is hard", january) == []
    assert values("last winter was hard", january) == ["2021-12..2022-02"]
    assert values("This winter is hard", Moment.parse_iso("2023-12-17T10:00:00Z")) == [
        "2023-12..2024-02"
    ]
