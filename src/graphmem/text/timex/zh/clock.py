"""Parts of the day and clock times behind a day: 下午三点半, 晚上8点, 15:30."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import plus_days
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.night import day_of_small_hour, is_small_hour
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, first_day
from graphmem.text.timex.zh.rule import Match, Refinement, refinement

_ZONE: Final = re.compile(
    r" ?\(?(?:(?:UTC|GMT)(?:(?P<sign>[+-])(?P<hours>\d{1,2})(?::?(?P<minutes>\d\d))?)?(?![\w])"
    r"|(?P<other>(?:[A-Z]{2,4}T|[ECMP]T|CET)(?![\w])|[\u4e00-\u9fff]{2,4}时间))",
    re.ASCII,
)
_NOON: Final = 12
_HALF: Final = 30
_QUARTER: Final = 15
# Which hours a part of the day has, as 12-hour numbers, and what is added to them.
_MORNING: Final = [
    "早晨",
    "早上",
    "上午",
    "清晨",
    "早",
    "一早",
    "一大早",
    "大清早",
    "大早上",
    "黎明",
    "清早",
]
_AFTERNOON: Final = ["下午", "午后", "傍晚", "午间", "黄昏"]
_EVENING: Final = ["晚上", "晚间", "夜晚", "晚", "大晚上", "当晚", "夜间"]
_NIGHT: Final = ["夜里", "半夜", "深夜", "夜", "大半夜"]
_OF_NIGHT: Final = frozenset([*_EVENING, *_NIGHT])


def hour_of_day(part: str, hour: int, *, is_written: bool) -> int | None:
    """The hour from 0 to 24 that an hour beside a part of the day means; None where it is open.

    Args:
        part: the part of the day, empty if none is told.
        hour: the number.
        is_written: whether it stands with two digits and a colon, as 08:30 does on a clock of 24 hours.
    """
    if hour > _NOON or (hour == 0 and not part) or is_written:
        return hour if hour <= 24 else None
    if part == "凌晨":
        return hour % _NOON
    if part in _MORNING:
        return hour if hour < _NOON or part == "上午" else None
    if part in {"中午", "正午", "晌午"}:
        return hour if hour > 9 else hour + _NOON
    if part in _AFTERNOON:
        return hour % _NOON + _NOON
    return _late(part, hour)


def _late(part: str, hour: int) -> int | None:
    if part in _EVENING and hour > 4:
        return hour + _NOON
    if part in _NIGHT and 8 <= hour < _NOON:
        return hour + _NOON
    return None  # two at night may be of this day or of the next


def _part(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """5月7日晚上: the day."""
    return replace(
        phrase.at(match.end()), part=tokens.word(match.end() - 1), is_night=_is_night(phrase)
    )


def _is_night(phrase: Phrase) -> bool:
    return phrase.is_night or phrase.part in _OF_NIGHT


def _time(tokens: Tokens, match: Match) -> tuple[int, int]:
    at = match.start("n")
    if match["m"]:
        return tokens.value(at), tokens.value(match.start("m"))
    if match["half"]:
        return tokens.value(at), _HALF
    if match["k"]:
        return tokens.value(at), _QUARTER * tokens.value(match.start("k"))
    return tokens.value(at), 0


def _spoken(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """下午三点半, 三点一刻, 三点二十分."""
    hour, minute = _time(tokens, match)
    told = hour_of_day(phrase.part, hour, is_written=False)
    return _at(tokens, phrase, match.end(), (told, minute))


def _written(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """15:30; 8:30 only beside a part of the day."""
    at = match.end() - 1
    hour, minute = divmod(tokens.value(at), 60)
    has_zero = tokens.word(at).startswith("0")
    is_written = has_zero and (
        not phrase.part or (_is_night(phrase) and is_small_hour(tokens.value(at)))
    )
    told = hour_of_day(phrase.part, hour, is_written=is_written)
    return _at(tokens, phrase, match.end(), (told, minute))


def _at(tokens: Tokens, phrase: Phrase, end: int, time: tuple[int | None, int]) -> Phrase:
    """The day at a time; still the day where the hour is open or the zone is none that is read."""
    hour, minute = time
    zone = _ZONE.match(tokens.text, tokens.end(end))
    if hour is None or (hour == 24 and minute) or (zone and zone["other"]):
        return phrase.at(end)
    offset = _offset(zone) if zone else None

    is_late = _is_night(phrase) and is_small_hour(60 * hour + minute)

    def resolve(frame: Frame) -> Interval | None:
        day = first_day(phrase.resolve, frame)
        if day is None:
            return None
        found = day_of_small_hour(frame, day, is_named_by_today=True) if is_late else day
        return frame.day(day) if found is None else frame.minute(found, hour, minute, offset)

    def onward(frame: Frame, after: date) -> Interval | None:
        return frame.minute(plus_days(after, is_late), hour, minute, offset)

    return replace(phrase, end=end, unit="minute", resolve=resolve, onward=onward)


def _offset(zone: Match) -> int:
    minutes = 60 * int(zone["hours"] or 0) + int(zone["minutes"] or 0)
    return -minutes if zone["sign"] == "-" else minutes


REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement("(?:那(?:数?天)?)?午", _part),
    refinement("(?P<n>数)点(?:(?P<half>半)|(?P<k>数)刻|(?P<m>[数双])分?)?", _spoken),
    refinement("钟", _written),
)
TIMES: Final = REFINEMENTS[1:]
