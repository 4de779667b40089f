"""Finds Chinese time expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.expression import Candidate
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.folding import folded
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Resolve
from graphmem.text.timex.zh.ranges import HEADS as DATE_HEADS, expression
from graphmem.text.timex.zh.surroundings import is_cut_out
from graphmem.text.timex.zh.unresolved import HEADS as OTHER_HEADS, Unresolved, unresolved

# Every expression with a value holds one of these.
_TRIGGER: Final = re.compile(
    r"[年月周週号號]|星期|[礼禮]拜|[今昨明][天日晚早晨夜儿兒]|[前后後][天日晚儿兒]|[天日時时钟鐘头頭][之以过過]?[前后後]|"
    r"第二天|[次翌隔转轉][天日]|[头頭前后後]一天|[上下这這本][^，。]{0,5}[节節季夕夏冬秋春夜诞]|"
    r"[近去].{0,3}[天日]|\d[-/.]\d|\d{4}.{0,3}[季節节半秋春夏冬庆慶旦]|[农農]|再[过過]"
)
_SHORT: Final = 6  # characters: what is longer is cut out of no word
_MOST_CUTS: Final = 3
_HEADS: Final = DATE_HEADS | OTHER_HEADS


def candidates(text: str) -> list[Candidate]:
    """What reads as a time expression, in any order; overlaps are settled by the reader."""
    if text.isascii() or not _TRIGGER.search(text):
        return []
    return list(_found(Tokens(folded(text))))


def _found(tokens: Tokens) -> Iterator[Candidate]:
    at, last = 0, len(tokens.kinds) - 1
    while at < last:
        if tokens.kinds[at] not in _HEADS:
            at += 1
            continue
        without, date = unresolved(tokens, at), expression(tokens, at)
        if date is not None and (without is None or date.end >= without.end):
            date = _whole(tokens, at, date)
        if date is not None and (without is None or date.end >= without.end):
            yield _dated(tokens, at, date)
            at = date.end
        elif without is not None:
            yield _undated(tokens, at, without)
            at = without.end
        else:
            at += 1


def _whole(tokens: Tokens, at: int, date: Phrase | None) -> Phrase | None:
    """The date if it is made of whole words, else a shorter one without the word that is none."""
    for _ in range(_MOST_CUTS):
        if date is None or not _may_be_cut(tokens, at, date):
            return date
        at_start, at_end = is_cut_out(tokens.text, tokens.start(at), tokens.end(date.end))
        if at_start:
            return None
        if not at_end or tokens.kinds[date.end - 1] in "曜周":  # the lexicon sees to these
            return date
        tokens.drop(date.end - 1)
        date = expression(tokens, at)
    return None


def _may_be_cut(tokens: Tokens, at: int, date: Phrase) -> bool:
    if tokens.kinds[at] == "上":
        return True
    last = tokens.kinds[date.end - 1]
    if last in "曜周" or (last in "日午点钟记" and date.end - at > 1):
        return False  # 5月7日|本店: rjieba may err, numbers don't
    return tokens.end(date.end) - tokens.start(at) <= _SHORT or len(tokens.word(date.end - 1)) == 1


def _dated(tokens: Tokens, at: int, date: Phrase) -> Candidate:
    return Candidate(
        start=tokens.start(at),
        end=tokens.end(date.end),
        resolve=_safe(date.resolve),
        is_complete=date.is_complete,
    )


def _undated(tokens: Tokens, at: int, without: Unresolved) -> Candidate:
    return Candidate(start=tokens.start(at), end=tokens.end(without.end), kind=without.kind)


def _safe(resolve: Resolve) -> Resolve:
    """The same, without a value for what no calendar has."""

    def resolved(frame: Frame) -> Interval | None:
        try:
            return resolve(frame)
        except (ValueError, OverflowError):
            return None

    return resolved
