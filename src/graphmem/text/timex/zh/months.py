"""Months and what divides them: 上个月, 三月份; days, thirds, weeks and weekdays of a month."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import (
    SATURDAY,
    WEEK,
    nearest_date,
    nearest_month,
    nth_weekday,
    plus_days,
    plus_months,
)
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Unit, first_day
from graphmem.text.timex.zh.rule import Match, Opening, Refinement, opening, refinement
from graphmem.text.timex.zh.surroundings import is_measured, reads_as_time
from graphmem.text.timex.zh.tense import outlook
from graphmem.text.timex.zh.years import TODAY

_LAST: Final = -1
_WEEKS: Final = 4  # a fifth would leave the month
_FIRM_BEFORE: Final = frozenset("在从到直")


def _relative(tokens: Tokens, match: Match) -> Phrase | None:
    """上个月, 下下个月; 上个月底 is the month."""
    offset = tokens.value(match.start())
    if match["n"] and (tokens.value(match.start("n")) != 1 or offset == 0):
        return None  # 这一个月 may be the last thirty days

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        if today is None:
            return None
        return frame.month(*plus_months(today.year, today.month, offset))

    unit: Unit = "span" if match[0].endswith("底") else "month"
    return Phrase(end=match.end(), unit=unit, resolve=resolve)


def _quarter(tokens: Tokens, match: Match) -> Phrase:
    """上个季度."""
    offset = 3 * tokens.value(match.start())

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        if today is None:
            return None
        first = plus_months(today.year, (today.month - 1) // 3 * 3 + 1, offset)
        return frame.months(first, plus_months(*first, 2))

    return Phrase(end=match.end(), unit="span", resolve=resolve)


def _bare(tokens: Tokens, match: Match) -> Phrase | None:
    """三月份: by the tense of its clause; 三月 with a preposition, or before what can't be its noun."""
    at, end = match.span()
    month = tokens.value(at)
    if not 1 <= month <= 12:
        return None
    start, behind = tokens.start(at), tokens.end(end)
    is_firm = (
        bool(match["firm"])
        or len(match[0]) == 1
        or _is_bounded(tokens, end)
        or tokens.kinds[at - 1 : at] in _FIRM_BEFORE
    )

    def resolve(frame: Frame) -> Interval | None:
        if frame.today is None:
            return None
        told = outlook(tokens.text, start, behind)
        return frame.month(*nearest_month(frame.today, month, told))

    return Phrase(
        end=end,
        unit="span" if match[0].endswith("底") else "month",
        resolve=resolve,
        onward=lambda frame, after: frame.month(after.year + (month < after.month), month),
        is_loose=not is_firm,
    )


def _is_bounded(tokens: Tokens, end: int) -> bool:
    """Whether a range or a side that is open begins behind a month: 三月以来, 三月到六月."""
    following = tokens.kinds[end : end + 3]
    return following[0] in "来起止前" or following == "到数月"


def settled(tokens: Tokens, phrase: Phrase, start: int) -> Phrase | None:
    """A bare month that nothing made finer: a time only where the clause takes it as one."""
    if not phrase.is_loose:
        return phrase
    begin, end = tokens.start(start), tokens.end(phrase.end)
    if reads_as_time(tokens.text, end) and outlook(tokens.text, begin, end) is not None:
        return phrase
    return None


def _date(tokens: Tokens, match: Match) -> Phrase | None:
    """5月7日, 五月七号, 5月7; the date that the tense of the clause means."""
    at, end = match.span()
    month, day = tokens.value(at), tokens.value(at + 2)
    start, behind = tokens.start(at), tokens.end(end)
    if tokens.kinds[end - 1] == "数" and _is_count(tokens, end):
        return None
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None

    def resolve(frame: Frame) -> Interval | None:
        if frame.today is None:
            return None
        told = outlook(tokens.text, start, behind)
        return frame.day(nearest_date(frame.today, month, day, told))

    return Phrase(
        end=end,
        unit="day",
        resolve=resolve,
        onward=lambda frame, after: frame.day(nearest_date(after, month, day, "future")),
    )


def _is_count(tokens: Tokens, end: int) -> bool:
    """Whether a number behind a month counts something, and is no day: 5月3次, 三月三."""
    if tokens.kinds[end : end + 3] in {"到数日", "到数号"}:
        return False
    if tokens.kinds[end] not in "|到(午" or not tokens.word(end - 1).isascii():
        return True
    return is_measured(tokens.text, tokens.end(end))


def _day(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """The day of a month: 上个月15号, 2023年5月7日."""
    day, end = tokens.value(match.start("n")), match.end()
    if tokens.kinds[end - 1] == "数" and _is_count(tokens, end):
        return None

    def resolve(frame: Frame) -> Interval | None:
        first = first_day(phrase.resolve, frame)
        return None if first is None else frame.day(first.replace(day=day))

    return Phrase(end=end, unit="day", resolve=resolve, is_complete=phrase.is_complete)


def _part(_: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """五月上旬, 上个月月底: the month."""
    return Phrase(end=match.end(), unit="span", resolve=phrase.resolve)


def _nth(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """五月的第一周, 八月第一个周末, 五月第二个星期二, 三月最后一个星期五."""
    last = match["last"] is not None
    nth = _LAST if last else tokens.value(match.start("n"))
    at = match.end() - 1
    kind, weekday = tokens.kinds[at], tokens.value(at)
    if nth == 0 or (last and kind == "周"):
        return None

    def resolve(frame: Frame) -> Interval | None:
        first = first_day(phrase.resolve, frame)
        return None if first is None else _of_month(frame, first, (kind, weekday, nth))

    return Phrase(end=match.end(), unit="day" if kind == "曜" else "span", resolve=resolve)


def _of_month(frame: Frame, first: date, which: tuple[str, int, int]) -> Interval | None:
    kind, weekday, nth = which
    if kind == "曜":
        return frame.day(nth_weekday(first.year, first.month, weekday, nth))
    if kind == "末":
        return frame.weekend(nth_weekday(first.year, first.month, SATURDAY, nth))
    if nth > _WEEKS:
        return None
    begin = plus_days(first, WEEK * (nth - 1))
    return frame.days(begin, plus_days(begin, WEEK - 1))


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("上", "上(?P<n>数)?个?(?:月份?|底)", _relative),
    opening("上", "上个?季", _quarter),
    opening("数", "数月数[日号]?", _date),  # before a bare month, which its day would make finer
    opening("数", "数(?:月(?!天)(?P<firm>份|的?候)?|底|(?=到数月))", _bare),
)
REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement("(?P<n>数)(?:[日号]|(?![日号月]))", _day),
    refinement("[旬底]", _part),
    refinement("(?:第(?P<n>数)|(?P<last>最)数?)个?[周末曜]", _nth),
    TODAY,
)
