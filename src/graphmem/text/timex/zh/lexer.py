"""The lexer cuts a text into the words of time it holds, and breaks where anything else stands."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from graphmem.text.timex.zh.lexicon import (
    BREAK,
    GUESS,
    LEXICON,
    NOT_BEFORE,
    NOT_BEHIND,
    NUMBER,
    PAIR,
)
from graphmem.text.timex.zh.numerals import CHINESE, is_digits, number

_LONGEST: Final = 32  # of a numeral, so that none is cut
_DATE: Final = (
    r"(?P<date>(?<![\d./])[12]\d{3}(?P<sep>[-./])\d{1,2}(?P=sep)\d{1,2}(?!\d|(?P=sep)\d))"
)
_CLOCK: Final = r"(?P<clock>(?<![\d:.])\d{1,2}:\d{2}(?![\d:]))"
_NUMERAL: Final = rf"(?P<numeral>\d+(?:[.,]\d+)*%?|[{CHINESE}]+)"


def _words() -> str:
    """The lexicon as a pattern: by first character, so that one look decides, the longest word first."""
    tails: dict[str, list[str]] = {}
    for word in sorted(LEXICON, key=len, reverse=True):
        tail = NOT_BEHIND.get(word, "") + re.escape(word[1:]) + _not_before(word)
        tails.setdefault(word[0], []).append(tail)
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in tails.items())


def _not_before(word: str) -> str:
    key = word[-1] if LEXICON[word][0] == "曜" else word
    return f"(?!{NOT_BEFORE[key]})" if key in NOT_BEFORE else ""


_TOKEN: Final = re.compile(f"{_words()}|{_DATE}|{_CLOCK}|{_NUMERAL}", re.ASCII)
_BLANK: Final = re.compile(r"[ \t]{1,3}\Z")
_LATIN: Final = re.compile(r"[A-Za-z_]")


class Token(NamedTuple):
    """A word of time.

    Attributes:
        kind: one character, see the lexicon; `记` for 2023-05-07 and `钟` for 15:30.
        value: what the word is worth: a number, an offset in days, a weekday from Monday as 0.
        start: offset of its first character.
        end: offset behind its last one.
        text: the word.
    """

    kind: str
    value: int
    start: int
    end: int
    text: str


class Tokens:
    """The words of one text.

    Attributes:
        text: the text, folded.
        items: its words in order, a break wherever others stand between two of them.
        kinds: their kinds, a character a word, and a break at the end.
    """

    __slots__ = ("items", "kinds", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.items: list[Token] = []
        end = 0
        for match in _TOKEN.finditer(text):
            start = match.start()
            if start != end and not _BLANK.match(text[end:start]):
                self.items.append(Token(BREAK, 0, end, start, ""))
            end = match.end()
            self.items.append(_token(match, text))
        self.items.append(Token(BREAK, 0, len(text), len(text), ""))
        self.kinds = "".join(token.kind for token in self.items)

    def drop(self, at: int) -> None:
        """Take a word for none of time."""
        self.kinds = self.kinds[:at] + BREAK + self.kinds[at + 1 :]

    def value(self, at: int) -> int:
        """What the word there is worth."""
        return self.items[at].value

    def word(self, at: int) -> str:
        """The word there."""
        return self.items[at].text

    def start(self, at: int) -> int:
        """Where in the text the word there begins."""
        return self.items[at].start

    def end(self, at: int) -> int:
        """Where in the text a phrase ends that ends before the word there."""
        return self.items[at - 1].end


def _token(match: re.Match[str], text: str) -> Token:
    word, start, end = match[0], match.start(), match.end()
    match match.lastgroup:
        case "date":
            return Token("记", 0, start, end, word)
        case "clock":
            hour, minute = word.split(":")
            return Token("钟", int(hour) * 60 + int(minute), start, end, word)
        case "numeral":
            return _numeral(word, start, end, text)
        case _:
            kind, value = LEXICON[word]
            return Token(kind, value, start, end, word)


def _numeral(word: str, start: int, end: int, text: str) -> Token:
    value = number(word) if len(word) <= _LONGEST else None
    if value is None or (start and _LATIN.match(text[start - 1])):
        return Token(GUESS, 0, start, end, word)
    pair = len(word) == 2 and not word.isascii() and is_digits(word)
    return Token(PAIR if pair else NUMBER, value, start, end, word)
