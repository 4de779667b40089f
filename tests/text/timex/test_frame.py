from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from graphmem.text.timex.frame import Frame

ANCHOR = Moment.parse_iso("2023-05-08T23:30:00-05:00")
FRAME = Frame(anchor=ANCHOR)
days = st.dates(date(1, 1, 1), date(9998, 12, 31))


def test_today_is_the_anchors_local_date() -> None:
    assert FRAME.today == date(2023, 5, 8)
    assert Frame(anchor=None).today is None


def test_a_date_alone_has_no_clock() -> None:
    frame = Frame(anchor=Moment.parse_iso("2023-05-08"))
    assert frame.today == date(2023, 5, 8)
    assert frame.now is None


@given(days)
def test_a_day_is_written_as_it_is(day: date) -> None:
    interval = FRAME.day(day)
    assert interval is not None
    assert interval.text() == day.isoformat()
    assert FRAME.first_day(interval) == FRAME.last_day(interval) == day


@given(days, st.integers(-5, 5))
def test_a_week_has_seven_days_from_monday(day: date, weeks: int) -> None:
    interval = FRAME.week(day, weeks)
    if interval is None:
        return
    first, last = FRAME.first_day(interval), FRAME.last_day(interval)
    assert first is not None
    assert last is not None
    assert (first.weekday(), (last - first).days) == (0, 6)
    assert first <= day + timedelta(weeks=weeks) <= last


def test_a_winter_crosses_the_year() -> None:
    found = FRAME.season(2022, "winter")
    assert found is not None
    assert found.text() == "2022-12..2023-02"


def test_a_stated_offset_is_kept_beside_the_anchors() -> None:
    found = FRAME.minute(date(2023, 5, 7), 15, offset_minutes=480)
    assert found is not None
    assert found.text() == "2023-05-07 15:00+08:00"


@pytest.mark.parametrize(("hour", "minute"), [(25, 0), (24, 1), (-1, 0), (3, 60)])
def test_no_such_time_gives_nothing(hour: int, minute: int) -> None:
    assert FRAME.minute(date(2023, 5, 7), hour, minute) is None


def test_midnight_at_the_end_of_a_day_is_the_next_ones_first_minute() -> None:
    found = FRAME.minute(date(2023, 5, 7), 24)
    assert found is not None
    assert found.text() == "2023-05-08 00:00"


def test_what_leaves_the_calendar_gives_nothing() -> None:
    assert FRAME.year(0) is FRAME.year(10_000) is FRAME.month(2023, 13) is None
    assert FRAME.week(date(1, 1, 1), -1) is FRAME.day(date(9999, 12, 31)) is None
    assert FRAME.clock(datetime(9999, 12, 31, 23), "hour") is None
    assert FRAME.days(date(2023, 5, 8), date(2023, 5, 7)) is None
