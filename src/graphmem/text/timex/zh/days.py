"""Days: 昨天, 大后天, 15号, 2023-05-07; and what stands behind a day without changing it."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import Tense, nearest_day_of_month, plus_days
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase
from graphmem.text.timex.zh.rule import Match, Opening, Refinement, opening, refinement
from graphmem.text.timex.zh.surroundings import is_acquired, is_listed, numbers_a_thing
from graphmem.text.timex.zh.tense import tense

_PARTS_IN_WORDS: Final = {"早": "早上", "晨": "早上", "晚": "晚上", "夜": "夜里"}


def _relative(tokens: Tokens, match: Match) -> Phrase | None:
    """昨天, 前天, 今晚."""
    at = match.start()
    offset, word = tokens.value(at), tokens.word(at)
    if word == "后天" and is_acquired(tokens.text, tokens.start(at), tokens.end(match.end())):
        return None

    def resolve(frame: Frame) -> Interval | None:
        return None if frame.today is None else frame.day(plus_days(frame.today, offset))

    part = next((part for sign, part in _PARTS_IN_WORDS.items() if sign in word), "")
    return Phrase(end=match.end(), unit="day", resolve=resolve, part=part)


def _written(tokens: Tokens, match: Match) -> Phrase | None:
    """2023-05-07, 2023/5/7, 2023.5.7."""
    word = tokens.word(match.start())
    try:
        day = date(*map(int, word.replace(word[4], " ").split()))
    except ValueError:
        return None
    return Phrase(
        end=match.end(), unit="day", resolve=lambda frame: frame.day(day), is_complete=True
    )


def _of_month(tokens: Tokens, match: Match) -> Phrase | None:
    """15号: the nearest, before or after today as the clause is of the past or the future."""
    at, end = match.span()
    day, start, behind = tokens.value(at), tokens.start(at), tokens.end(end)
    if (
        not 1 <= day <= 31
        or tokens.kinds[at - 1 : at] in {"第", "每", "月"}
        or is_listed(tokens.text, start)
    ):
        return None
    if tokens.kinds[end - 1] == "日" and not tokens.word(at).isascii():
        return None  # 三日 are three days

    def nearest(frame: Frame, today: date, told: Tense) -> Interval | None:
        if numbers_a_thing(tokens.text, start, behind):
            return None
        return frame.day(nearest_day_of_month(today, day, told))

    def resolve(frame: Frame) -> Interval | None:
        told = tense(tokens.text, start, behind)
        if frame.today is None or told is None:
            return None
        return nearest(frame, frame.today, told)

    return Phrase(
        end=end,
        unit="day",
        resolve=resolve,
        onward=lambda frame, after: nearest(frame, plus_days(after, -1), "future"),
    )


def _same(_: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """5月7日（周日）, 春节那天: the day."""
    return phrase.at(match.end())


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("今", "今", _relative),
    opening("记", "记", _written),
    opening("数", "数(?:[日号]|(?=到数[日号]))", _of_month),
)
REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement(r"(?:\(曜\)|曜)", _same),
    refinement("那数?天(?=的?(?:午|数点|钟))", _same),
)
