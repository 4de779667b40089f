"""Merging makes one token of what several words say: numbers in words, a couple, names of holidays."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

from graphmem.text.timex.en.holiday import holiday_spans
from graphmem.text.timex.en.lexicon import CODE
from graphmem.text.timex.en.tokens import Token

_DIGIT, _TEEN, _TENS, _HUNDRED = CODE["digit"], CODE["teen"], CODE["tens"], CODE["hundred"]
_NTH, _SECOND, _DASH, _AND, _OF, _A = (
    CODE[name] for name in ("nth", "second", "dash", "and", "of", "a")
)
_NUM, _YEAR, _ORDINAL, _COUPLE = CODE["num"], CODE["year"], CODE["ordinal"], CODE["couple"]
_IN_WORDS: Final = frozenset({_DIGIT, _TEEN, _TENS, _HUNDRED, _NTH, _COUPLE})
_UNIT_DIGITS: Final = frozenset({_DIGIT, _NTH, _SECOND})
_TENS_FACTOR: Final = 10
_CENTURIES: Final = frozenset({18, 19, 20})
_THOUSAND: Final = 1000


def merged(text: str, items: list[Token], *, holidays: Iterable[str]) -> list[Token]:
    """The tokens of a text with those that belong together made one."""
    if any(token.tag in _IN_WORDS for token in items):
        items = _numbers(items)
    spans = holiday_spans(text, holidays)
    return _holidays(items, spans) if spans else items


def _holidays(items: list[Token], spans: list[tuple[int, int, int]]) -> list[Token]:
    """The tokens with one for each name of a holiday."""
    starts = [token.start for token in items]
    made: list[Token] = []
    at = 0
    for start, end, number in spans:
        first, behind = bisect_left(starts, start), bisect_left(starts, end)
        if first >= at:
            made += [*items[at:first], Token(CODE["holiday"], start, end, number)]
            at = behind
    return made + items[at:]


def _numbers(items: list[Token]) -> list[Token]:
    made: list[Token] = []
    at = 0
    while at < len(items):
        if items[at].tag in _IN_WORDS or items[at].tag == _A:
            token, at = _number(items, at)
        else:
            token, at = items[at], at + 1
        made.append(token)
    return made


def _tag(items: list[Token], at: int) -> str:
    return items[at].tag if at < len(items) else ""


def _number(items: list[Token], at: int) -> tuple[Token, int]:
    """The number that begins at an index, and the index behind it."""
    behind_article = at + (items[at].tag == _A)
    if _tag(items, behind_article) == _COUPLE:
        return _couple(items, at, behind_article + 1)
    if _tag(items, behind_article) == _HUNDRED:
        return _large(items, at, behind_article, 1)
    return (items[at], at + 1) if items[at].tag == _A else _counted(items, at)


def _counted(items: list[Token], at: int) -> tuple[Token, int]:
    """A number in words that begins with one of its own: twenty-one, twenty-first, nineteen ninety-nine."""
    first = items[at]
    value, end, is_ordinal = _below_hundred(items, at)
    if is_ordinal:
        return Token(_ORDINAL, first.start, items[end - 1].end, value), end
    if _tag(items, end) == _HUNDRED:
        return _large(items, at, end, value)
    if value in _CENTURIES and _tag(items, end) in {_TEEN, _TENS}:
        low, end, _ = _below_hundred(items, end)
        return Token(_YEAR, first.start, items[end - 1].end, value * 100 + low), end
    return Token(_NUM, first.start, items[end - 1].end, value), end


def _couple(items: list[Token], at: int, end: int) -> tuple[Token, int]:
    """As in "A couple", "a couple of": two."""
    end += _tag(items, end) == _OF
    return Token(_NUM, items[at].start, items[end - 1].end, 2), end


def _below_hundred(items: list[Token], at: int) -> tuple[int, int, bool]:
    """A number below a hundred: its value, the index behind it, and whether it is an ordinal."""
    token = items[at]
    if token.tag != _TENS:
        return token.value, at + 1, token.tag == _NTH
    ones = at + 1 + (_tag(items, at + 1) == _DASH)
    if _tag(items, ones) in _UNIT_DIGITS and items[ones].value < _TENS_FACTOR:
        is_ordinal = items[ones].tag != _DIGIT
        return token.value * _TENS_FACTOR + items[ones].value, ones + 1, is_ordinal
    return token.value * _TENS_FACTOR, at + 1, False


def _large(items: list[Token], at: int, hundred: int, count: int) -> tuple[Token, int]:
    """A number with "hundred" or "thousand" in it; two thousand and some is a year."""
    value, end = count * items[hundred].value, hundred + 1
    low = end + (_tag(items, end) == _AND)
    if _tag(items, low) in {_DIGIT, _TEEN, _TENS}:
        ones, end, _ = _below_hundred(items, low)
        value += ones
    tag = _YEAR if count == 2 and items[hundred].value == _THOUSAND else _NUM
    return Token(tag, items[at].start, items[end - 1].end, value), end
