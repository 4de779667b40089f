from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.domain.moment import Moment
from tests.text.timex.english import on, value, values

LAW = settings(deadline=None, max_examples=30)
DAYS = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("three days ago", "2023-05-05"),
        ("a couple of days ago", "2023-05-06"),
        ("twenty-one days ago", "2023-04-17"),
        ("a fortnight ago", "2023-04-24..2023-04-30"),
        ("two months ago", "2023-03"),
        ("two quarters ago", "2022-10..2022-12"),
        ("a year ago", "2022"),
        ("half a year ago", "2022-11"),
        ("a year and a half ago", "2021-11"),
        ("two and a half years ago", "2020-11"),
        ("two years and three months ago", "2021-02"),
        ("a decade ago", "2010..2019"),
        ("three days from now", "2023-05-11"),
        ("a year ago today", "2022-05-08"),
        ("two weeks ago yesterday", "2023-04-23"),
        ("a week ago last Friday", "2023-04-28"),
        ("a week from tomorrow", "2023-05-16"),
        ("this time last year", "2022-05"),
        ("two years ago in May", "2021-05"),
        ("two hours ago", "2023-05-08 11h"),
        ("half an hour ago", "2023-05-08 13:26"),
        ("an hour and a half ago", "2023-05-08 12:26"),
        ("20 minutes ago", "2023-05-08 13:36"),
        ("10min ago", "2023-05-08 13:46"),
        ("in three days", "2023-05-11"),
        ("in two weeks' time", "2023-05-22..2023-05-28"),
        ("in half an hour", "2023-05-08 14:26"),
        ("in a year", "2024"),
    ],
)
def test_so_long_before_or_after_now(text: str, expected: str) -> None:
    assert value(f"And {text}!") == expected


@LAW
@given(DAYS, st.integers(0, 5000))
def test_days_ago_are_counted(day: date, count: int) -> None:
    assert value(f"{count} days ago", on(day)) == (day - timedelta(days=count)).isoformat()


def test_a_month_ago_today_ends_with_the_month() -> None:
    assert value("a month ago today", on(date(2023, 3, 31))) == "2023-02-28"
    assert value("a year ago today", on(date(2024, 2, 29))) == "2023-02-28"


@pytest.mark.parametrize(
    "text",
    [
        "a few days ago", "several weeks ago", "years ago", "two or three days ago", "2-3 weeks ago",
        "a week or two ago", "over a year ago", "more than two weeks ago", "a week and a half ago",
        "a minute ago", "in two or three weeks", "in a few days",
    ],
)  # fmt: skip
def test_a_rough_count_is_text(text: str) -> None:
    assert value(f"It was {text}.") is None


@pytest.mark.parametrize(
    "text",
    [
        "I finished the book in three days.",
        "I haven't seen him in two weeks.",
        "It's the best day in three years.",
        "I can do it in two days.",
        "For the first time in two years.",
        "twice in a week",
        "I'll be there in a minute.",
    ],
)
def test_how_long_something_takes_is_no_date(text: str) -> None:
    assert value(text) is None


def test_hours_need_a_time_of_day_in_the_anchor() -> None:
    assert value("two hours ago", Moment.parse_iso("2023-05-08")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two days before 7 May 2023", "2023-05-05"),
        ("three weeks after 7 May 2023", "2023-05-22..2023-05-28"),
        ("a month before Christmas 2022", "2022-11"),
        ("the week before 25 May 2023", "2023-05-15..2023-05-21"),
        ("the month before May 2023", "2023-04"),
        ("the year after 2019", "2020"),
        ("the Friday before 15 July 2023", "2023-07-14"),
        ("the Monday after Easter 2022", "2022-04-18"),
        ("the night before 7 May 2023", "2023-05-06"),
        ("the week before last week", "2023-04-24..2023-04-30"),
        ("three days before the day after tomorrow", "2023-05-07"),
        ("the day before our wedding", None),
        ("three days after the accident", None),
    ],
)
def test_before_and_after_another_date(text: str, expected: str | None) -> None:
    assert value(f"It was {text}.") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Two days later we left.", "2023-05-05"),
        ("Two days earlier we had come.", "2023-05-01"),
        ("The next day we left.", "2023-05-04"),
        ("The next morning we left.", "2023-05-04"),
        ("The day after, we left.", "2023-05-04"),
        ("The following week we left.", "2023-05-08..2023-05-14"),
        ("The following Friday we left.", "2023-05-05"),
        ("The next month we left.", "2023-06"),
        ("The previous year was bad.", "2022"),
    ],
)
def test_what_follows_stands_on_the_date_before(text: str, expected: str) -> None:
    assert values(f"We came on May 3rd. {text}") == ["2023-05-03", expected]
    assert value(text) is None


def test_a_day_is_not_counted_from_a_month() -> None:
    assert values("In March we met. The next day we left.") == ["2023-03"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the day after tomorrow at 7am", "2023-05-10 07:00"),
        ("the Friday before 15 July 2023 at noon", "2023-07-14 12:00"),
        ("a year ago today at 3pm", "2022-05-08 15:00"),
    ],
)
def test_a_time_belongs_to_the_day_that_is_meant(text: str, expected: str) -> None:
    assert value(f"It is {text}.") == expected


def test_hours_are_counted_from_a_time_of_day_only() -> None:
    assert values("It began on 7 May 2023 at 3pm. Two hours later it was over.") == [
        "2023-05-07 15:00",
        "2023-05-07 17h",
    ]
    assert values("It began on 7 May 2023. Two hours later it was over.") == ["2023-05-07"]


def test_that_year_is_the_one_of_the_date_before() -> None:
    assert values("We met in June 2019; in July of that year we married.") == ["2019-06", "2019-07"]
