"""Dates without a year - months, days of them, seasons, holidays - and what gives them one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import nearest_date, nearest_month
from graphmem.text.timex.en.holiday import OTHER_CALENDARS, holiday_date
from graphmem.text.timex.en.lexicon import CODE, SEASONS
from graphmem.text.timex.en.reading import Reading, Setting, YearAt
from graphmem.text.timex.en.recurrence import SPREAD, directed, full_year
from graphmem.text.timex.en.rule import Found, Reads, compiled, rule
from graphmem.text.timex.en.tokens import Tokens
from graphmem.text.timex.frame import Frame

_YEAR_TAIL: Final = compiled("(comma|of|in|dash)? (year|shortyear)")
_OF_TAIL: Final = compiled("(of|in)?")
_SPAN_TAIL: Final = compiled("(of|comma)? yearmonth")
_WINTER_TAIL: Final = compiled("(of|comma)? year dash year")
_SAME_TAIL: Final = compiled("(of|in)? the? (that|same) unit")
_BEYOND_TAIL: Final = compiled("before last|after next")
_COMPLETE: Final = frozenset({"date", "month"})


def _direct(found: Found, years: int) -> Reading | None:
    inner = found.inner
    if inner.in_year is None or inner.year_at is not None:
        return None
    in_year = inner.in_year
    return Reading(
        end=inner.end, shape=inner.shape, resolve=lambda s: directed(s.frame, in_year, years)
    )


def _last(found: Found) -> Reading | None:
    """As in "Last March", "last Christmas", "this past summer"; not "her last summer"."""
    return None if found.is_owned() else _direct(found, -1)


def _next(found: Found) -> Reading | None:
    """As in "Next March", "this coming Christmas"."""
    return None if found.is_owned() else _direct(found, 1)


def _this(found: Found) -> Reading | None:
    """As in "This March", "this summer"."""
    return _direct(found, 0)


def _related(found: Found) -> Reading | None:
    """As in "The following summer", "the previous March": seen from the latest date before."""
    inner = found.inner
    if inner.in_year is None or inner.year_at is not None:
        return None
    in_year, is_before = inner.in_year, found.name(1) == "previous"

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        day = frame.first_day(frame.reference) if frame.reference else None
        if day is None:
            return None
        years = range(day.year - 2, day.year + 3)
        dates = [(made, frame.first_day(made)) for year in years if (made := in_year(frame, year))]
        if is_before:
            return next((made for made, first in reversed(dates) if first and first < day), None)
        return next((made for made, first in dates if first and first > day), None)

    return Reading(end=inner.end, shape=inner.shape, resolve=resolve)


def month_day(end: int, month: int, day: int) -> Reading | None:
    """As in "May 7th": a day of a month; None where no month has it."""
    if not 1 <= day <= 31 or (month, day) in {
        (2, 30),
        (2, 31),
        (4, 31),
        (6, 31),
        (9, 31),
        (11, 31),
    }:
        return None

    def in_year(frame: Frame, year: int) -> Interval | None:
        try:
            return frame.day(date(year, month, day))
        except ValueError:
            return None

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        if today is None:
            return None
        return setting.frame.day(nearest_date(today, month, day, setting.outlook))

    return Reading(end=end, shape="date", resolve=resolve, in_year=in_year)


def _month(found: Found) -> Reading | None:
    """As in "In March": a month alone, where a preposition of time stands before it."""
    month = found.value(1)
    if found.tokens.is_a(found.end, "s"):
        return None

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        if today is None:
            return None
        return setting.frame.month(*nearest_month(today, month, setting.outlook))

    return Reading(
        end=found.end,
        shape="month",
        resolve=resolve,
        in_year=lambda frame, year: frame.month(year, month),
        is_bare=True,
    )


def _season(found: Found) -> Reading | None:
    """As in "Summer", which has a date with a year or a direction only."""
    season = SEASONS[found.value(1)]
    return Reading(
        end=found.end, in_year=lambda frame, year: frame.season(year, season), is_bare=True
    )


def _holiday(found: Found) -> Reading | None:
    """As in "Christmas", which has a date with a year or a direction only."""
    number = found.value(1)
    if found.tokens.word(found.start - 1) in OTHER_CALENDARS:
        return Reading(end=found.end, kind="vague")

    def in_year(frame: Frame, year: int) -> Interval | None:
        day = holiday_date(number, year)
        return frame.day(day) if day else None

    return Reading(end=found.end, in_year=in_year)


def _with_year(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """The date with the year that follows it: "May 7th, 2023", "March of last year"."""
    if reading.in_year is None or reading.year_at is not None:
        return None
    tokens = parser.tokens
    season = _over_two_years(tokens, reading)
    if season:
        return season
    tail = _YEAR_TAIL.match(tokens.tags, reading.end)
    if tail:
        token = tokens.items[tail.end() - 1]
        return _numbered(reading, tail.end(), token.value, is_short=token.tag == CODE["shortyear"])
    beyond = _BEYOND_TAIL.match(tokens.tags, reading.end)
    if beyond and (tokens.is_a(start, "the") or tokens.is_a(start - 1, "the")):
        in_year, years = reading.in_year, (-2 if tokens.is_a(reading.end, "before") else 2)
        return Reading(end=beyond.end(), resolve=lambda s: directed(s.frame, in_year, years))
    same = _SAME_TAIL.match(tokens.tags, reading.end)
    if same and tokens.word(same.end() - 1) == "year":
        return _in_year(reading, same.end(), _reference_year)
    return _worded(parser, reading, depth)


def _over_two_years(tokens: Tokens, reading: Reading) -> Reading | None:
    """As in "Winter 2022/23", "winter 2022-2023": that of the first year, which ends in the second."""
    if not tokens.is_a(reading.end - 1, "season"):
        return None
    span = _SPAN_TAIL.match(tokens.tags, reading.end)
    if span:
        return _numbered(reading, span.end(), int(tokens.word(span.end() - 1)[:4]), is_short=False)
    tail = _WINTER_TAIL.match(tokens.tags, reading.end)
    if tail is None or tokens.word(reading.end - 1) != "winter":
        return None
    first, last = tokens.items[tail.end() - 3].value, tokens.items[tail.end() - 1].value
    return _numbered(reading, tail.end(), first, is_short=False) if last == first + 1 else None


def _reference_year(setting: Setting) -> int | None:
    """The year of the latest date before: "in July of that year"."""
    reference = setting.frame.reference
    first = setting.frame.first_day(reference) if reference else None
    return first.year if first else None


def _numbered(reading: Reading, end: int, year: int, *, is_short: bool) -> Reading:
    def year_at(setting: Setting) -> int:
        return full_year(setting.frame, year) if is_short else year

    return _in_year(
        replace(reading, is_complete=not is_short and reading.shape in _COMPLETE), end, year_at
    )


def _in_year(reading: Reading, end: int, year_at: YearAt) -> Reading:
    in_year = reading.in_year

    def resolve(setting: Setting) -> Interval | None:
        year = year_at(setting)
        return None if year is None or in_year is None else in_year(setting.frame, year)

    return replace(reading, end=end, resolve=resolve, year_at=year_at, is_bare=False)


def _worded(parser: Reads, reading: Reading, depth: int) -> Reading | None:
    """The date with a year in words: "March of last year", "Christmas two years ago"."""
    tail = _OF_TAIL.match(parser.tokens.tags, reading.end)
    inner = parser.date(tail.end(), depth - 1) if tail and depth else None
    if inner is None or inner.shape != "year" or inner.is_bare:
        return None
    return _in_year(reading, inner.end, _year_of(inner))


def _year_of(inner: Reading) -> YearAt:
    def year_at(setting: Setting) -> int | None:
        found = inner.at(setting)
        first = setting.frame.first_day(found) if found else None
        return first.year if first else None

    return year_at


_YEAR_FIRST: Final = compiled("(in|on|at|s)? the?")


def _year_before(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A year with the date in it that follows: "last year in March", "last year's Christmas"."""
    del start
    if reading.shape != "year" or not depth:
        return None
    link = _YEAR_FIRST.match(parser.tokens.tags, reading.end)
    if link is None or link.end() == reading.end:
        return None
    inner = parser.date(link.end(), depth - 1)
    if inner is None or inner.in_year is None or inner.year_at is not None:
        return None
    return _in_year(inner, inner.end, _year_of(reading))


def _seasons_ago(found: Found) -> Reading:
    """As in "Two summers ago"."""
    season, count = SEASONS[found.value(2)], min(found.value(1), SPREAD)

    def resolve(setting: Setting) -> Interval | None:
        if not count:
            return None
        return directed(setting.frame, lambda frame, year: frame.season(year, season), -count)

    return Reading(end=found.end, resolve=resolve)


RULES: Final = (
    rule("(month)", _month),
    rule("(num) (seasons) ago", _seasons_ago),
    rule("the? (season)", _season),
    rule("the? (holiday)", _holiday),
    rule("last DATE", _last),
    rule("this (past|last) DATE", _last),
    rule("next DATE", _next),
    rule("(this|the) coming DATE", _next),
    rule("this next DATE", _next),
    rule("this DATE", _this),
    rule("the (following|previous|next) DATE", _related),
)
ATTACHMENTS: Final = (_with_year, _year_before)
