from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from tests.text.timex.english import dates, on, value, values

LAW = settings(deadline=None, max_examples=30)
DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday", "2023-05-07"),
        ("today", "2023-05-08"),
        ("tomorrow", "2023-05-09"),
        ("tmrw", "2023-05-09"),
        ("tonight", "2023-05-08"),
        ("this morning", "2023-05-08"),
        ("earlier today", "2023-05-08"),
        ("last night", "2023-05-07"),
        ("late last night", "2023-05-07"),
        ("the night before last", "2023-05-06"),
        ("the day before yesterday", "2023-05-06"),
        ("the day after tomorrow", "2023-05-10"),
        ("tomorrow evening", "2023-05-09"),
    ],
)
def test_a_day_is_seen_from_the_anchor(text: str, expected: str) -> None:
    assert value(f"We spoke of it {text}.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last Tuesday", "2023-05-02"),
        ("last Monday", "2023-05-01"),
        ("this past Friday", "2023-05-05"),
        ("the Friday before last", "2023-04-28"),
        ("next Tuesday", "2023-05-09"),
        ("next Monday", "2023-05-15"),
        ("this coming Friday", "2023-05-12"),
        ("this Friday", "2023-05-12"),
        ("this Monday", "2023-05-08"),
        ("Tuesday of next week", "2023-05-16"),
        ("next week on Tuesday", "2023-05-16"),
        ("Friday last week", "2023-05-05"),
    ],
)
def test_a_weekday_with_a_direction(text: str, expected: str) -> None:
    assert value(f"It is about {text}.") == expected


@LAW
@given(DAYS, st.integers(0, 6))
def test_last_and_next_are_the_nearest_on_either_side(day: date, weekday: int) -> None:
    name = WEEKDAYS[weekday]
    last = date.fromisoformat(value(f"last {name}", on(day)) or "")
    following = date.fromisoformat(value(f"next {name}", on(day)) or "")
    assert last.weekday() == following.weekday() == weekday
    assert timedelta(0) < day - last <= timedelta(7)
    assert timedelta(0) < following - day <= timedelta(7)


@LAW
@given(DAYS, st.integers(1, 200), st.sampled_from(["last Friday", "this Friday", "two days ago"]))
def test_day_rules_move_with_the_anchor_by_whole_weeks(day: date, weeks: int, text: str) -> None:
    moved = day + timedelta(weeks=weeks)
    first, second = value(text, on(day)), value(text, on(moved))
    assert date.fromisoformat(second or "") - date.fromisoformat(first or "") == moved - day


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met on Friday.", "2023-05-05"),
        ("I saw him Friday night.", "2023-05-05"),
        ("On Friday, after the game, we ate pizza.", "2023-05-05"),
        ("We'll meet on Friday.", "2023-05-12"),
        ("I'm flying to Rome on Friday.", "2023-05-12"),
        ("Are we meeting on Friday?", "2023-05-12"),
        ("Remind me on Friday.", "2023-05-12"),
        ("The train leaves on Friday.", "2023-05-12"),
        ("Is the gym open on Fridays?", None),
        ("The gym on Friday: yes or no?", None),
        ("We agreed to meet on Friday.", None),
    ],
)
def test_a_bare_weekday_follows_the_tense(text: str, expected: str | None) -> None:
    assert value(text) == expected


def test_each_clause_has_its_own_tense() -> None:
    text = "It rained on Tuesday, so we'll play on Thursday."
    assert values(text) == ["2023-05-02", "2023-05-11"]


@pytest.mark.parametrize(
    "text",
    [
        "Friday's meeting was great.",
        "We watched Ruby Tuesday.",
        "The Sunday roast was good.",
        "Sunday school was fun.",
        "He played in Sunday in the Park.",
        "That Friday we left.",
        "One Friday we saw a fox.",
        "The sun sat low and the mon was bright.",
        "A week ago Friday he left.",
    ],
)
def test_a_weekday_that_nobody_can_place_is_text(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize("text", ["last fri", "last Fri", "last Fri."])
def test_short_weekdays_need_a_word_of_time_beside_them(text: str) -> None:
    assert value(f"We met {text}") == "2023-05-05"


def test_a_date_behind_its_weekday_decides() -> None:
    assert dates("Monday, 8 May 2023") == [("Monday, 8 May 2023", "2023-05-08")]
    assert value("On Tuesday the 2nd we had lunch.") == "2023-05-02"


@pytest.mark.parametrize(
    "text",
    ["Play Yesterday by the Beatles.", "Last Friday Night is a song.", "We sang Last Christmas."],
)
def test_a_capital_within_a_sentence_makes_a_name(text: str) -> None:
    assert value(text) is None


def test_a_word_over_two_lines_is_read_only_where_the_sentence_goes_on() -> None:
    assert value("the day before\nyesterday") == "2023-05-06"
    assert value("We met in May\n7 people came") == "2023-05"
