from __future__ import annotations

import pytest

from tests.text.timex.english import kinds, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("from May 3 to May 7", "2023-05-03..2023-05-07"),
        ("May 3-7", "2023-05-03..2023-05-07"),
        ("May 3–7, 2022", "2022-05-03..2022-05-07"),
        ("3 to 7 May 2022", "2022-05-03..2022-05-07"),
        ("from the 3rd to the 7th of May", "2023-05-03..2023-05-07"),
        ("between the 3rd and 7th of May", "2023-05-03..2023-05-07"),
        ("May 28 - June 2", "2023-05-28..2023-06-02"),
        ("from May 28 to June 2, 2022", "2022-05-28..2022-06-02"),
        ("from December 28 to January 3", "2022-12-28..2023-01-03"),
        ("from December 28 to January 3, 2020", "2019-12-28..2020-01-03"),
        ("between March and June", "2023-03..2023-06"),
        ("March-June 2022", "2022-03..2022-06"),
        ("March through June", "2023-03..2023-06"),
        ("from 2016 to 2019", "2016..2019"),
        ("2016–2019", "2016..2019"),
        ("from last Friday to Sunday", "2023-05-05..2023-05-07"),
        ("from yesterday to tomorrow", "2023-05-07..2023-05-09"),
    ],
)
def test_a_range_is_one_value(text: str, expected: str) -> None:
    assert value(f"That is {text}.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since March", "2023-03.."),
        ("since last summer", "2022-06.."),
        ("since 2016", "2016.."),
        ("since Friday", "2023-05-05.."),
        ("since November", "2022-11.."),
        ("from 7 May 2023 onwards", "2023-05-07.."),
        ("until Friday", "..2023-05-12"),
        ("by June", "..2023-06"),
        ("by the end of May", "..2023-05"),
        ("by next Friday at 5pm", "..2023-05-12 17:00"),
        ("until 2025", "..2025"),
    ],
)
def test_open_ranges(text: str, expected: str) -> None:
    assert value(f"Busy {text}.") == expected


def test_until_lies_in_the_past_of_a_clause_of_the_past() -> None:
    assert value("We stayed until Friday.") == "..2023-05-05"


def test_since_may_give_a_reason() -> None:
    assert value("Since Friday is a holiday, the shop is shut.") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the last two weeks", "2023-04-24..2023-05-08"),
        ("the past month", "2023-04-08..2023-05-08"),
        ("the last year", "2022-05-08..2023-05-08"),
        ("past 30 days", "2023-04-08..2023-05-08"),
        ("the next two weeks", "2023-05-08..2023-05-22"),
        ("the past few weeks", None),
        ("the last two hours", None),
        ("my last two weeks", None),
    ],
)
def test_the_last_units_end_today(text: str, expected: str | None) -> None:
    assert value(f"It is about {text}.") == expected


@pytest.mark.parametrize(
    "text", ["The meeting was moved from Monday to Thursday.", "I work Monday to Friday."]
)
def test_a_move_and_a_habit_are_no_ranges(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday at 3pm", "2023-05-07 15:00"),
        ("yesterday at 3 p.m.", "2023-05-07 15:00"),
        ("3pm yesterday", "2023-05-07 15:00"),
        ("yesterday at 15:00", "2023-05-07 15:00"),
        ("yesterday afternoon at three o'clock", "2023-05-07 15:00"),
        ("yesterday at half past three in the afternoon", "2023-05-07 15:30"),
        ("yesterday evening at quarter to eight", "2023-05-07 19:45"),
        ("at 9 tomorrow morning", "2023-05-09 09:00"),
        ("tonight at 8", "2023-05-08 20:00"),
        ("last night at 2", "2023-05-07"),
        ("tomorrow at noon", "2023-05-09 12:00"),
        ("tomorrow at midnight", "2023-05-09"),
        ("tomorrow at 3", "2023-05-09"),
        ("tomorrow at 7:30", "2023-05-09"),
        ("tomorrow at 12am", "2023-05-09 00:00"),
        ("May 7, 2023, 3:15 PM", "2023-05-07 15:15"),
        ("3pm UTC tomorrow", "2023-05-09 15:00+00:00"),
        ("tomorrow at 3pm +02:00", "2023-05-09 15:00+02:00"),
        ("tomorrow at 3pm EST", "2023-05-09"),
        ("tomorrow at 3pm Eastern time", "2023-05-09"),
        ("tomorrow from 3 to 5pm", "2023-05-09 15:00..2023-05-09 17:00"),
        ("from 11 to 1pm tomorrow", "2023-05-09 11:00..2023-05-09 13:00"),
        ("at 3pm", None),
        ("at half past six", None),
    ],
)
def test_a_time_beside_a_date(text: str, expected: str | None) -> None:
    assert value(f"It is {text}!") == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("for two weeks", "duration"), ("a 3-day trip", "duration"), ("the whole day", "duration"),
        ("when I was ten", "age"), ("at the age of 20", "age"), ("12 years old", "age"),
        ("a three-year-old", "age"), ("every Monday", "set"), ("on Mondays", "set"),
        ("every other Tuesday", "set"), ("every Monday and Wednesday", "set"), ("weekly", "set"),
        ("twice a month", "set"), ("every year on May 7th", "set"), ("on Monday mornings", "set"),
        ("recently", "vague"), ("the other day", "vague"), ("a few days ago", "vague"),
        ("these days", "vague"), ("the weekend", "vague"), ("a long time ago", "vague"),
    ],
)  # fmt: skip
def test_what_is_of_time_but_no_date_is_found_without_a_value(text: str, kind: str) -> None:
    assert kinds(f"It is {text}.") == [kind]
    assert value(f"It is {text}.") is None
