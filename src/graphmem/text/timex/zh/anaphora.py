"""Times that stand on the date read before them: 第二天, 次日, 前一天."""

from __future__ import annotations

from typing import Final

from graphmem.text.timex.zh.distance import Measure, from_reference
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Unit
from graphmem.text.timex.zh.rule import Match, Opening, opening

_WORDS: Final[dict[int, tuple[Measure, int]]] = {  # by the value of the word
    1: ("day", 1),
    2: ("year", 1),
    3: ("month", 1),
    4: ("week", 1),
    -1: ("day", -1),
}
_KINDS: Final[dict[str, Measure]] = {"天": "day", "周": "week", "月": "month", "年": "year"}


def _word(tokens: Tokens, match: Match) -> Phrase:
    """次日, 翌年."""
    return _phrase(match.end(), *_WORDS[tokens.value(match.start())])


def _second(tokens: Tokens, match: Match) -> Phrase | None:
    """第二天, 第二年; a second week may be one of a course."""
    if tokens.value(match.start() + 1) != 2:
        return None
    return _phrase(match.end(), _KINDS[tokens.kinds[match.end() - 1]], 1)


def _beside(tokens: Tokens, match: Match) -> Phrase | None:
    """前一天, 后一周; 前两天 is vague."""
    if tokens.value(match.start("n")) != 1:
        return None
    step = -1 if tokens.kinds[match.start()] == "前" else 1
    return _phrase(match.end(), _KINDS[tokens.kinds[match.end() - 1]], step)


def _phrase(end: int, measure: Measure, count: int) -> Phrase:
    unit: Unit = "span" if measure == "unknown" else measure
    return Phrase(end=end, unit=unit, resolve=lambda frame: from_reference(frame, measure, count))


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("次", "次", _word),
    opening("第", "第数(?:天|个?月|年)", _second),
    opening("前后", "[前后](?P<n>数)(?:天|个?周|个?月|年)", _beside),
)
