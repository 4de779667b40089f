"""A token is a word, a number or a mark of a text, tagged for the rules."""

from __future__ import annotations

from typing import Final, NamedTuple

from graphmem.text.timex.en.lexicon import CODE, NAME

SENTENCE_ENDS: Final = frozenset(".!?:;\"'“”‘’(*-–—•>|…\n")


class Token(NamedTuple):
    """A token.

    Attributes:
        tag: what it is, one character of `lexicon.CODE`.
        start: offset of its first character in the text.
        end: offset behind its last one.
        value: what it is worth: a number, a month, minutes of the day.
    """

    tag: str
    start: int
    end: int
    value: int

    @property
    def name(self) -> str:
        """The name of its tag."""
        return NAME[self.tag]


class Tokens:
    """The tokens of one text.

    Attributes:
        text: the text.
        tags: the tags of the tokens, one character each.
        items: the tokens.
    """

    __slots__ = ("items", "tags", "text")

    def __init__(self, text: str, items: list[Token]) -> None:
        self.text = text
        self.items = items
        self.tags = "".join([token.tag for token in items])

    def word(self, at: int) -> str:
        """The token at an index, in lower case; nothing outside of the text."""
        if not 0 <= at < len(self.items):
            return ""
        token = self.items[at]
        return self.text[token.start : token.end].lower()

    def is_a(self, at: int, *names: str) -> bool:
        """Whether the token at an index has one of the tags."""
        return 0 <= at < len(self.items) and self.tags[at] in [CODE[name] for name in names]

    def is_capital(self, at: int) -> bool:
        """Whether the token at an index begins with a capital letter."""
        return 0 <= at < len(self.items) and self.text[self.items[at].start].isupper()

    def opens_sentence(self, at: int) -> bool:
        """Whether nothing, or the end of a sentence, stands before the token at an index."""
        start = self.items[at].start
        before = self.text[max(0, start - 8) : start].rstrip(" \t\r")
        return not before or before[-1] in SENTENCE_ENDS

    def is_title(self, at: int) -> bool:
        """Whether a word that is written small stands as a name: capital, and not first in its sentence."""
        token = self.items[at]
        word = self.text[token.start : token.end]
        is_name = word[0].isupper() and not (len(word) > 1 and word.isupper())
        return is_name and at > 0 and not self.opens_sentence(at) and self._follows_word(at)

    def _follows_word(self, at: int) -> bool:
        return self.text[self.items[at - 1].end - 1].isalnum()
