"""Calendar units seen from today: last month, this year, next quarter, the week before last."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.reading import Reading, Setting, Shape
from graphmem.text.timex.en.rule import Found, Reads, compiled, rule
from graphmem.text.timex.en.units import shifted

_SHAPES: Final[dict[Unit, Shape]] = {
    Unit.DAY: "day",
    Unit.WEEK: "week",
    Unit.FORTNIGHT: "week",
    Unit.MONTH: "month",
    Unit.YEAR: "year",
    Unit.HOUR: "hour",
}


def shape_of(unit: Unit) -> Shape:
    """The shape of a date that is one such unit."""
    return _SHAPES.get(unit, "other")


def unit_from_today(end: int, unit: Unit, count: int) -> Reading:
    """The unit so many units from the running one."""

    def resolve(setting: Setting) -> Interval | None:
        today = setting.frame.today
        return shifted(setting.frame, today, unit, count) if today else None

    return Reading(end=end, shape=shape_of(unit), resolve=resolve)


def _unit(found: Found, count: int) -> Reading | None:
    """As in "Last week", "this month", "next year"; no such day, hour or minute, and not "my last year"."""
    unit = Unit(found.value(1))
    if not Unit.WEEK <= unit <= Unit.DECADE:
        return None
    if count and found.is_owned():
        return None
    if found.tokens.word(found.end) == "old":
        return None
    return unit_from_today(found.end, unit, count)


def _coming(found: Found) -> Reading | None:
    """As in "This coming week"."""
    unit = Unit(found.value(2))
    return unit_from_today(found.end, unit, 1) if Unit.WEEK <= unit <= Unit.YEAR else None


_ON_NTH: Final = compiled("on? the (ordinal|second)")


def _day_of_month(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A month with its day: "last month on the 15th"."""
    del start, depth
    if reading.shape != "month" or reading.is_bare or reading.in_year is not None:
        return None
    tail = _ON_NTH.match(parser.tokens.tags, reading.end)
    if tail is None:
        return None
    return day_of(reading, parser.tokens.items[tail.end() - 1].value, tail.end())


def day_of(month: Reading, day: int, end: int) -> Reading:
    """A day of a month that is known: "the 15th of last month"."""

    def resolve(setting: Setting) -> Interval | None:
        found = month.at(setting)
        first = setting.frame.first_day(found) if found else None
        return setting.frame.day(date(first.year, first.month, day)) if first else None

    return replace(month, end=end, shape="day", resolve=resolve, in_year=None)


RULES: Final = (
    rule("last (UNIT)", lambda found: _unit(found, -1)),
    rule("this (UNIT)", lambda found: _unit(found, 0)),
    rule("next (UNIT)", lambda found: _unit(found, 1)),
    rule("(this|the) coming (UNIT)", _coming),
    rule("(the UNIT) before last", lambda found: _beyond(found, -2)),
    rule("(the UNIT) after next", lambda found: _beyond(found, 2)),
)
ATTACHMENTS: Final = (_day_of_month,)


def _beyond(found: Found, count: int) -> Reading | None:
    """As in "The week before last", "the year after next"."""
    unit = Unit(found.tokens.items[found.start + 1].value)
    return unit_from_today(found.end, unit, count) if Unit.DAY < unit <= Unit.DECADE else None
