"""Weekdays: last Tuesday, this Friday, on Friday, the Friday before 15 July 2023."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import (
    WEEK,
    plus_days,
    weekday_after,
    weekday_before,
    weekday_of_week,
)
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, day_rule, rule
from graphmem.text.words import ENGLISH, word_set

_MOST: Final = 1000
"""No one counts more weekdays back."""
_TITLES: Final = word_set(
    "watch watched watching seen called named film movie song album show novel book series band titled "
    "listened read hear heard"
)


def weekday_from(setting: Setting, day: date, weekday: int, weeks: int) -> Interval | None:
    """The nearest such weekday before a day (-1; -2 a week before it) or after it (1, 2)."""
    if weeks < 0:
        return setting.frame.day(plus_days(weekday_before(day, weekday), WEEK * (weeks + 1)))
    return setting.frame.day(plus_days(weekday_after(day, weekday), WEEK * (weeks - 1)))


def _reading(found: Found, weekday: int, weeks: int) -> Reading:
    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        return None if today is None else weekday_from(setting, today, weekday, weeks)

    return Reading(end=found.end, shape="day", resolve=resolve)


def _last(found: Found) -> Reading | None:
    """As in "Last Tuesday", "this past Tuesday"; not "her last Tuesday"."""
    if found.is_owned():
        return None
    return _reading(found, found.value(1), -1)


def _next(found: Found) -> Reading | None:
    """As in "Next Tuesday", "this coming Tuesday"."""
    if found.is_owned():
        return None
    return _reading(found, found.value(1), 1)


def _before_last(found: Found) -> Reading:
    """As in "The Tuesday before last", "the Tuesday after next"."""
    return _reading(found, found.value(1), -2 if found.name(2) == "before" else 2)


def _this(found: Found) -> Reading:
    """As in "This Friday": of the running week."""
    weekday = found.value(1)

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        if today is None:
            return None
        return setting.frame.day(weekday_of_week(today, weekday, weeks=0))

    return Reading(end=found.end, shape="day", resolve=resolve)


def _bare(found: Found) -> Reading | None:
    """As in "On Friday", "we met Friday": on the side of today that the clause speaks of."""
    weekday, has_preposition = found.value(2), found.has(1)
    if found.tokens.is_a(found.end, "s") or (not has_preposition and _is_name(found)):
        return None

    def resolve(setting: Setting) -> Interval | None:
        tense = setting.tense or ("future" if setting.clause.is_scheduled else None)
        today = setting.frame.today
        if tense is None or today is None:
            return None
        return weekday_from(setting, today, weekday, -1 if tense == "past" else 1)

    return Reading(end=found.end, shape="weekday", value=weekday, resolve=resolve)


def _is_name(found: Found) -> bool:
    """Whether a weekday without a preposition stands in a title or beside a noun: "Taco Tuesday"."""
    tokens, at = found.tokens, found.start
    before, behind = tokens.word(at - 1), tokens.word(found.end)
    if before in _TITLES or tokens.is_a(at - 1, "the", "a", "poss", "s", "in"):
        return True
    if tokens.is_a(found.end, "other") and behind not in ENGLISH:
        return True
    is_noun_before = tokens.is_a(at - 1, "other") and tokens.is_capital(at - 1)
    return is_noun_before and before not in ENGLISH and not tokens.opens_sentence(at - 1)


def _related(found: Found) -> Reading:
    """As in "The following Friday", "the previous Friday": seen from the latest date before."""
    weekday, is_before = found.value(2), found.name(1) == "previous"

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        reference = frame.reference
        if reference is None:
            return None
        day = frame.first_day(reference) if is_before else frame.last_day(reference)
        return weekday_from(setting, day, weekday, -1 if is_before else 1) if day else None

    return Reading(end=found.end, shape="day", resolve=resolve)


def _weekdays_ago(found: Found) -> Reading | None:
    """As in "two Fridays ago"."""
    count, weekday = found.value(1), found.value(2)
    return _reading(found, weekday, -count) if 1 <= count <= _MOST and weekday < WEEK else None


def _beside(found: Found, group: int = 0) -> Reading | None:
    """As in "The Friday before 15 July 2023", "the Monday after Easter 2022": the nearest."""
    inner, weekday, is_before = (
        found.inner,
        found.value(group + 1),
        found.name(group + 2) == "before",
    )

    def resolve(setting: Setting) -> Interval | None:
        interval = inner.at(setting)
        if interval is None:
            return None
        frame = setting.frame
        day = frame.first_day(interval) if is_before else frame.last_day(interval)
        return weekday_from(setting, day, weekday, -1 if is_before else 1) if day else None

    return Reading(end=inner.end, shape="day", resolve=resolve)


def _some(found: Found) -> Reading:
    """As in "That Friday", "one Friday", "the last Friday": nobody can tell which."""
    return Reading(end=found.end, kind="vague")


RULES: Final = (
    rule("(num) (weekdays) ago", _weekdays_ago),
    rule("last (weekday)", _last),
    rule("this (past|last) (weekday)", lambda found: _reading(found, found.value(2), -1)),
    rule("next (weekday)", _next),
    rule("(this|the) coming (weekday)", lambda found: _reading(found, found.value(2), 1)),
    rule("this (weekday)", _this),
    rule("the? (weekday) (before) last", _before_last),
    rule("the? (weekday) (after) next", _before_last),
    rule("(on)? (weekday)", _bare),
    rule("the (following|next|previous) (weekday)", _related),
    day_rule("(weekday) (before|after) DATE", _beside),
    day_rule("(on|the) (weekday) (before|after) DATE", lambda found: _beside(found, 1)),
    rule("(that|num|a|any|few|these) (weekday)", _some),
    rule("the (last|past)? (weekday)", _some),
    rule(
        "the? (ordinal|second|last) (weekday)", lambda found: Reading(end=found.end, kind="vague")
    ),
    rule("COUNT UNITS ago on? (weekday)", _some),
    rule("weekday COUNT UNITS ago", _some),
    rule("on? weekday UNIT", _some),
)
