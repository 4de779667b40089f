"""Numerals as Chinese texts write them: 15, 十五, 二〇二三, 两."""

from __future__ import annotations

from typing import Final

_DIGITS: Final = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"两": 2}
_TENS: Final = {"十": 10, "百": 100, "千": 1000, "万": 10_000}
_TWENTY: Final = {"廿": "二十", "卅": "三十"}
_MOST_DIGITS: Final = 8  # longer than any year or count of days

CHINESE: Final = "".join([*_DIGITS, *_TENS, *_TWENTY])


def number(text: str) -> int | None:
    """The value of a numeral; None for one that is no count (三五, 百, 1.5) or is longer than any."""
    if text.isascii():
        return int(text) if text.isdigit() and len(text) <= _MOST_DIGITS else None
    for short, long in _TWENTY.items():
        text = text.replace(short, long)
    if is_digits(text):
        return _spelt(text)
    return _positional(text) if text[0] not in "百千万" and len(text) <= _MOST_DIGITS else None


def is_digits(text: str) -> bool:
    """Whether a numeral is digit after digit, as years are spelt: 二〇二三, 九八."""
    return all(char in _DIGITS for char in text)


def _spelt(text: str) -> int | None:
    if len(text) not in {1, 2, 4} or (len(text) > 1 and "两" in text):
        return None
    value = 0
    for char in text:
        value = value * 10 + _DIGITS[char]
    return value


def _positional(text: str) -> int | None:
    total, digit, lowest = 0, None, 10**9
    for char in text:
        if char in _DIGITS:
            if digit:  # 两三十 is a guess, not a number
                return None
            digit = _DIGITS[char]
            continue
        power = _TENS[char]
        if power >= lowest:
            return None
        total += power * (1 if digit is None else digit)
        digit, lowest = None, power
    return total + (digit or 0)
