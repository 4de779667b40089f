"""Distances from today: 三天前, 两个月后, 半年前, 两个周末前; the last two weeks; 七年了."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import WEEK, plus_days, plus_months, same_day, weekend_before
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Resolve, Unit, unknown
from graphmem.text.timex.zh.rule import Match, Opening, opening

Measure = Literal["minute", "hour", "day", "week", "month", "year", "unknown"]

_AMOUNT: Final = (
    r"(?:(?P<n>数)(?:(?P<day>[天日])|个?(?P<week>周)|(?P<month>个月)(?P<mhalf>半)?|(?P<year>年)(?P<yhalf>半)?|"
    r"个?(?P<hour>时)(?P<hhalf>半)?|个(?P<hmid>半)时|(?P<minute>分)|个(?P<mmid>半)月|(?P<quarter>个季))|"
    r"半(?:(?P<halfyear>年)|个?(?P<halfhour>时)|(?P<other>个[月周]|天)))"
)
AMOUNT: Final = re.compile(_AMOUNT)
_HUNDREDS: Final = 100  # of years: 近三百年 tells an age, not a date
_LASTS: Final = re.compile(r"了(?![结解却断])")
_PER: Final[dict[str, tuple[Measure, int]]] = {
    "day": ("day", 1),
    "week": ("week", 1),
    "month": ("month", 1),
    "year": ("year", 1),
    "hour": ("hour", 1),
    "minute": ("minute", 1),
    "quarter": ("month", 3),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """An amount of time.

    Attributes:
        measure: what it is counted in; unknown for what calendars do not count, as half a month.
        count: how many.
    """

    measure: Measure
    count: int


def amount(tokens: Tokens, match: Match) -> Amount | None:
    """The amount of a match of `AMOUNT`; None if it is none, as 2023年."""
    groups = match.groupdict()
    count = tokens.value(match.start("n")) if groups["n"] else 0
    if groups["year"] and 1000 < count < 3000 and tokens.word(match.start("n")).isascii():
        return None
    if groups["minute"] and tokens.word(match.start("minute")) != "分钟":
        return None
    if any(groups[name] for name in ("mhalf", "mmid", "other")):
        return Amount(measure="unknown", count=0)
    return _halved(groups, count) or next(
        Amount(measure=measure, count=count * factor)
        for name, (measure, factor) in _PER.items()
        if groups[name]
    )


def _halved(groups: dict[str, str | None], count: int) -> Amount | None:
    if groups["yhalf"] or groups["halfyear"]:
        return Amount(measure="month", count=12 * count + 6)
    if groups["hhalf"] or groups["hmid"] or groups["halfhour"]:
        return Amount(measure="minute", count=60 * count + 30)
    return None


def shifted(frame: Frame, day: date, measure: Measure, count: int) -> Interval | None:
    """The day, week, month or year that is so many of them after the one that holds a day."""
    match measure:
        case "day":
            return frame.day(plus_days(day, count))
        case "week":
            return frame.week(day, count)
        case "month":
            return frame.month(*plus_months(day.year, day.month, count))
        case "year":
            return frame.year(day.year + count)
        case _:
            return None


def _on_clock(frame: Frame, measure: Literal["hour", "minute"], count: int) -> Interval | None:
    if frame.now is None:
        return None
    step = timedelta(hours=count) if measure == "hour" else timedelta(minutes=count)
    return frame.clock(frame.now + step, measure)


def _ago(tokens: Tokens, match: Match) -> Phrase | None:
    """三天前, 两周之前, 一年半以前."""
    found = amount(tokens, match)
    if found is None or _is_date(tokens, match):
        return None

    def resolve(frame: Frame) -> Interval | None:
        return _from_today(frame, found.measure, -found.count)

    return Phrase(end=match.end(), unit=_unit(found.measure), resolve=resolve)


def _later(tokens: Tokens, match: Match) -> Phrase | None:
    """两天后: after the latest date that was read before, else after today; 再过两天: after today."""
    found = amount(tokens, match)
    if found is None or _is_date(tokens, match):
        return None
    is_from_today = tokens.kinds[match.start()] == "再"

    def resolve(frame: Frame) -> Interval | None:
        if frame.reference is None or is_from_today or _is_of_clock(found.measure):
            return _from_today(frame, found.measure, found.count)
        return from_reference(frame, found.measure, found.count)

    return Phrase(end=match.end(), unit=_unit(found.measure), resolve=resolve)


def _is_date(tokens: Tokens, match: Match) -> bool:
    """Whether 7日前 may as well be before the 7th; 三日前 are three days."""
    return match["day"] == "日" and tokens.word(match.start("n")).isascii()


def _unit(measure: Measure) -> Unit:
    return "span" if measure == "unknown" else measure


def _is_of_clock(measure: Measure) -> bool:
    return measure in {"hour", "minute"}


def _from_today(frame: Frame, measure: Measure, count: int) -> Interval | None:
    if _is_of_clock(measure):
        return _on_clock(frame, "hour" if measure == "hour" else "minute", count)
    return None if frame.today is None else shifted(frame, frame.today, measure, count)


def from_reference(frame: Frame, measure: Measure, count: int) -> Interval | None:
    """So many days, weeks, months or years after the date that was read before, if that is as fine."""
    reference = frame.reference
    if reference is None:
        return None
    first, last = frame.first_day(reference), frame.last_day(reference)
    if first is None or last is None:
        return None
    is_fine = _FINE[measure](first, last) if measure in _FINE else False
    return shifted(frame, last, measure, count) if is_fine else None


_FINE: Final[dict[Measure, Callable[[date, date], bool]]] = {
    "day": lambda first, last: first == last,
    "week": lambda first, last: (last - first).days < WEEK,
    "month": lambda first, last: (first.year, first.month) == (last.year, last.month),
    "year": lambda first, last: first.year == last.year,
}


def _recent(tokens: Tokens, match: Match) -> Phrase | None:
    """最近两周, 过去一个月: from that long ago to today."""
    found = amount(tokens, match)
    if found is None:
        return None

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        start = None if today is None else _days_back(today, found)
        return None if today is None or start is None else frame.days(start, today)

    is_vague = found.measure == "year" and found.count >= _HUNDREDS
    is_past = tokens.kinds[match.start()] == "近"
    known: Resolve = resolve if is_past and not is_vague else unknown
    return Phrase(end=match.end(), unit="span", resolve=known)


def _until_now(tokens: Tokens, match: Match) -> Phrase | None:
    """七年了, 四个月了: what began that long ago and lasts."""
    found = amount(tokens, match)
    if found is None or not _LASTS.match(tokens.text, tokens.end(match.end())):
        return None
    if found.measure not in {"week", "month", "year"}:
        return None

    def resolve(frame: Frame) -> Interval | None:
        start = _from_today(frame, found.measure, -found.count)
        return None if start is None else start.since()

    return Phrase(end=match.end(), unit="span", resolve=resolve)


def _weekends_ago(tokens: Tokens, match: Match) -> Phrase | None:
    """两个周末前: the second weekend that ended before today."""
    count = tokens.value(match.start("n"))

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        if today is None or not count:
            return None
        return frame.weekend(plus_days(weekend_before(today), -WEEK * (count - 1)))

    return Phrase(end=match.end(), unit="span", resolve=resolve)


def _days_back(today: date, found: Amount) -> date | None:
    match found.measure:
        case "day":
            return plus_days(today, -found.count)
        case "week":
            return plus_days(today, -WEEK * found.count)
        case "month":
            return same_day(today, months=-found.count)
        case "year":
            return same_day(today, months=-12 * found.count)
        case _:
            return None


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("数半", f"{_AMOUNT}约?前", _ago),
    opening("数半", f"{_AMOUNT}约?后", _later),
    opening("数半", _AMOUNT, _until_now),
    opening("数", r"(?P<n>数)个?末前", _weekends_ago),
    opening("再", f"再{_AMOUNT}后?", _later),
    opening("近将", f"[近将]的?(?:上(?!个?[周末曜月]))?{_AMOUNT}(?:份|来)?", _recent),
)
