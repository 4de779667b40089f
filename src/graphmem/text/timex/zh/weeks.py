"""Weeks and weekdays: 上周, 下个星期五, 这周末; a bare 周五 by the tense of its clause."""

from __future__ import annotations

from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import (
    SATURDAY,
    plus_days,
    weekday_after,
    weekday_before,
    weekday_of_week,
    weekend_before,
)
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Resolve, first_day
from graphmem.text.timex.zh.rule import Match, Opening, Refinement, opening, refinement
from graphmem.text.timex.zh.surroundings import is_listed, names_a_thing
from graphmem.text.timex.zh.tense import tense

_BESIDE: Final = "数双几每半前后那"  # 三周一次 holds no Monday


def _relative(tokens: Tokens, match: Match) -> Phrase | None:
    """上周, 下下个星期, 本周五, 上个周末."""
    weeks, at = tokens.value(match.start()), match.end() - 1
    if match["n"] and (tokens.value(match.start("n")) != 1 or weeks == 0):
        return None  # 这一周 may be the last seven days

    def resolve(frame: Frame) -> Interval | None:
        return None if frame.today is None else frame.week(frame.today, weeks)

    if weeks == 0 and tokens.kinds[at] == "末":
        return _this_weekend(tokens, match)
    week = Phrase(end=match.end(), unit="week", resolve=resolve)
    return week if tokens.kinds[at] == "周" else _within(tokens, week, match)


def _this_weekend(tokens: Tokens, match: Match) -> Phrase:
    """这周末: of the running week; told of as past before it has come, the one just over."""
    start, behind = tokens.start(match.start()), tokens.end(match.end())

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        if today is None:
            return None
        is_over = today.weekday() < SATURDAY and tense(tokens.text, start, behind) == "past"
        return frame.weekend(weekend_before(today) if is_over else today)

    return Phrase(end=match.end(), unit="weekend", resolve=resolve)


def _within(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """The weekday or the weekend of a week: 两周前的周五."""
    at = match.end() - 1
    is_weekday, weekday = tokens.kinds[at] == "曜", tokens.value(at)

    def resolve(frame: Frame) -> Interval | None:
        first = first_day(phrase.resolve, frame)
        if first is None:
            return None
        if is_weekday:
            return frame.day(weekday_of_week(first, weekday, weeks=0))
        return frame.weekend(plus_days(first, SATURDAY))

    return Phrase(end=match.end(), unit="day" if is_weekday else "weekend", resolve=resolve)


def _bare(tokens: Tokens, match: Match) -> Phrase | None:
    """周五: the nearest before today, or after it, as the clause is of the past or the future."""
    at, end = match.span()
    weekday, start, behind = tokens.value(at), tokens.start(at), tokens.end(end)
    if (at and tokens.kinds[at - 1] in _BESIDE) or is_listed(tokens.text, start):
        return None

    def resolve(frame: Frame) -> Interval | None:
        told = tense(tokens.text, start, behind)
        if frame.today is None or told is None or names_a_thing(tokens.text, start, behind):
            return None
        step = weekday_before if told == "past" else weekday_after
        return frame.day(step(frame.today, weekday))

    return Phrase(
        end=end,
        unit="day",
        resolve=resolve,
        onward=lambda frame, after: frame.day(weekday_after(plus_days(after, -1), weekday)),
    )


def _today(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """上周的今天."""
    if tokens.word(match.end() - 1) not in {"今天", "今日"}:
        return None
    resolve: Resolve = phrase.resolve

    def same_weekday(frame: Frame) -> Interval | None:
        first, today = first_day(resolve, frame), frame.today
        if first is None or today is None:
            return None
        return frame.day(weekday_of_week(first, today.weekday(), weeks=0))

    return Phrase(end=match.end(), unit="day", resolve=same_weekday)


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("上", "上(?P<n>数)?个?[周曜末]", _relative),
    opening("曜", "曜", _bare),
)
REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement("[曜末]", _within),
    refinement("今", _today),
)
