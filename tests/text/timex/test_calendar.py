from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from graphmem.text.timex import calendar

days = st.dates(date(1900, 1, 1), date(2100, 12, 31))
weekdays = st.integers(0, 6)
months = st.integers(1, 12)


@given(days, weekdays)
def test_the_weekday_before_is_at_most_a_week_away_and_not_the_day_itself(
    day: date, weekday: int
) -> None:
    found = calendar.weekday_before(day, weekday)
    assert found.weekday() == weekday
    assert 1 <= (day - found).days <= 7


@given(days, weekdays)
def test_the_weekday_after_mirrors_the_one_before(day: date, weekday: int) -> None:
    found = calendar.weekday_after(day, weekday)
    assert found.weekday() == weekday
    assert 1 <= (found - day).days <= 7


@given(days, weekdays, st.integers(-5, 5), st.integers(-60, 60))
def test_rules_of_days_move_with_whole_weeks(day: date, weekday: int, weeks: int, by: int) -> None:
    moved = day + timedelta(weeks=by)
    for rule in (
        calendar.monday,
        calendar.weekend_before,
        lambda d: calendar.weekday_before(d, weekday),
        lambda d: calendar.weekday_of_week(d, weekday, weeks=weeks),
    ):
        assert rule(moved) == rule(day) + timedelta(weeks=by)


@given(days)
def test_the_weekend_before_ended_before_the_day(day: date) -> None:
    saturday = calendar.weekend_before(day)
    assert saturday.weekday() == calendar.SATURDAY
    assert 1 <= (day - (saturday + timedelta(days=1))).days <= 7


@given(days, st.integers(-500, 500))
def test_a_month_that_is_too_short_gives_its_last_day(day: date, by: int) -> None:
    found = calendar.same_day(day, months=by)
    assert (found.year, found.month) == calendar.plus_months(day.year, day.month, by)
    assert found.day == min(day.day, calendar.month_end(found.year, found.month).day)


def test_a_leap_day_a_year_later_is_the_28th() -> None:
    assert calendar.same_day(date(2024, 2, 29), months=12) == date(2025, 2, 28)


@given(st.integers(1990, 2040), months, weekdays, st.integers(1, 4))
def test_the_nth_weekday_has_n_minus_one_before_it(
    year: int, month: int, weekday: int, nth: int
) -> None:
    found = calendar.nth_weekday(year, month, weekday, nth)
    assert (found.month, found.weekday(), (found.day - 1) // 7 + 1) == (month, weekday, nth)


def test_a_fifth_weekday_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no such"):
        calendar.nth_weekday(2023, 2, 0, 5)


@given(st.integers(1990, 2040), months, weekdays)
def test_the_last_weekday_is_followed_by_none(year: int, month: int, weekday: int) -> None:
    found = calendar.nth_weekday(year, month, weekday, -1)
    assert (found.month, found.weekday()) == (month, weekday)
    assert (found + timedelta(days=7)).month != month


@given(days, months, st.integers(1, 28))
def test_a_date_without_a_year_is_of_the_past_of_the_future_or_the_nearest(
    today: date, month: int, day: int
) -> None:
    past = calendar.nearest_date(today, month, day, "past")
    future = calendar.nearest_date(today, month, day, "future")
    nearest = calendar.nearest_date(today, month, day, None)
    assert past <= today <= future
    assert (future - past).days <= 366
    assert abs(nearest - today) == min(today - past, future - today)


def test_a_leap_day_is_looked_for_far_away() -> None:
    assert calendar.nearest_date(date(1903, 1, 1), 2, 29, "past") == date(1896, 2, 29)
    with pytest.raises(ValueError, match=r".+"):
        calendar.nearest_date(date(2023, 1, 1), 2, 30, None)


@given(days, months)
def test_a_bare_month_is_the_running_one_at_most_a_year_away(today: date, month: int) -> None:
    here = (today.year, today.month)
    assert calendar.nearest_month(today, month, "past") <= here
    assert calendar.nearest_month(today, month, "future") >= here
    assert calendar.nearest_month(today, today.month, None) == here


@given(days, st.integers(1, 31))
def test_a_bare_day_of_month_is_never_today(today: date, day: int) -> None:
    past = calendar.nearest_day_of_month(today, day, "past")
    future = calendar.nearest_day_of_month(today, day, "future")
    assert past < today < future
    assert past.day == future.day == day
    assert (future - past).days <= 123


@pytest.mark.parametrize(
    ("season", "first", "last"),
    [
        ("spring", (2023, 3), (2023, 5)),
        ("summer", (2023, 6), (2023, 8)),
        ("autumn", (2023, 9), (2023, 11)),
        ("winter", (2023, 12), (2024, 2)),
    ],
)
def test_seasons(season: calendar.Season, first: tuple[int, int], last: tuple[int, int]) -> None:
    assert calendar.season_months(2023, season) == (first, last)


@given(days, months, st.integers(1, 28), st.sampled_from(["ahead", "either", "unsure"]))
def test_what_was_arranged_is_on_a_side_that_its_outlook_allows(
    today: date, month: int, day: int, outlook: calendar.Outlook
) -> None:
    past = calendar.nearest_date(today, month, day, "past")
    future = calendar.nearest_date(today, month, day, "future")
    behind, ahead = (today - past).days, (future - today).days
    is_told = behind <= 92 or outlook == "ahead" or (outlook == "either" and ahead < behind)
    if is_told:
        expected = past if behind <= 92 else future
        assert calendar.nearest_date(today, month, day, outlook) == expected
    else:
        with pytest.raises(ValueError, match="last year or of the next"):
            calendar.nearest_date(today, month, day, outlook)
