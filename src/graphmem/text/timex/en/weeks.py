"""Weeks and weekends: last week, the week of 23 August 2023, next weekend, Tuesday of next week."""

from __future__ import annotations

from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import (
    SATURDAY,
    WEEK,
    monday,
    plus_days,
    weekday_after,
    weekday_before,
    weekday_of_week,
    weekend_before,
)
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, Reads, compiled, rule


def _weekend(found: Found, weeks: int) -> Reading | None:
    """As in "Last weekend" (-1): the latest that ended before today; this (0) and next (1) by the week."""
    if found.is_owned():
        return None

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        if today is None:
            return None
        if weeks < 0:
            return setting.frame.weekend(plus_days(weekend_before(today), WEEK * (weeks + 1)))
        if weeks == 0 and setting.tense == "past" and today.weekday() < SATURDAY:
            return setting.frame.weekend(
                weekend_before(today)
            )  # said on Monday of the one just over
        return setting.frame.weekend(plus_days(monday(today), WEEK * weeks))

    return Reading(end=found.end, shape="weekend", resolve=resolve)


def _coming_weekend(found: Found) -> Reading:
    """As in "This coming weekend": the first that begins after today."""

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        return setting.frame.weekend(weekday_after(today, SATURDAY)) if today else None

    return Reading(end=found.end, shape="weekend", resolve=resolve)


def _weekends_ago(found: Found) -> Reading | None:
    """As in "Two weekends ago"."""
    return _weekend(found, -min(found.value(1), 1000) if found.name(1) != "a" else -1)


def _weekend_beside(found: Found) -> Reading | None:
    """As in "The weekend before 15 July 2023", "two weekends after Easter 2022"."""
    inner, is_before = found.inner, found.name(3) == "before"
    count = found.value(1) if found.name(1) == "num" else 1

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        interval = inner.at(setting)
        day = None
        if interval is not None:
            day = frame.first_day(interval) if is_before else frame.last_day(interval)
        if day is None or not 0 < count <= 1000:
            return None
        if is_before:
            return frame.weekend(plus_days(weekend_before(day), -WEEK * (count - 1)))
        return frame.weekend(plus_days(weekday_after(day, SATURDAY), WEEK * (count - 1)))

    return Reading(end=inner.end, shape="weekend", resolve=resolve)


def _weekend_related(found: Found) -> Reading:
    """As in "The following weekend", "the previous weekend": seen from the latest date before."""
    is_before = found.name(1) == "previous"

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        if frame.reference is None:
            return None
        first, last = frame.first_day(frame.reference), frame.last_day(frame.reference)
        if is_before:
            return frame.weekend(weekday_before(first, SATURDAY)) if first else None
        return frame.weekend(weekday_after(last, SATURDAY)) if last else None

    return Reading(end=found.end, shape="weekend", resolve=resolve)


def _week_of(found: Found) -> Reading | None:
    """As in "The week of 23 August 2023": the week that holds the day."""
    inner, is_weekend = found.inner, found.name(1) == "weekend"
    is_week = is_weekend or found.value(1) == Unit.WEEK
    if not is_week or inner.shape not in {"date", "day", "other", "weekday"}:
        return None

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        interval = inner.at(setting)
        day = frame.first_day(interval) if interval else None
        if day is None or interval is None or frame.last_day(interval) != day:
            return None
        return frame.weekend(day) if is_weekend else frame.week(day)

    return Reading(end=inner.end, shape="weekend" if is_weekend else "week", resolve=resolve)


_OF: Final = compiled("(of|in|comma)?")
_ON: Final = compiled("s? on? (weekday)")


def _weekday_in_week(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A weekday with its week: "Tuesday of next week", "Friday last week"."""
    del start
    link = _OF.match(parser.tokens.tags, reading.end)
    if reading.shape != "weekday" or link is None or not depth:
        return None
    week = parser.date(link.end(), depth - 1)
    if week is None or week.shape != "week":
        return None
    return _of_week(week, reading.value, week.end)


def _week_with_weekday(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A week with its weekday: "next week on Tuesday", "last week's Friday"."""
    del start, depth
    if reading.shape != "week":
        return None
    tail = _ON.match(parser.tokens.tags, reading.end)
    if tail is None:
        return None
    return _of_week(reading, parser.tokens.items[tail.end() - 1].value, tail.end())


def _of_week(week: Reading, weekday: int, end: int) -> Reading:
    def resolve(setting: Setting) -> Interval | None:
        found = week.at(setting)
        first = setting.frame.first_day(found) if found else None
        return setting.frame.day(weekday_of_week(first, weekday, weeks=0)) if first else None

    return Reading(end=end, shape="day", resolve=resolve)


RULES: Final = (
    rule("last weekend", lambda found: _weekend(found, -1)),
    rule("this (past|last) weekend", lambda found: _weekend(found, -1)),
    rule("this weekend", lambda found: _weekend(found, 0)),
    rule("next weekend", lambda found: _weekend(found, 1)),
    rule("(this|the) coming weekend", _coming_weekend),
    rule("the weekend before last", lambda found: _weekend(found, -2)),
    rule("the weekend after next", lambda found: _weekend(found, 2)),
    rule("(num|a) (weekend|weekends) ago", _weekends_ago),
    rule("the (following|next|previous) weekend", _weekend_related),
    rule("(the|num) (weekend|weekends) (before|after) DATE", _weekend_beside),
    rule("the (weekend) of DATE", _week_of),
    rule("the (unit) (of|weekstart|end) DATE", _week_of),
    rule("(on|at)? the weekend", lambda found: Reading(end=found.end, kind="vague")),
)
ATTACHMENTS: Final = (_weekday_in_week, _week_with_weekday)
