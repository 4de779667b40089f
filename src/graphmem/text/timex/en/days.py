"""Days seen from today: yesterday, tonight, this morning, last night, and parts of a day."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import plus_days
from graphmem.text.timex.en.lexicon import Part
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, rule
from graphmem.text.timex.en.units import single_day


def day_from_today(setting: Setting, days: int) -> Interval | None:
    """The day so many days after today."""
    today = setting.frame.today
    return setting.frame.day(plus_days(today, days)) if today else None


def _reading(found: Found, days: int, part: Part | None = None) -> Reading:
    return Reading(end=found.end, shape="day", part=part, resolve=lambda s: day_from_today(s, days))


def _dayword(found: Found) -> Reading:
    """As in "Yesterday", "today", "tomorrow"."""
    return _reading(found, found.value(1))


def _tonight(found: Found) -> Reading:
    """As in "Tonight": today."""
    return _reading(found, 0, Part.NIGHT)


def _this_part(found: Found) -> Reading:
    """As in "This morning": today."""
    return _reading(found, 0, Part(found.value(1)))


def _last_part(found: Found) -> Reading | None:
    """As in "Last night", "last evening": yesterday."""
    part = Part(found.value(1))
    if part < Part.EVENING or found.is_owned():
        return None
    return _reading(found, -1, part)


def _part_before_last(found: Found) -> Reading | None:
    """As in "The night before last"."""
    return _reading(found, -2, Part(found.value(1)))


def _part_of(found: Found) -> Reading | None:
    """As in "The morning of May 7th": the day."""
    inner = found.inner
    if inner.shape in {"week", "month", "year"}:
        return None

    def resolve(setting: Setting) -> Interval | None:
        day = single_day(setting.frame, inner.at(setting))
        return setting.frame.day(day) if day else None

    return replace(inner, part=Part(found.value(1)), resolve=resolve, in_year=None)


RULES: Final = (
    rule("(dayword)", _dayword),
    rule("tonight", _tonight),
    rule("this (part)", _this_part),
    rule("last (part)", _last_part),
    rule("the? (part) before last", _part_before_last),
    rule("the? (part) (of|on) DATE", _part_of),
)
