"""Counting in units: so many days, weeks, months or years from a day, at the grain of the unit."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import WEEK, plus_days, plus_months, same_day
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.frame import Frame

_DECADE: Final = 10
_QUARTER: Final = 3
_YEAR: Final = 12
_MOST: Final = 100_000
"""A larger count leaves the calendar in every unit of a day or more."""
_MONTHS: Final = {
    Unit.MONTH: 1,
    Unit.QUARTER: _QUARTER,
    Unit.YEAR: _YEAR,
    Unit.DECADE: _YEAR * _DECADE,
}
_DAYS: Final = {Unit.DAY: 1, Unit.WEEK: WEEK, Unit.FORTNIGHT: 2 * WEEK}
_MINUTES: Final = {Unit.MINUTE: 1, Unit.HOUR: 60}


def shifted(frame: Frame, day: date, unit: Unit, count: int) -> Interval | None:
    """The unit that lies `count` units after the one that holds the day; negative for before."""
    if abs(count) > _MOST:
        return None
    match unit:
        case Unit.DAY:
            return frame.day(plus_days(day, count))
        case Unit.WEEK | Unit.FORTNIGHT:
            return frame.week(day, count * _DAYS[unit] // WEEK)
        case Unit.MONTH | Unit.QUARTER:
            length = _MONTHS[unit]
            start = (day.month - 1) // length * length + 1
            first_month = plus_months(day.year, start, length * count)
            return frame.months(first_month, plus_months(*first_month, length - 1))
        case Unit.YEAR | Unit.DECADE:
            length = _DECADE if unit is Unit.DECADE else 1
            first = day.year // length * length + length * count
            return frame.years(first, first + length - 1)
    return None


def quarter(frame: Frame, year: int, number: int) -> Interval | None:
    """A quarter of a year, from 1 to 4."""
    first = (year, _QUARTER * (number - 1) + 1)
    return frame.months(first, plus_months(*first, _QUARTER - 1))


def same_day_shifted(day: date, unit: Unit, count: int) -> date | None:
    """The day so many units later, as a day: "a year ago today"."""
    if abs(count) > _MOST:
        return None
    if unit in _MONTHS:
        return same_day(day, months=_MONTHS[unit] * count)
    return plus_days(day, count * _DAYS[unit]) if unit in _DAYS else None


def halves_shifted(frame: Frame, day: date, unit: Unit, halves: int) -> Interval | None:
    """So many half years later, as a month: "a year and a half ago"; other units have no half."""
    if unit is not Unit.YEAR or abs(halves) > _MOST:
        return None
    return frame.month(*plus_months(day.year, day.month, halves * (_YEAR // 2)))


def minutes_shifted(frame: Frame, unit: Unit, halves: int) -> Interval | None:
    """So many half hours or minutes from the anchor: the hour for whole hours, else the minute."""
    now = frame.now
    if now is None or unit not in _MINUTES or abs(halves) > _MOST * 10:
        return None
    minutes = halves * _MINUTES[unit] / 2
    is_hour = unit is Unit.HOUR and halves % 2 == 0
    return frame.clock(now + timedelta(minutes=minutes), "hour" if is_hour else "minute")


def stretch(frame: Frame, unit: Unit, count: int) -> Interval | None:
    """The days from so many units before today to today, or from today on for a positive count."""
    if frame.today is None:
        return None
    other = same_day_shifted(frame.today, unit, count)
    if other is None:
        return None
    return frame.days(min(other, frame.today), max(other, frame.today))


def single_day(frame: Frame, interval: Interval | None) -> date | None:
    """The day that an interval lies in; None where it is of several."""
    if interval is None:
        return None
    first, last = frame.first_day(interval), frame.last_day(interval)
    return first if first == last else None
