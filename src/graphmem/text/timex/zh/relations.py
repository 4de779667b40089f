"""Times beside a date: 5月7日前两天, X的前一周, X前的那个星期五, X那一周, X的第二天."""

from __future__ import annotations

from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import (
    SATURDAY,
    WEEK,
    plus_days,
    weekday_after,
    weekday_before,
)
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.distance import Measure, shifted
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Unit, first_day, unknown
from graphmem.text.timex.zh.rule import Match, Refinement, refinement

_KINDS: Final[dict[str, Measure]] = {
    "天": "day",
    "日": "day",
    "周": "week",
    "月": "month",
    "年": "year",
    "午": "day",
}
_HOLDERS: Final[dict[str, Unit]] = {"末": "weekend", "周": "week", "月": "month", "年": "year"}
_UNITS: Final[tuple[Unit, ...]] = (
    "minute",
    "hour",
    "day",
    "weekend",
    "week",
    "month",
    "season",
    "year",
)
_COUNT: Final = "(?P<n>数)(?:(?P<u>天|日|午)|个?(?P<u2>周)|个(?P<u3>月)|(?P<u4>年))"


def _beside(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """X前两天, X的前一周, X之后的三个月; X的两天前."""
    kind = next(match[name] for name in ("u", "u2", "u3", "u4") if match[name])
    measure = _KINDS[kind]
    count = tokens.value(match.start("n")) * (-1 if "前" in match[0] else 1)
    return _moved(phrase, match.end(), measure, count)


def _next(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """X的第二天, X次日."""
    if phrase.unit not in {"day", "minute"} or (match["n"] and tokens.value(match.start("n")) != 2):
        return None
    return _moved(phrase, match.end(), "day", 1)


def _moved(phrase: Phrase, end: int, measure: Measure, count: int) -> Phrase:
    unit: Unit = "span" if measure == "unknown" else measure
    if _is_coarse(phrase, unit):
        return Phrase(end=end, unit="span", resolve=unknown)  # 2023年前两个月 are its first ones

    def resolve(frame: Frame) -> Interval | None:
        day = first_day(phrase.resolve, frame)
        return None if day is None else shifted(frame, day, measure, count)

    return Phrase(end=end, unit=unit, resolve=resolve)


def _is_coarse(phrase: Phrase, unit: Unit) -> bool:
    return phrase.unit not in _UNITS or _UNITS.index(phrase.unit) > _UNITS.index(unit)


def _weekday(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """X前的那个星期五, X后的第一个周六, X前的前两个周末: the nearest, or the nth."""
    if _is_coarse(phrase, "weekend"):
        return None
    at = match.end() - 1
    nth = tokens.value(match.start("n")) if match["n"] else 1
    is_weekend = tokens.kinds[at] == "末"
    weekday = SATURDAY if is_weekend else tokens.value(at)
    steps = (1 - nth if "前" in match["side"] else nth - 1) * WEEK
    step = weekday_before if "前" in match["side"] else weekday_after

    def resolve(frame: Frame) -> Interval | None:
        day = first_day(phrase.resolve, frame)
        if day is None:
            return None
        if is_weekend and step is weekday_before:
            day = plus_days(day, -1)  # the weekend ends before the day
        found = plus_days(step(day, weekday), steps)
        return frame.weekend(found) if is_weekend else frame.day(found)

    return Phrase(end=match.end(), unit="weekend" if is_weekend else "day", resolve=resolve)


def _holding(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """X那一周, X那个周末, X那个月: the one that holds X."""
    kind = tokens.kinds[match.end() - 1]

    def resolve(frame: Frame) -> Interval | None:
        day = first_day(phrase.resolve, frame)
        if day is None:
            return None
        if kind == "末":
            return frame.weekend(day)
        return shifted(frame, day, _KINDS[kind], 0)

    unit = _HOLDERS[kind]
    if _is_coarse(phrase, unit):
        return None
    return Phrase(end=match.end(), unit=unit, resolve=resolve)


def _adjacent(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """X之后的那一周, X前的那个月: the next, or the one before."""
    measure = _KINDS[tokens.kinds[match.end() - 1]]
    return _moved(phrase, match.end(), measure, -1 if "前" in match[0] else 1)


def _vague(_: Tokens, __: Phrase, match: Match) -> Phrase:
    """X前几天: of no date."""
    return Phrase(end=match.end(), unit="span", resolve=unknown)


REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement("[前后]的?那数?个?[周月年午]", _adjacent),
    refinement("[前后]的?[几双]个?[天周月年日]", _vague),
    refinement("(?P<side>前的?前|后的?后)(?P<n>数)个?[曜末]", _weekday),
    refinement("(?P<side>[前后])的?(?:那|上|近的)?(?:第?(?P<n>数))?个?[曜末]", _weekday),
    refinement(f"[前后]的?{_COUNT}", _beside),
    refinement(f"(?<=的){_COUNT}[前后]", _beside),
    refinement("(?:第(?P<n>数)天|次)", _next),
    refinement("那数?个?[周末月年]", _holding),
)
