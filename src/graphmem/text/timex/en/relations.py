"""Dates seen from another date: two days before X, the week after X, the next day, the end of X."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import plus_days
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.months import shape_of
from graphmem.text.timex.en.offsets import later
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, day_rule, rule
from graphmem.text.timex.en.units import shifted

_MOST: Final = 100_000


def _beside(found: Found, unit: Unit, count: int) -> Reading:
    """So many units before (negative) or after the date that follows."""
    inner = found.inner

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        interval = inner.at(setting)
        if interval is None:
            return None
        day = frame.first_day(interval) if count < 0 else frame.last_day(interval)
        return shifted(frame, day, unit, count) if day else None

    return Reading(end=inner.end, shape=shape_of(unit), resolve=resolve)


def _count_beside(found: Found) -> Reading | None:
    """As in "Two days before 7 May 2023", "a week after Christmas 2022"."""
    unit = Unit(found.value(2))
    count = 1 if found.name(1) == "a" else found.value(1)
    if unit < Unit.DAY or count > _MOST:
        return Reading(end=found.inner.end, kind="vague")
    return _beside(found, unit, -count if found.name(3) == "before" else count)


def _unit_beside(found: Found) -> Reading | None:
    """As in "The week before 25 May 2023", "the day after Christmas 2022"."""
    unit = Unit(found.value(1))
    if unit < Unit.DAY:
        return None
    return _beside(found, unit, -1 if found.name(2) == "before" else 1)


def _part_beside(found: Found) -> Reading | None:
    """As in "The night before 7 May 2023": the day before; "the morning after" it: the day after."""
    return _beside(found, Unit.DAY, -1 if found.name(2) == "before" else 1)


def _unit_related(found: Found) -> Reading | None:
    """As in "The next day", "the following week", "the previous month": seen from the date before."""
    unit = Unit(found.value(2))
    if unit < Unit.DAY:
        return Reading(end=found.end, kind="vague")
    count = -1 if found.name(1) == "previous" else 1
    return Reading(end=found.end, shape=shape_of(unit), resolve=lambda s: later(s, unit, count))


def _part_related(found: Found) -> Reading:
    """As in "The next morning", "the following evening"."""
    count = -1 if found.name(1) == "previous" else 1

    def resolve(setting: Setting) -> Interval | None:
        return later(setting, Unit.DAY, count)

    return Reading(end=found.end, shape="day", resolve=resolve)


def _alone(found: Found) -> Reading | None:
    """As in "The day after" at the end of a clause: seen from the date before; "the day after we left": text."""
    unit = Unit(found.value(1))
    tokens = found.tokens
    is_end = found.end >= len(tokens.items) or tokens.is_a(
        found.end, "comma", "dot", "mark", "newline", "was"
    )
    if not is_end or unit < Unit.DAY:
        return Reading(end=found.end, kind="vague")
    count = -1 if found.name(2) == "before" else 1
    return Reading(end=found.end, shape=shape_of(unit), resolve=lambda s: later(s, unit, count))


def _event(found: Found) -> Reading | None:
    """As in "Two days before the wedding", "a week after": of an event that has no date here."""
    if found.tokens.is_a(found.end, "last", "next"):
        return None
    return Reading(end=found.end, kind="vague")


def _end_of(found: Found) -> Reading | None:
    """As in "The end of May", "the beginning of last week": the whole, which is coarser."""
    inner = found.inner
    if inner.resolve is None or inner.shape == "hour":
        return None
    return replace(inner, is_bare=False)


def _early(found: Found) -> Reading | None:
    """As in "Early 2019", "late last night", "mid-May", "later this week": the whole."""
    inner = found.inner
    if inner.resolve is None or inner.shape == "hour":
        return None
    return replace(inner, in_year=None, year_at=None, is_bare=False)


def _in_bare(found: Found) -> Reading | None:
    """As in "In March", "during 2019", "in early March": the preposition belongs to the expression."""
    inner = found.inner
    if not inner.is_bare or inner.resolve is None:
        return None
    return replace(inner, is_bare=False)


def _beginning(found: Found) -> Reading | None:
    """As in "The end of the month": this month, where the clause is of the future."""
    unit = Unit(found.value(1))
    if not Unit.WEEK <= unit <= Unit.YEAR:
        return None

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        if today is None or setting.tense != "future":
            return None
        return shifted(setting.frame, today, unit, 0)

    return Reading(end=found.end, resolve=resolve)


def _day_beside_today(found: Found) -> Reading | None:
    """As in "Day after tomorrow", said without its article."""
    days = found.inner
    if days.shape != "day" or found.value(1) != Unit.DAY:
        return None
    sign = -1 if found.name(2) == "before" else 1

    def resolve(setting: Setting) -> Interval | None:
        interval = days.at(setting)
        day = setting.frame.first_day(interval) if interval else None
        return setting.frame.day(plus_days(day, sign)) if day else None

    return Reading(end=days.end, shape="day", resolve=resolve)


RULES: Final = (
    day_rule("(COUNT) (UNITS) (before|after|from) DATE", _count_beside),
    day_rule("the (UNIT) (before|after) DATE", _unit_beside),
    day_rule("(unit) (before|after) DATE", _day_beside_today),
    day_rule("the (part) (before|after) DATE", _part_beside),
    rule("the (next|following|previous) (UNIT)", _unit_related),
    rule("the (next|following|previous) (part)", _part_related),
    rule("the (UNIT) (before|after)", _alone),
    rule("(COUNT) (UNITS) (before|after)", _event),
    rule("the (part|weekend|weekday|season) (before|after)", _event),
    rule("(the|this) (end|early) (of|in) DATE", _end_of),
    rule("the (early|end) part of DATE", _end_of),
    rule("end of DATE", _end_of),
    rule("the end of the (UNIT)", _beginning),
    rule("early dash? (in|on)? DATE", _early),
    rule("(earlier|later) DATE", _early),
    rule("(in|during) DATE", _in_bare),
    rule("in early dash? DATE", _end_of),
)
