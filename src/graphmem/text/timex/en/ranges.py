"""Ranges: from May 3 to May 7, May 3-7, since March, until Friday, the last two weeks."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import weekday_after
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.recurrence import nearest
from graphmem.text.timex.en.rule import Found, Reads, compiled, rule
from graphmem.text.timex.en.tokens import Tokens
from graphmem.text.timex.en.units import stretch
from graphmem.text.timex.frame import Frame
from graphmem.text.words import ENGLISH

_SEPARATOR: Final = compiled("(dash|to|through|until|and)")
# "Moved from Friday to Monday" is no range.
_MOVING: Final = re.compile(
    r"\b(?:mov|chang|reschedul|postpon|push|switch|shift|delay|bump|swap|brought|bring)\w*\b[^.!?]{0,60}\Z",
    re.IGNORECASE,
)
_REACH: Final = 90
_DAYS: Final = frozenset({"day", "weekday"})
_HUNDREDS: Final = 100  # of years: "the last three hundred years" tell an age, not a date
_PERSONS: Final = frozenset({"april", "may", "june", "august"})


def _span_days(found: Found, month: int, first: int, last: int) -> Reading | None:
    if not 1 <= first < last <= 31:
        return None

    def in_year(frame: Frame, year: int) -> Interval | None:
        try:
            return frame.days(date(year, month, first), date(year, month, last))
        except ValueError:
            return None

    return Reading(
        end=found.end,
        shape="date",
        in_year=in_year,
        resolve=lambda s: nearest(s.frame, in_year, s.outlook),
    )


def _month_span(found: Found) -> Reading | None:
    """As in "May 3-7", "from May 3rd to the 7th"."""
    is_between = found.name(1) == "between"
    if (found.name(4) == "and") != is_between:
        return None
    if found.tokens.is_a(found.end, "month", "units", "meridiem"):
        return None
    return _span_days(found, found.value(2), found.value(3), found.value(5))


def _span_month(found: Found) -> Reading | None:
    """As in "3-7 May", "from the 3rd to the 7th of May"."""
    is_between = found.name(1) == "between"
    if (found.name(3) == "and") != is_between:
        return None
    return _span_days(found, found.value(5), found.value(2), found.value(4))


def _to(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A date to another one: "May 3 to May 7", "2015-2018", "last Monday to Friday"."""
    tokens = parser.tokens
    match = _SEPARATOR.match(tokens.tags, reading.end)
    if match is None or not depth or reading.kind != "date":
        return None
    is_between = tokens.is_a(start - 1, "between")
    if tokens.is_a(reading.end, "and") != is_between:
        return None
    second = parser.date(match.end(), depth - 1)
    if second is None or (reading.is_bare and not second.is_bare and reading.in_year is None):
        return None
    if reading.shape == "year" and reading.is_bare and _counts(tokens, second.end):
        return None
    if reading.shape == "hour" and second.shape != "hour":
        return None
    joined = _joined(reading, second, is_move=_is_move(tokens.text, tokens.items[start].start))
    is_years = reading.is_bare and reading.shape == "year" and not tokens.is_a(reading.end, "dash")
    return replace(joined, is_bare=is_years)


def _counts(tokens: Tokens, at: int) -> bool:
    """Whether the numbers are followed by what they count: "between 1800 and 2000 calories"."""
    word = tokens.word(at)
    return tokens.is_a(at, "other") and word not in ENGLISH and not word.endswith("ing")


def _is_move(text: str, offset: int) -> bool:
    return bool(_MOVING.search(text[max(0, offset - _REACH) : offset]))


def _joined(first: Reading, second: Reading, *, is_move: bool) -> Reading:

    def resolve(setting: Setting) -> Interval | None:
        return None if is_move else between(setting, first, second)

    return Reading(
        end=second.end,
        is_complete=first.is_complete and second.is_complete,
        resolve=resolve,
    )


def between(setting: Setting, first: Reading, second: Reading) -> Interval | None:
    """From a date to another, the year of one serving the other; None if they are in no order."""
    if first.in_year is not None and first.year_at is None and second.year_at is not None:
        return _with_second_year(setting, first, second)
    start = first.at(setting)
    if start is None:
        return None
    end = _end_after(setting, start, second)
    return start.to(end) if end else None


def _with_second_year(setting: Setting, first: Reading, second: Reading) -> Interval | None:
    end = second.at(setting)
    year = second.year_at(setting) if second.year_at else None
    if end is None or year is None or first.in_year is None:
        return None
    start = first.in_year(setting.frame, year)
    joined = start.to(end) if start else None
    if joined is None:
        start = first.in_year(setting.frame, year - 1)
        joined = start.to(end) if start else None
    return joined


def _end_after(setting: Setting, start: Interval, second: Reading) -> Interval | None:
    """The end of a range: a date without a year or a bare weekday is the first after the start."""
    frame = setting.frame
    day = frame.first_day(start)
    if day is None:
        return None
    if second.shape == "weekday":
        return frame.day(weekday_after(day, second.value))
    if second.in_year is None or second.year_at is not None:
        return second.at(setting)
    in_years = [second.in_year(frame, year) for year in (day.year, day.year + 1)]
    return next((end for end in in_years if end and start.to(end)), None)


def _from(found: Found) -> Reading | None:
    """As in "From May 3 to May 7", "between March and June": what follows holds the range."""
    inner = found.inner
    is_range = any(
        found.tokens.is_a(at, "dash", "to", "through", "until", "and")
        for at in range(found.end, inner.end)
    )
    return replace(inner, is_bare=False, in_year=None) if is_range else None


def _from_on(found: Found) -> Reading | None:
    """As in "From March on", "from 7 May 2023 onwards"."""
    inner, tokens = found.inner, found.tokens
    at = inner.end
    if tokens.is_a(at, "on") and not tokens.is_a(at + 1, "the", "weekday", "month"):
        return _since_reading(inner, at + 1)
    return _since_reading(inner, at + 1) if tokens.is_a(at, "onward") else None


def _since_reading(inner: Reading, end: int) -> Reading:
    def resolve(setting: Setting) -> Interval | None:
        interval = inner.at(setting)
        return interval.since() if interval and interval.start_us is not None else None

    return Reading(end=end, resolve=resolve, is_complete=inner.is_complete)


def _since(found: Found) -> Reading | None:
    """As in "Since March": of the past; not "since Friday is a holiday"."""
    inner = found.inner
    word = found.tokens.word(inner.end)
    if word in {"is", "was", "are", "were", "will"} or inner.resolve is None or _is_person(found):
        return None

    def resolve(setting: Setting) -> Interval | None:
        interval = inner.at(setting.of("past"))
        frame = setting.frame
        if interval is None or interval.start_us is None:
            return None
        first = frame.first_day(interval)
        if frame.today and first and first > frame.today:
            return None
        return interval.since()

    return Reading(end=inner.end, resolve=resolve, is_complete=inner.is_complete)


def _until(found: Found) -> Reading | None:
    """As in "Until Friday", "by June": of the future, unless the clause is of the past."""
    inner = found.inner
    if inner.resolve is None or _is_author(found) or _is_person(found):
        return None

    def resolve(setting: Setting) -> Interval | None:
        told = setting.tense if inner.shape in _DAYS else setting.outlook
        interval = inner.at(setting.of(told or "future"))
        return interval.until() if interval and interval.end_us is not None else None

    return Reading(end=inner.end, resolve=resolve, is_complete=inner.is_complete)


def _is_person(found: Found) -> bool:
    """As in "since June left", where a verb or a noun follows a name that is a month's, too."""
    tokens, end = found.tokens, found.inner.end
    is_name = found.inner.is_bare and tokens.word(end - 1) in _PERSONS
    return is_name and tokens.is_a(end, "other") and tokens.word(end) not in ENGLISH


def _is_author(found: Found) -> bool:
    """As in "Written by April", which may be a person."""
    tokens = found.tokens
    if not tokens.is_a(found.start, "by") or tokens.word(found.end) not in _PERSONS:
        return False
    before = tokens.word(found.start - 1)
    return found.inner.is_bare and before.endswith(("ed", "en", "song", "book", "poem", "made"))


def _stretch(found: Found, count: int, unit: Unit) -> Reading | None:
    if found.tokens.is_a(found.start - 1, "poss") or unit < Unit.DAY:
        return Reading(end=found.end, kind="duration")
    return Reading(end=found.end, resolve=lambda s: stretch(s.frame, unit, -count))


def _last_units(found: Found) -> Reading | None:
    """As in "The last two weeks", "past 30 days"."""
    count, unit = found.value(3), Unit(found.value(4))
    is_age = (unit is Unit.YEAR and count >= _HUNDREDS) or unit is Unit.CENTURY
    if is_age or found.tokens.is_a(found.end, "of"):
        return Reading(end=found.end, kind="vague")
    return _stretch(found, count, unit)


def _last_unit(found: Found) -> Reading | None:
    """As in "The past month", "the last year"."""
    unit = Unit(found.value(3))
    if unit in {Unit.DAY, Unit.QUARTER} or found.tokens.is_a(found.end, "of", "or"):
        return Reading(end=found.end, kind="vague")
    return _stretch(found, 1, unit)


def _next_units(found: Found) -> Reading:
    """As in "The next two weeks": from today on, unless a date was told before, from which they might go on."""
    count, unit = found.value(3), Unit(found.value(4))

    def resolve(setting: Setting) -> Interval | None:
        is_story = setting.frame.reference is not None or setting.tense == "past"
        return None if is_story else stretch(setting.frame, unit, count)

    if unit < Unit.DAY:
        return Reading(end=found.end, kind="duration")
    return Reading(end=found.end, resolve=resolve)


RULES: Final = (
    rule(
        "(from|between)? (month) (num|ordinal) (dash|to|through|until|and) the? (num|ordinal)",
        _month_span,
    ),
    rule(
        "(from|between)? the? (num|ordinal) (dash|to|through|until|and) the? (num|ordinal) of? (month)",
        _span_month,
    ),
    rule("from DATE", _from),
    rule("between DATE", _from),
    rule("from DATE", _from_on),
    rule("since DATE", _since),
    rule("(until|by) DATE", _until),
    rule("(the|these|this)? (last|past) (num) (UNITS)", _last_units),
    rule("(the) (last|past) (UNIT)", _last_unit),
    rule("(this) (last|past) (UNIT)", _last_unit),
    rule("(these|the) (next|coming) (num) (UNITS)", _next_units),
)
ATTACHMENTS: Final = (_to,)
