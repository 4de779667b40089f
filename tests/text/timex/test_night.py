"""A night goes on after midnight, in both languages; where its name is in doubt the value stays the day."""

from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
from tests.text.timex.chinese import value as chinese
from tests.text.timex.english import value as english

SMALL_HOURS = Moment.parse_iso("2023-05-08T01:30:00+00:00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last night at 2am", "2023-05-08 02:00"),
        ("2am last night", "2023-05-08 02:00"),
        ("last night at 00:30", "2023-05-08 00:30"),
        ("last night at 5:59am", "2023-05-08 05:59"),
        ("last night at 6am", "2023-05-07 06:00"),
        ("last night at 11pm", "2023-05-07 23:00"),
        ("tonight at 1am", "2023-05-09 01:00"),
        ("we left last Friday night at 2am", "2023-05-06 02:00"),
        ("last night from 1am to 3am", "2023-05-08 01:00..2023-05-08 03:00"),
        ("the day after tomorrow night at 1am", "2023-05-11 01:00"),
        ("yesterday at 2am", "2023-05-07 02:00"),
        ("yesterday morning at 2am", "2023-05-07 02:00"),
    ],
)
def test_english(text: str, expected: str) -> None:
    assert english(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("昨晚凌晨两点", "2023-05-08 02:00"),
        ("昨天晚上凌晨两点", "2023-05-08 02:00"),
        ("昨晚01:30", "2023-05-08 01:30"),
        ("昨晚十一点", "2023-05-07 23:00"),
        ("昨晚08:30", "2023-05-07 20:30"),
        ("今晚凌晨一点", "2023-05-09 01:00"),
        ("昨晚十一点到凌晨两点", "2023-05-07 23:00..2023-05-08 02:00"),
        ("昨天凌晨两点", "2023-05-07 02:00"),
        ("昨晚两点", "2023-05-07"),
    ],
)
def test_chinese(text: str, expected: str) -> None:
    assert chinese(text) == expected


def test_said_in_the_small_hours_last_night_and_tonight_stay_days() -> None:
    assert english("last night at 2am", SMALL_HOURS) == "2023-05-07"
    assert english("tonight at 1am", SMALL_HOURS) == "2023-05-08"
    assert chinese("昨晚凌晨两点", SMALL_HOURS) == "2023-05-07"
    assert english("tomorrow night at 1am", SMALL_HOURS) == "2023-05-10 01:00"
