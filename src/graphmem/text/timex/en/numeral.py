"""A numeral is a run of digits, read by its shape: a number, an ordinal, a date, a time of day."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from graphmem.text.timex.en.lexicon import CODE, LEXICON
from graphmem.text.timex.en.tokens import Token

_FIRST_YEAR, _LAST_YEAR = 1000, 2199
_NOON: Final = 12
_HOUR: Final = 60
_COUNTED_TAGS: Final = frozenset({CODE["unit"], CODE["units"], CODE["month"]})

# Shapes that hold their own numbers: the rule of each parses the text again.
_DATES: Final = (
    ("ymd", re.compile(r"\d{4}([-/.])\d{1,2}\1\d{1,2}")),
    ("stamp", re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:.*")),
    ("slashed", re.compile(r"\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})")),
    ("slashed2", re.compile(r"\d{1,2}/\d{1,2}")),
    ("dotted", re.compile(r"\d{1,2}\.\d{1,2}\.\d{4}")),
    ("dashed", re.compile(r"\d{1,2}-\d{1,2}-\d{4}")),
    ("yearmonth", re.compile(r"\d{4}[-/–]\d{2}")),
    ("offset", re.compile(r"[+-]\d\d:\d\d")),
)
_WHOLE: Final = re.compile(r"\d+|\d{1,3}(?:,\d{3})+")
_ORDINAL: Final = re.compile(r"(\d{1,2})[snrt][tdh]", re.IGNORECASE)
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?\s?m\.?", re.IGNORECASE)
_CLOCK24: Final = re.compile(r"(\d{1,2}):(\d\d)(?::\d\d)?")
_DECADE: Final = re.compile(r"['’]?(\d{2}|\d{4})s")
_SHORT_YEAR: Final = re.compile(r"['’](\d\d)")
_SPAN: Final = re.compile(
    r"(\d{1,2}|\d{4}|\d{1,2}:\d\d)[-–](\d{1,2}|\d{4}|\d{1,2}:\d\d)([a-z]{0,2})", re.IGNORECASE
)
_COUNTED: Final = re.compile(r"(\d{1,4})([a-z]{1,9})", re.IGNORECASE)


def numerals(text: str, start: int) -> list[Token]:
    """The token of a numeral that begins at an offset; a span as "3-7" is three tokens."""
    end = start + len(text)
    for name, shape in _DATES:
        if shape.fullmatch(text):
            return [Token(CODE[name], start, end, 0)]
    for read in _SIMPLE:
        found = read(text)
        if found is not None:
            return [Token(CODE[found[0]], start, end, found[1])]
    return _split(text, start) or [Token(CODE["junk"], start, end, 0)]


def _whole(text: str) -> tuple[str, int] | None:
    if not _WHOLE.fullmatch(text) or len(text) > 9:
        return None
    value = int(text.replace(",", ""))
    is_year = len(text) == 4 and text.isdigit() and _FIRST_YEAR <= value <= _LAST_YEAR
    return ("year" if is_year else "num"), value


def _ordinal(text: str) -> tuple[str, int] | None:
    found = _ORDINAL.fullmatch(text)
    return ("ordinal", int(found[1])) if found else None


def _clock(text: str) -> tuple[str, int] | None:
    found = _CLOCK.fullmatch(text)
    if not found:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if not 1 <= hour <= _NOON or minute >= _HOUR:
        return None
    half = _NOON if found[3] in "pP" else 0
    return "clock", (hour % _NOON + half) * _HOUR + minute


def _clock24(text: str) -> tuple[str, int] | None:
    """A time with a colon; from 1:00 to 12:59 it may be either half of the day."""
    found = _CLOCK24.fullmatch(text)
    if not found or int(found[1]) > 24 or int(found[2]) >= _HOUR:
        return None
    is_certain = int(found[1]) > _NOON or found[1][0] == "0"
    return ("clock" if is_certain else "clock12"), int(found[1]) * _HOUR + int(found[2])


def _decade(text: str) -> tuple[str, int] | None:
    found = _DECADE.fullmatch(text)
    if not found or int(found[1]) % 10:
        return None
    return "decade", int(found[1])


def _short_year(text: str) -> tuple[str, int] | None:
    found = _SHORT_YEAR.fullmatch(text)
    return ("shortyear", int(found[1])) if found else None


_SIMPLE: Final[tuple[Callable[[str], tuple[str, int] | None], ...]] = (
    _whole,
    _ordinal,
    _clock,
    _clock24,
    _decade,
    _short_year,
)


def _split(text: str, start: int) -> list[Token]:
    """The tokens of "3-7", "2016-2019", "3-5pm", "10min" or "23January"; none for another shape."""
    span = _SPAN.fullmatch(text)
    if span:
        last = numerals(text[span.start(2) :], start + span.start(2))
        dash = Token(CODE["dash"], start + span.end(1), start + span.start(2), 0)
        return [*numerals(span[1], start), dash, *last]
    counted = _COUNTED.fullmatch(text)
    if counted:
        word = counted[2].lower()
        tag, value = LEXICON.get(word, ("", 0)) if word != "h" else (CODE["unit"], 2)
        if tag in _COUNTED_TAGS:
            middle = start + counted.end(1)
            number = Token(CODE["num"], start, middle, int(counted[1]))
            return [number, Token(tag, middle, start + len(text), value)]
    return []
