"""So long before or after now: three days ago, in two weeks, half an hour ago, a year ago today."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.domain.moment import Moment
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.months import shape_of
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, day_rule, rule
from graphmem.text.timex.en.units import (
    halves_shifted,
    minutes_shifted,
    same_day_shifted,
    shifted,
    single_day,
)
from graphmem.text.timex.frame import Frame

_MOST: Final = 10_000_000
_MOST_HOURS: Final = 100_000
# "The best meal in years", "I can do it in two days": how long, not when.
_MEASURES: Final = re.compile(
    r"\b(?:(?:the|my|his|her|our|their|your|its) \w+est|most|worst|best|first|only|last|once|twice|times?|"
    r"(?:i|you|he|she|we|they|it|one) can|able to|takes?|done|within)\b[^.!?]{0,60}\Z",
    re.IGNORECASE,
)
_REACH: Final = 90


def _amount(found: Found, group: int) -> int:
    """The count of a group: a number, or one for "a"."""
    return 1 if found.name(group) == "a" else min(found.value(group), _MOST)


def _is_rough(found: Found) -> bool:
    """Whether "more than", "over" or "at least" stands before the count."""
    before = found.tokens.word(found.start - 1)
    return found.tokens.is_a(found.start - 1, "over", "than") or before in {"least", "most"}


def from_now(setting: Setting, unit: Unit, count: int) -> Interval | None:
    """The unit so many units from now."""
    if unit <= Unit.HOUR:
        return minutes_shifted(setting.frame, unit, 2 * count)
    today = setting.frame.today
    return shifted(setting.frame, today, unit, count) if today else None


def _shift(found: Found, count: int, unit: Unit) -> Reading:
    return Reading(end=found.end, shape=shape_of(unit), resolve=lambda s: from_now(s, unit, count))


def _vague(found: Found, end: int | None = None) -> Reading:
    return Reading(end=found.end if end is None else end, kind="vague")


def _ago(found: Found) -> Reading:
    """As in "Three days ago", "a week ago"; "a minute ago" is vague."""
    unit = Unit(found.value(2))
    if _is_rough(found) or (found.name(1) == "a" and unit < Unit.HOUR):
        return _vague(found)
    if unit is Unit.CENTURY:
        return _vague(found)
    return _shift(found, -_amount(found, 1), unit)


def _from_now(found: Found) -> Reading:
    """As in "Three days from now"."""
    return _shift(found, _amount(found, 1), Unit(found.value(2)))


def _in(found: Found) -> Reading | None:
    """As in "In three days", "in two weeks' time"; with a past verb or a superlative it is a duration."""
    unit, count = Unit(found.value(2)), _amount(found, 1)
    if _measures(found) or (found.name(1) == "a" and unit < Unit.HOUR):
        return Reading(end=found.end, kind="duration")
    if found.tokens.is_a(found.end, "or", "dash"):
        return Reading(end=found.end, kind="vague")
    reading = _shift(found, count, unit)
    return _unless_past(reading)


def _measures(found: Found) -> bool:
    start = found.tokens.items[found.start].start
    return bool(_MEASURES.search(found.tokens.text[max(0, start - _REACH) : start]))


def _unless_past(reading: Reading) -> Reading:
    """The reading, unless the clause tells what took so long."""

    def resolve(setting: Setting) -> Interval | None:
        return None if setting.tense == "past" else reading.at(setting)

    return Reading(end=reading.end, shape=reading.shape, resolve=resolve)


def _halves(found: Found, halves: int, unit: Unit) -> Reading:
    def resolve(setting: Setting) -> Interval | None:
        if unit <= Unit.HOUR:
            return minutes_shifted(setting.frame, unit, halves)
        today = setting.frame.today
        return halves_shifted(setting.frame, today, unit, halves) if today else None

    return Reading(end=found.end, resolve=resolve)


def _half_ago(found: Found) -> Reading:
    """As in "Half a year ago", "half an hour ago"."""
    return _halves(found, -1, Unit(found.value(1)))


def _in_half(found: Found) -> Reading:
    """As in "In half an hour"."""
    if _measures(found):
        return Reading(end=found.end, kind="duration")
    return _unless_past(_halves(found, 1, Unit(found.value(1))))


def _unit_and_half(found: Found) -> Reading:
    """As in "A year and a half ago", "an hour and a half ago"."""
    return _halves(found, -(2 * _amount(found, 1) + 1), Unit(found.value(2)))


def _number_and_half(found: Found) -> Reading:
    """As in "Two and a half years ago"."""
    return _halves(found, -(2 * _amount(found, 1) + 1), Unit(found.value(2)))


def _in_and_half(found: Found) -> Reading:
    """As in "In an hour and a half", "in two and a half hours"."""
    halves = 2 * _amount(found, 1) + 1
    return _unless_past(_halves(found, halves, Unit(found.value(2))))


def _quarter_hour(found: Found) -> Reading | None:
    """As in "A quarter of an hour ago", "three quarters of an hour ago"."""
    if found.value(3) != Unit.HOUR or found.value(2) != Unit.QUARTER:
        return _vague(found)
    return _shift(found, -15 * _amount(found, 1), Unit.MINUTE)


def _two_units_ago(found: Found) -> Reading:
    """As in "Two years and three months ago", "a week and two days ago"."""
    first, second = Unit(found.value(2)), Unit(found.value(4))
    count, rest = _amount(found, 1), _amount(found, 3)
    factors = {
        (Unit.YEAR, Unit.MONTH): 12,
        (Unit.WEEK, Unit.DAY): 7,
        (Unit.HOUR, Unit.MINUTE): 60,
    }
    factor = factors.get((first, second))
    return _vague(found) if factor is None else _shift(found, -(count * factor + rest), second)


def _ago_day(found: Found) -> Reading | None:
    """As in "A year ago today", "two weeks ago yesterday", "a week ago last Friday": the day itself."""
    inner, unit = found.inner, Unit(found.value(2))
    if unit is Unit.DAY or inner.shape != "day":
        return None
    return _same_day(found, -_amount(found, 1), unit)


def _from_day(found: Found) -> Reading | None:
    """As in "A week from today", "two weeks from Friday": the day itself."""
    if found.inner.shape not in {"day", "weekday"}:
        return None
    return _same_day(found, _amount(found, 1), Unit(found.value(2)))


def _same_day(found: Found, count: int, unit: Unit) -> Reading:
    inner = found.inner

    def resolve(setting: Setting) -> Interval | None:
        forced = setting.of("future") if inner.shape == "weekday" else setting
        day = single_day(setting.frame, inner.at(forced))
        moved = same_day_shifted(day, unit, count) if day else None
        return setting.frame.day(moved) if moved else None

    return Reading(end=inner.end, shape="day", resolve=resolve)


def _this_time_last_year(found: Found) -> Reading | None:
    """As in "This time last year": the month."""
    inner = found.inner
    if inner.shape != "year" or inner.is_bare:
        return None

    def resolve(setting: Setting) -> Interval | None:
        today, interval = setting.frame.today, inner.at(setting)
        first = setting.frame.first_day(interval) if interval else None
        return setting.frame.month(first.year, today.month) if first and today else None

    return Reading(end=inner.end, shape="month", resolve=resolve)


def later(setting: Setting, unit: Unit, count: int) -> Interval | None:
    """The unit so many units after (or before) the latest date that was read before."""
    frame, reference = setting.frame, setting.frame.reference
    if reference is None or reference.start_us is None or reference.end_us is None:
        return None
    if unit <= Unit.HOUR:
        return _hours_later(frame, reference, unit, count)
    first, last = frame.first_day(reference), frame.last_day(reference)
    if first is None or last is None:
        return None
    return shifted(frame, first, unit, count) if _is_within(unit, (last - first)) else None


def _hours_later(frame: Frame, reference: Interval, unit: Unit, count: int) -> Interval | None:
    """So many hours or minutes after a time of day that was read before."""
    minutes = {Unit.HOUR: 60, Unit.MINUTE: 1}.get(unit)
    is_time = reference.grain in {"minute", "hour"} and not reference.states_offset
    if minutes is None or reference.start_us is None or not is_time or abs(count) > _MOST_HOURS:
        return None
    moment = Moment(us=reference.start_us, offset_minutes=frame.offset_minutes)
    at = moment.local().replace(tzinfo=None) + timedelta(minutes=minutes * count)
    return frame.clock(at, "hour" if unit is Unit.HOUR else "minute")


def _ago_this(found: Found) -> Reading:
    """As in "two years ago this month"."""
    unit, inner = Unit(found.value(2)), Unit(found.value(3))
    if unit is not Unit.YEAR or inner not in {Unit.MONTH, Unit.QUARTER}:
        return _vague(found)
    count = -_amount(found, 1) * (12 if inner is Unit.MONTH else 4)
    return _shift(found, count, inner)


def _is_within(unit: Unit, length: timedelta) -> bool:
    """Whether a date of that length is one unit at most, so that it can be counted from."""
    most = {Unit.DAY: 0, Unit.WEEK: 6, Unit.MONTH: 30, Unit.QUARTER: 91, Unit.YEAR: 365}
    return length.days <= most.get(unit, 365)


def _later(found: Found) -> Reading:
    """As in "Three days later", "two weeks earlier": seen from the latest date before."""
    unit, count = Unit(found.value(2)), _amount(found, 1)
    if found.tokens.is_a(found.end, "than"):
        return Reading(end=found.end, kind="duration")
    sign = -1 if found.name(3) in {"earlier", "before"} else 1
    return Reading(
        end=found.end, shape=shape_of(unit), resolve=lambda s: later(s, unit, sign * count)
    )


RULES: Final = (
    rule("(COUNT) (UNITS) ago", _ago),
    rule("(COUNT) (UNITS) ago this (UNIT)", _ago_this),
    rule("(COUNT) (UNITS) from (vague)", _from_now),
    rule("in (COUNT) (UNITS)", _in),
    rule("in (COUNT) (UNITS) (apostrophe|s)? time", _in),
    rule("half a (UNIT) ago", _half_ago),
    rule("a half (UNIT) ago", _half_ago),
    rule("in half a (UNIT)", _in_half),
    rule("(COUNT) (UNITS) and a half ago", _unit_and_half),
    rule("(num) and a half (UNITS) ago", _number_and_half),
    rule("in (COUNT) (UNITS) and a half", _in_and_half),
    rule("in (num) and a half (UNITS)", _in_and_half),
    rule("(a|num) (quarter|units) of a (UNIT) ago", _quarter_hour),
    rule("(COUNT) (UNITS) and? (COUNT) (UNITS) ago", _two_units_ago),
    day_rule("(COUNT) (UNITS) ago DATE", _ago_day),
    day_rule("(COUNT) (UNITS) from DATE", _from_day),
    rule("this time DATE", _this_time_last_year),
    rule("(COUNT) (UNITS) (later|earlier)", _later),
    rule("(COUNT) (UNITS) (after|before) that", _later),
)
