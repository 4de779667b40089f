"""A key names the thing that an attribute is about, alike for its spellings and inflections."""

from __future__ import annotations

from typing import Final

from graphmem.text.analyse import terms
from graphmem.text.normalize import fold
from graphmem.text.words import word_set

_ARTICLES: Final = word_set("a an the some any all my our your to really most")
_SPELLING: Final = {"color": "colour", "colors": "colour", "favorite": "favourite"}
_MOST_WORDS: Final = 5


def english_key(words: list[str]) -> str:
    """The stems of a short phrase without its articles; empty for a long one.

    Function words stay, since they tell things apart: coffee with sugar, coffee without sugar.
    """
    kept = [fold(word) for word in words]
    kept = [_SPELLING.get(word, word) for word in kept if word not in _ARTICLES]
    if not 0 < len(kept) <= _MOST_WORDS:
        return ""
    return " ".join("".join(terms(word)[:1]) or word for word in kept)


def chinese_key(phrase: str) -> str:
    """A short Chinese phrase, folded."""
    return fold(phrase).replace(" ", "")
