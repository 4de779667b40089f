"""The nth of something: the second Tuesday of May, the first week of August, the last day of 2022."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import SATURDAY, WEEK, nth_weekday, plus_days, plus_months
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.reading import InYear, Reading, Setting
from graphmem.text.timex.en.recurrence import nearest
from graphmem.text.timex.en.rule import Found, rule
from graphmem.text.timex.en.units import quarter
from graphmem.text.timex.frame import Frame

_LAST: Final = -1
_YEAR_MONTHS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """The month or the year that something is the nth of: its first and last day."""

    first: date
    last: date

    @property
    def is_month(self) -> bool:
        """Whether it is one month."""
        return (self.first.year, self.first.month) == (self.last.year, self.last.month)

    @property
    def is_year(self) -> bool:
        """Whether it is one year."""
        return self.first.year == self.last.year and (self.first.month, self.last.month) == (1, 12)


Pick = Callable[[Frame, Whole], Interval | None]


def _of(found: Found, pick: Pick) -> Reading | None:
    """The reading of a pick from the month or year that follows."""
    inner = found.inner
    if inner.shape not in {"month", "year"}:
        return None

    def picked(frame: Frame, interval: Interval | None) -> Interval | None:
        if interval is None:
            return None
        first, last = frame.first_day(interval), frame.last_day(interval)
        if first is None or last is None:
            return None
        whole = Whole(first=first, last=last)
        try:
            return pick(frame, whole) if whole.is_month or whole.is_year else None
        except (ValueError, OverflowError):
            return None

    if inner.in_year is None or inner.year_at is not None:
        return Reading(end=inner.end, resolve=lambda s: picked(s.frame, inner.at(s)))
    of_year = inner.in_year

    def in_year(frame: Frame, year: int) -> Interval | None:
        return picked(frame, of_year(frame, year))

    return _yearless(inner.end, in_year)


def _yearless(end: int, in_year: InYear) -> Reading:
    def resolve(setting: Setting) -> Interval | None:
        return nearest(setting.frame, in_year, setting.outlook)

    return Reading(end=end, in_year=in_year, resolve=resolve)


def _nth(found: Found) -> int:
    return _LAST if found.name(1) == "last" else found.value(1)


def _weekday(found: Found) -> Reading | None:
    """As in "The second Tuesday of May", "the last Friday in March"."""
    nth, weekday = _nth(found), found.value(2)

    def pick(frame: Frame, whole: Whole) -> Interval | None:
        if not whole.is_month:
            return None
        return frame.day(nth_weekday(whole.first.year, whole.first.month, weekday, nth))

    return _of(found, pick)


def _weekend(found: Found) -> Reading | None:
    """As in "The first weekend of May": the first Saturday with its Sunday."""
    nth = _nth(found)

    def pick(frame: Frame, whole: Whole) -> Interval | None:
        if not whole.is_month:
            return None
        return frame.weekend(nth_weekday(whole.first.year, whole.first.month, SATURDAY, nth))

    return _of(found, pick)


def _unit(found: Found) -> Reading | None:
    """As in "The first week of May" (its days 1 to 7), "the last day of 2022", "the second half of May"."""
    nth, unit = _nth(found), Unit(found.value(2))
    if not Unit.DAY <= unit <= Unit.QUARTER:
        return None
    return _of(found, lambda frame, whole: _stretch(frame, whole, unit, nth, 1))


def _units(found: Found) -> Reading | None:
    """As in "The first three days of May", "the last two weeks of August"."""
    nth, count, unit = _nth(found), found.value(2), Unit(found.value(3))
    if nth not in {1, _LAST}:
        return None
    return _of(found, lambda frame, whole: _stretch(frame, whole, unit, nth, count))


def _stretch(frame: Frame, whole: Whole, unit: Unit, nth: int, count: int) -> Interval | None:
    """The nth unit of a whole, or so many from its beginning or end."""
    if unit in {Unit.DAY, Unit.WEEK}:
        return _days(frame, whole, nth, (WEEK if unit is Unit.WEEK else 1), count)
    if unit in {Unit.MONTH, Unit.QUARTER} and whole.is_year:
        length = 3 if unit is Unit.QUARTER else 1
        if unit is Unit.QUARTER and count == 1:
            return quarter(frame, whole.first.year, 4 if nth == _LAST else nth)
        first = _YEAR_MONTHS - count * length if nth == _LAST else (nth - 1) * length
        months = [plus_months(whole.first.year, 1, n) for n in (first, first + count * length - 1)]
        is_within = all(year == whole.first.year for year, _ in months)
        return frame.months(months[0], months[1]) if is_within else None
    return None


def _days(frame: Frame, whole: Whole, nth: int, length: int, count: int) -> Interval | None:
    if nth == _LAST:
        first, last = plus_days(whole.last, 1 - length * count), whole.last
    else:
        first = plus_days(whole.first, length * (nth - 1))
        last = plus_days(first, length * count - 1)
    return frame.days(first, last) if whole.first <= first and last <= whole.last else None


def _half(found: Found) -> Reading | None:
    """As in "The first half of May": the month, which is coarser."""
    if found.inner.shape != "month":
        return None

    def pick(frame: Frame, whole: Whole) -> Interval | None:
        return frame.month(whole.first.year, whole.first.month) if whole.is_month else None

    return _of(found, pick)


def _none(found: Found) -> Reading:
    """As in "The first week", "the last day of the trip": of what, nobody can tell."""
    return Reading(end=found.end, kind="vague")


RULES: Final = (
    rule("the? (ordinal|second|last) (weekday) (of|in) DATE", _weekday),
    rule("the? (ordinal|second|last) weekend (of|in) DATE", _weekend),
    rule("the? (ordinal|second|last) (UNIT) (of|in) DATE", _unit),
    rule("the? (ordinal|last) (num) (UNITS) (of|in) DATE", _units),
    rule("the? (ordinal|second) half (of|in) DATE", _half),
    rule("the? (ordinal|second|last) (weekend|UNIT) of the", _none),
    rule("the (ordinal|last) num UNITS of", _none),
)
