"""Chinese words with their parts of speech, found once for all finders."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, cast

_NOUN_TAGS: Final = ("n", "eng", "vn", "an", "j", "s", "t")


class Token(NamedTuple):
    """One word.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        word: itself.
        tag: its part of speech, in the letters that jieba uses (n, v, nr ...).
    """

    start: int
    end: int
    word: str
    tag: str

    @property
    def is_noun(self) -> bool:
        """Whether it names a thing, a person or a place."""
        return self.tag.startswith(_NOUN_TAGS)


@cache
def _tagger() -> Callable[[str], list[tuple[str, str]]]:
    import rjieba  # noqa: PLC0415 - loads a dictionary for .16 s, which English never needs

    return cast("Callable[[str], list[tuple[str, str]]]", rjieba.tag)


def tokens(text: str) -> list[Token]:
    """The words of a text in order; between them they cover it."""
    found: list[Token] = []
    at = 0
    for word, tag in _tagger()(text):
        found.append(Token(at, at + len(word), word, tag))
        at += len(word)
    return found
