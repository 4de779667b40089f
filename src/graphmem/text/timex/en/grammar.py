"""Finds English time expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.en.holiday import HOLIDAY_TRIGGERS, HOLIDAY_WORDS
from graphmem.text.timex.en.lexer import lex
from graphmem.text.timex.en.lexicon import CODE, TRIGGERS
from graphmem.text.timex.en.parser import STARTS, Parser
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.tense import Clause
from graphmem.text.timex.en.tokens import Tokens
from graphmem.text.timex.expression import Candidate
from graphmem.text.timex.frame import Frame
from graphmem.text.words import word_set

_WORD: Final = re.compile(r"[a-z]+")
_DIGIT: Final = re.compile(r"\d")
_DIGITS: Final = re.compile(
    r"\d{4}|\d[-/.–]\d\d?[-/.–]\d|['’]\d\d|\d[snrt][tdh]\b|\d0s\b|\bon \d+/\d|\b[qh][1-4]\b"
    r"|\d ?(?:mins?|hrs?|h)\b",
    re.IGNORECASE,
)
_WAS: Final = frozenset({"was", "were"})
_WORDS: Final = TRIGGERS | HOLIDAY_TRIGGERS
_SMALL: Final = frozenset(
    CODE[name]
    for name in word_set(
        "dayword tonight last next this past early vague often part unit units quarter weekend before after "
        "ago later coming following"
    )
)
"""Tags of words that are written small, so that a capital within a sentence makes them a name."""


def candidates(text: str) -> list[Candidate]:
    """What reads as a time expression, in text order, the longest at each place.

    Most texts hold no word of time and no number that looks like one, and are done with at once.
    """
    words = frozenset(_WORD.findall(text.lower()))
    is_age = "when" in words and not words.isdisjoint(_WAS)
    if words.isdisjoint(_WORDS) and not is_age and not _has_digits(text):
        return []
    tokens = lex(text, holidays=words & HOLIDAY_WORDS)
    return list(_candidates(tokens))


def _has_digits(text: str) -> bool:
    return bool(_DIGIT.search(text) and _DIGITS.search(text))


def _candidates(tokens: Tokens) -> Iterator[Candidate]:
    parser = Parser(tokens)
    at, count = 0, len(tokens.items)
    while at < count:
        reading = parser.longest(at) if tokens.tags[at] in STARTS else None
        if reading is None or reading.is_bare:
            at += 1
            continue
        if not _is_title(tokens, at, reading.end):
            yield _candidate(tokens, at, reading)
        at = reading.end


def _is_title(tokens: Tokens, start: int, end: int) -> bool:
    """Whether a word that is written small has a capital: "Last Friday Night" is a song."""
    return any(tokens.tags[at] in _SMALL and tokens.is_title(at) for at in range(start, end))


def _candidate(tokens: Tokens, at: int, reading: Reading) -> Candidate:
    start, end = tokens.items[at + reading.skip].start, tokens.items[reading.end - 1].end
    return Candidate(
        start=start,
        end=end,
        kind=reading.kind,
        resolve=_resolver(tokens.text, start, end, reading) if reading.resolve else None,
        is_complete=reading.is_complete,
    )


def _resolver(
    text: str, start: int, end: int, reading: Reading
) -> Callable[[Frame], Interval | None]:
    def resolve(frame: Frame) -> Interval | None:
        try:
            return reading.at(Setting(frame=frame, clause=Clause(text, start, end)))
        except (OverflowError, ValueError):
            return None  # it leaves the calendar, or there is no such day: the rules let that pass

    return resolve
