"""Two views of a text: the one that is stored, verbatim, and the one that is only indexed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_REPLACEMENT: Final = "\ufffd"

# Letters whose stroke or ligature Unicode does not decompose.
_UNDECOMPOSED: Final = {
    "ı": "i", "đ": "d", "ð": "d", "ħ": "h", "ł": "l", "ŋ": "n", "ø": "o", "ŧ": "t",
    "ß": "ss", "ẞ": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ĸ": "k", "ŀ": "l",
}  # fmt: skip
_APOSTROPHES: Final = "\u00b4\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u02bd\u2032\uff07"
_HYPHENS: Final = "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_QUOTES: Final = "\u201c\u201d\u201e\u201f\u2033"
# An em dash parts two clauses, so it becomes two hyphens: one would join the words beside it.
_EM_DASHES: Final = "\u2014\u2015\u2e3a\ufe58"
# Invisible: soft hyphen, zero-width space and non-joiner, bidi controls, variation selectors.
# The zero-width joiner stays: it holds an emoji cluster together.
_INVISIBLE: Final = (
    (0x00AD, 0x00AD), (0x180B, 0x180D), (0x200B, 0x200C), (0x200E, 0x200F), (0x202A, 0x202E),
    (0x2060, 0x2064), (0x2066, 0x2069), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
)  # fmt: skip
_LATIN_BLOCKS: Final = ((0x00C0, 0x024F), (0x1E00, 0x1EFF))
_FULL_WIDTH: Final = (0xFF01, 0xFF5E)
_FULL_WIDTH_OFFSET: Final = 0xFEE0

_VARIANTS: Final = "\U000e0100-\U000e01ef"  # which of a Han character's printed forms is meant
_DROPPED_MARKS: Final = re.compile(
    "(?<=[a-z])[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    f"{_VARIANTS}]+|[{_VARIANTS}]+"
)
# CPython sorts a run of combining marks by insertion, in quadratic time: 16,000 marks took .4 s.
# Unicode's stream-safe text (UAX #15) has at most 30 in a row, so nothing real is lost.
_MAX_MARKS: Final = 30
_SYMBOL_RUN: Final = re.compile(r"[^\w\s\x00-\x7f]{31,}")
_MAX_PASSES: Final = 8


def _undiacritic(char: str) -> str | None:
    """The ASCII letters under a Latin letter with diacritics, lower case; None if there are none."""
    if (plain := _UNDECOMPOSED.get(char.lower())) is not None:
        return plain
    decomposed = unicodedata.normalize("NFKD", char)
    bare = "".join(c for c in decomposed if not unicodedata.combining(c)).lower()
    return bare if bare.isascii() and bare.isalpha() else None


def _fold_table() -> dict[str, str]:
    """Map each character that folds by itself; no value holds a key, so one pass suffices."""
    table = {
        code: chr(code - _FULL_WIDTH_OFFSET).lower()
        for code in range(_FULL_WIDTH[0], _FULL_WIDTH[1] + 1)
    }
    table |= {0x3000: " ", 0x2026: "..."}
    for first, last in _LATIN_BLOCKS:
        for code in range(first, last + 1):
            if (plain := _undiacritic(chr(code))) is not None:
                table[code] = plain
    table |= {ord(c): "'" for c in _APOSTROPHES}
    table |= {ord(c): '"' for c in _QUOTES}
    table |= {ord(c): "-" for c in _HYPHENS}
    table |= {ord(c): "--" for c in _EM_DASHES}
    for first, last in _INVISIBLE:
        table |= dict.fromkeys(range(first, last + 1), "")
    return {chr(code): plain for code, plain in table.items()}


_FOLD: Final = _fold_table()
# A class within the BMP is a bitmap: 1.7 us for an English turn with one curly apostrophe, where
# `str.translate` takes 13 us and a class that goes beyond the BMP 57 us.
_FOLDED: Final = re.compile(f"[{re.escape(''.join(_FOLD))}]")


def _folded(match: re.Match[str]) -> str:
    return _FOLD[match[0]]


def _cap_marks(run: re.Match[str]) -> str:
    """Keep at most `_MAX_MARKS` combining marks in a row."""
    kept: list[str] = []
    marks = 0
    for char in run[0]:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def storable(text: str) -> str:
    """The text as it is stored: verbatim, but for what UTF-8 and SQLite's text can't hold.

    Returns:
        The text with each lone surrogate and each U+0000 replaced by U+FFFD; the length is kept.
    """
    return _UNSTORABLE.sub(_REPLACEMENT, text) if _UNSTORABLE.search(text) else text


def fold(text: str) -> str:
    """The text as it is compared: never stored, never shown.

    NFKC and case folding (Unicode chapter 3.13), typographic apostrophes and hyphens as ASCII, no
    invisible characters, no diacritics on Latin letters. Marks of other scripts carry meaning and
    stay. Folding twice changes nothing; a text grows at most 18-fold (U+FDFA) and rarely at all.
    """
    if text.isascii():
        return text.lower()
    text = text.casefold()
    for _ in range(_MAX_PASSES):
        mapped = _FOLDED.sub(_folded, text)
        if mapped.isascii():
            return mapped
        mapped = _DROPPED_MARKS.sub("", mapped)
        normal = mapped
        if not unicodedata.is_normalized("NFKC", mapped):
            normal = unicodedata.normalize("NFKC", _SYMBOL_RUN.sub(_cap_marks, mapped))
        text = normal.casefold()
        if text == mapped:
            break
    return text
