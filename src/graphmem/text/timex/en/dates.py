"""Dates of the calendar, in numbers and in words: 2023-05-07, 5/7/23, the 7th of May, Friday, May 5."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import nearest_date, nearest_day_of_month
from graphmem.text.timex.en.months import day_of
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.recurrence import full_year
from graphmem.text.timex.en.rule import Found, rule
from graphmem.text.timex.en.yearless import month_day
from graphmem.text.timex.frame import Frame
from graphmem.text.words import ENGLISH

_NUMBERS: Final = re.compile(r"\d+")
_MONTHS: Final = 12
_SHORT: Final = 2


def _day(frame: Frame, year: int, month: int, day: int) -> Interval | None:
    return frame.day(date(year, month, day))


def _numbers(found: Found) -> tuple[int, ...]:
    return tuple(int(number) for number in _NUMBERS.findall(found.text()))


def _ymd(found: Found) -> Reading:
    """As in "2023-05-07", "2023/5/7", "2023.05.07"."""
    year, month, day = _numbers(found)
    return Reading(
        end=found.end,
        shape="date",
        is_complete=True,
        resolve=lambda s: _day(s.frame, year, month, day),
    )


def _stamp(found: Found) -> Reading | None:
    """As in "2023-05-07T15:00Z": the minute, with the offset where it states one."""
    try:
        at = datetime.fromisoformat(found.text().replace(",", ".").upper())
    except ValueError:
        return None
    offset = at.utcoffset()
    minutes = None if offset is None else int(offset.total_seconds() // 60)
    return Reading(
        end=found.end,
        is_complete=True,
        resolve=lambda s: s.frame.minute(at.date(), at.hour, at.minute, minutes),
    )


def _slashed(found: Found) -> Reading | None:
    """As in "5/7/23": by the locale; a number above 12 settles it."""
    first, second, number = _numbers(found)
    is_short = len(found.text().rpartition("/")[2]) == _SHORT
    ordered = _ordered(first, second)

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        year = full_year(frame, number) if is_short else number
        return _day(frame, year, *(ordered or _by_locale(frame, first, second)))

    return Reading(
        end=found.end,
        shape="date",
        is_complete=ordered is not None and not is_short,
        resolve=resolve,
    )


def _ordered(first: int, second: int) -> tuple[int, int] | None:
    """Month and day where the numbers themselves tell which is which."""
    if first > _MONTHS or first == second:
        return second, first
    return (first, second) if second > _MONTHS else None


def _by_locale(frame: Frame, first: int, second: int) -> tuple[int, int]:
    return (second, first) if frame.locale == "en-GB" else (first, second)


def _slashed_without_year(found: Found) -> Reading | None:
    """As in "On 5/7": with a preposition, and no noun behind it that it could be a fraction of."""
    behind = found.tokens.word(found.end)
    leads = found.tokens.is_a(found.start - 1, "on", "since", "until", "by", "from", "to")
    first, second = _numbers(found)
    if not leads or (behind.isalpha() and behind not in ENGLISH) or behind in {"of", "%"}:
        return None
    if (first, second) in {(9, 11), (24, 7)}:  # a byword each
        return None

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        month, day = _ordered(first, second) or _by_locale(frame, first, second)
        if frame.today is None:
            return None
        return frame.day(nearest_date(frame.today, month, day, setting.outlook))

    return Reading(end=found.end, shape="date", resolve=resolve)


def _dotted(found: Found) -> Reading:
    """As in "7.5.2023": day first."""
    day, month, year = _numbers(found)
    return Reading(
        end=found.end,
        shape="date",
        is_complete=day > _MONTHS,
        resolve=lambda s: _day(s.frame, year, month, day),
    )


def _dashed(found: Found) -> Reading | None:
    """As in "25-12-2023": where a number above 12 settles it."""
    first, second, year = _numbers(found)
    ordered = _ordered(first, second)
    if ordered is None:
        return None
    month, day = ordered
    return Reading(
        end=found.end,
        shape="date",
        is_complete=True,
        resolve=lambda s: _day(s.frame, year, month, day),
    )


def _year_month(found: Found) -> Reading | None:
    """As in "2023-05", unless it may be a span of years, as 2010-12."""
    year, month = _numbers(found)
    is_span = month > year % 100 or "-" not in found.text()
    if not 1 <= month <= _MONTHS or (is_span and month > 9):
        return None
    leads = ("in", "since", "until", "by", "from", "of", "to")
    if not found.tokens.is_a(found.start - 1, *leads) or "-" not in found.text():
        return None
    return Reading(
        end=found.end, shape="month", is_complete=True, resolve=lambda s: s.frame.month(year, month)
    )


def _month_first(found: Found) -> Reading | None:
    """As in "May 7", "May the 7th", "May 7th"; not "May 5 people"."""
    is_number = found.name(2) == "num"
    if is_number and (not found.text(2).isdigit() or _counts(found)):
        return None
    return month_day(found.end, found.value(1), found.value(2))


def _day_first(found: Found) -> Reading | None:
    """As in "7 May", "7th May"."""
    if not found.text(1)[0].isdigit() or found.text(1).startswith("0" * 2):
        return None
    return month_day(found.end, found.value(2), found.value(1))


def _day_of_month(found: Found) -> Reading | None:
    """As in "The 7th of May", "the seventh of May"."""
    return month_day(found.end, found.value(2), found.value(1))


def _counts(found: Found) -> bool:
    """Whether a noun that could be counted follows the number."""
    word = found.tokens.word(found.end)
    if found.tokens.is_a(found.end, "units", "hundred", "meridiem", "clockword"):
        return True
    is_plural = word.endswith("s") and word not in ENGLISH and len(word) > 2
    return word == "people" or (found.tokens.is_a(found.end, "other", "once") and is_plural)


def _dashed_words(found: Found) -> Reading | None:
    """As in "7-May-2023", "07-May-23"."""
    reading = month_day(found.end, found.value(2), found.value(1))
    if reading is None or reading.in_year is None:
        return None
    in_year, number = reading.in_year, found.value(3)
    is_short = number < 100

    def year_at(setting: Setting) -> int:
        return full_year(setting.frame, number) if is_short else number

    return replace(
        reading,
        year_at=year_at,
        is_complete=not is_short,
        resolve=lambda s: in_year(s.frame, year_at(s)),
    )


def _with_weekday(found: Found) -> Reading | None:
    """As in "Friday, May 5", "Sunday the 7th of May": the date."""
    skip = int(found.tokens.is_a(found.start, "on"))
    return replace(found.inner, skip=skip) if found.inner.shape == "date" else None


def _nth(found: Found) -> Reading | None:
    """As in "The 15th": the nearest before or after today, where the clause tells which."""
    tokens = found.tokens
    leads = (
        "on",
        "by",
        "until",
        "since",
        "from",
        "before",
        "after",
        "and",
        "to",
        "weekday",
        "comma",
    )
    behind = tokens.word(found.end)
    is_first = found.name(1) != "ordinal" or (
        found.value(1) in {1, 3} and not found.text(1)[0].isdigit()
    )
    if is_first or not tokens.is_a(found.start - 1, *leads):
        return None
    if (behind.isalpha() and behind not in ENGLISH) or behind == "of":
        return None
    day = found.value(1)

    def resolve(setting: Setting) -> Interval | None:
        today, tense = setting.frame.today, setting.tense
        if today is None or tense is None:
            return None
        return setting.frame.day(nearest_day_of_month(today, day, tense))

    return Reading(end=found.end, shape="day", resolve=resolve)


def _year_first(found: Found) -> Reading | None:
    """As in "2022 May 7"."""
    year, month, day = found.value(1), found.value(2), found.value(3)
    return Reading(
        end=found.end,
        shape="date",
        is_complete=True,
        resolve=lambda s: _day(s.frame, year, month, day),
    )


def _weekday_nth(found: Found) -> Reading:
    """As in "Tuesday the 15th": the nearest 15th that is a Tuesday, where the clause tells before or after."""
    weekday, day = found.value(1), found.value(2)

    def resolve(setting: Setting) -> Interval | None:
        today, tense = setting.frame.today, setting.tense
        for _ in range(_MONTHS + 2):
            if today is None or tense is None:
                return None
            today = nearest_day_of_month(today, day, tense)
            if today.weekday() == weekday:
                return setting.frame.day(today)
        return None

    skip = int(found.tokens.is_a(found.start, "on"))
    return Reading(end=found.end, shape="day", resolve=resolve, skip=skip)


def _nth_of(found: Found) -> Reading | None:
    """As in "The 15th of last month"."""
    inner = found.inner
    if inner.shape != "month" or (inner.in_year is not None and inner.year_at is None):
        return None
    return replace(day_of(inner, found.value(1), inner.end), shape="date")


RULES: Final = (
    rule("ymd", _ymd),
    rule("stamp", _stamp),
    rule("slashed", _slashed),
    rule("slashed2", _slashed_without_year),
    rule("dotted", _dotted),
    rule("dashed", _dashed),
    rule("yearmonth", _year_month),
    rule("(month) the? (num|ordinal|second)", _month_first),
    rule("(num|ordinal) (month)", _day_first),
    rule("(year) comma? (month) (num|ordinal)", _year_first),
    rule("the? (ordinal|second|num) of (month)", _day_of_month),
    rule("the (ordinal|second|num) (month)", _day_first),
    rule("(num|ordinal) dash (month) dash (num|year)", _dashed_words),
    rule("weekday comma? the? DATE", _with_weekday),
    rule("on weekday comma? the? DATE", _with_weekday),
    rule("the (ordinal)", _nth),
    rule("(weekday) comma? the (ordinal)", _weekday_nth),
    rule("on (weekday) comma? the (ordinal)", _weekday_nth),
    rule("the? (ordinal|second) of DATE", _nth_of),
)
