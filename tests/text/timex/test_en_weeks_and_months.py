from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from tests.text.timex.english import dates, on, value

LAW = settings(deadline=None, max_examples=30)
DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last week", "2023-05-01..2023-05-07"),
        ("this week", "2023-05-08..2023-05-14"),
        ("early next week", "2023-05-15..2023-05-21"),
        ("the end of last week", "2023-05-01..2023-05-07"),
        ("the week before last", "2023-04-24..2023-04-30"),
        ("the week after next", "2023-05-22..2023-05-28"),
        ("the week of 23 August 2023", "2023-08-21..2023-08-27"),
        ("the week starting 15 May", "2023-05-15..2023-05-21"),
        ("last weekend", "2023-05-06..2023-05-07"),
        ("this past weekend", "2023-05-06..2023-05-07"),
        ("this weekend", "2023-05-13..2023-05-14"),
        ("next weekend", "2023-05-20..2023-05-21"),
        ("the weekend before last", "2023-04-29..2023-04-30"),
        ("two weekends ago", "2023-04-29..2023-04-30"),
        ("the weekend before 15 July 2023", "2023-07-08..2023-07-09"),
        ("two weekends before 15 July 2023", "2023-07-01..2023-07-02"),
        ("the weekend of May 20th", "2023-05-20..2023-05-21"),
    ],
)
def test_weeks_and_weekends(text: str, expected: str) -> None:
    assert value(f"It is {text}.") == expected


@LAW
@given(DAYS, st.integers(1, 60))
def test_weeks_ago_are_the_week_that_holds_the_day(day: date, weeks: int) -> None:
    first, last = (value(f"{weeks} weeks ago", on(day)) or "").split("..")
    assert date.fromisoformat(first) <= day - timedelta(weeks=weeks) <= date.fromisoformat(last)
    assert date.fromisoformat(first).weekday() == 0


@LAW
@given(DAYS)
def test_the_last_weekend_ended_before_today(day: date) -> None:
    sunday = date.fromisoformat((value("last weekend", on(day)) or "").split("..")[1])
    assert timedelta(0) < day - sunday <= timedelta(7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last month", "2023-04"),
        ("next quarter", "2023-07..2023-09"),
        ("this year", "2023"),
        ("the year before last", "2021"),
        ("last March", "2023-03"),
        ("last May", "2022-05"),
        ("next May", "2024-05"),
        ("this March", "2023-03"),
        ("March of last year", "2022-03"),
        ("last year in March", "2022-03"),
        ("March next year", "2024-03"),
        ("the 15th of last month", "2023-04-15"),
        ("last month on the 15th", "2023-04-15"),
        ("Q1 2023", "2023-01..2023-03"),
        ("Q4 last year", "2022-10..2022-12"),
        ("the second quarter of 2022", "2022-04..2022-06"),
        ("the second half of 2022", "2022-07..2022-12"),
        ("in 2019", "2019"),
        ("in late 2019", "2019"),
        ("in twenty nineteen", "2019"),
        ("in '09", "2009"),
        ("the year 2020", "2020"),
        ("in the 1990s", "1990..1999"),
        ("the late nineties", "1990..1999"),
        ("mid-May", "2023-05"),
        ("the end of May", "2023-05"),
    ],
)
def test_months_quarters_and_years(text: str, expected: str) -> None:
    assert value(f"It is about {text}.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We bought it in August.", "2022-08"),
        ("We'll sell it in August.", "2023-08"),
        ("August is hot.", None),
        ("In April's view it was.", None),
        ("I told June.", None),
        ("A book written by June.", None),
        ("We march on.", None),
        ("May I ask?", None),
        ("It may rain.", None),
        ("in 2000 words", None),
        ("2019 people came", None),
        ("It cost $2019.", None),
        ("between 1800 and 2000 calories", None),
        ("temperatures in the 70s", None),
        ("She is in her nineties.", None),
    ],
)
def test_a_month_or_a_year_alone_needs_its_preposition(text: str, expected: str | None) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the first week of May", "2023-05-01..2023-05-07"),
        ("the last week of May", "2023-05-25..2023-05-31"),
        ("the first weekend of May 2023", "2023-05-06..2023-05-07"),
        ("the second Tuesday of May 2023", "2023-05-09"),
        ("the last Friday in March", "2023-03-31"),
        ("the last day of 2022", "2022-12-31"),
        ("the first three days of May", "2023-05-01..2023-05-03"),
        ("the first half of May", "2023-05"),
        ("the sixth Monday of May 2023", None),
        ("the first Monday of every month", None),
        ("the first week of the year", None),
    ],
)
def test_the_nth_of_a_month_or_a_year(text: str, expected: str | None) -> None:
    assert value(f"It is {text}.") == expected


@pytest.mark.parametrize("text", ["my last week", "his last year", "her last week of school"])
def test_the_last_of_somebody_is_text(text: str) -> None:
    assert value(f"It was {text}.") is None


def test_her_is_an_object_as_often() -> None:
    assert dates("I saw her last week.") == [("last week", "2023-05-01..2023-05-07")]


@pytest.mark.parametrize("text", ["in March", "on Friday", "in the 1980s", "in early March"])
def test_the_preposition_of_a_bare_date_belongs_to_it(text: str) -> None:
    assert [found for found, _ in dates(f"We met {text}.")] == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("last spring", "2022-03..2022-05"),
        ("last winter", "2022-12..2023-02"),
        ("last fall", "2022-09..2022-11"),
        ("this summer", "2023-06..2023-08"),
        ("next winter", "2023-12..2024-02"),
        ("the summer of 2021", "2021-06..2021-08"),
        ("the winter of 2020-21", "2020-12..2021-02"),
        ("the fall of last year", "2022-09..2022-11"),
        ("the summer before last", "2021-06..2021-08"),
        ("two summers ago", "2021-06..2021-08"),
        ("in the summer", None),
        ("that summer", None),
    ],
)
def test_seasons_need_a_year_or_a_direction(text: str, expected: str | None) -> None:
    assert value(f"It is {text}.") == expected
