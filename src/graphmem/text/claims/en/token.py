"""A token is a word of an English sentence with its place, contractions taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(
    r"\d[\d.,:/]*\d[A-Za-z%]*|\d+[A-Za-z%]*|[^\W\d_][\w'’]*(?:[-.@&][\w'’]+)*|[^\w\s]"
)
_TAILS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}
_TAIL: Final = re.compile(r"(.+?)('(?:m|re|ve|ll|d|s))")
_IRREGULAR: Final = {
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("have", "to"),
    "cannot": ("can", "not"),
    "can't": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "ain't": ("is", "not"),
    "let's": ("let's",),
    "y'all": ("you",),
    "u": ("you",),
    "ur": ("your",),
    "r": ("are",),
}
# Often typed without the apostrophe, and no other word then.
_REGULAR: Final = """
i'm i've you're they're that's he's she's there's what's who's don't doesn't didn't isn't wasn't aren't haven't
hasn't couldn't wouldn't
"""


def _solid() -> dict[str, tuple[str, ...]]:
    """The words of contractions that no apostrophe parts."""
    table: dict[str, tuple[str, ...]] = dict(_IRREGULAR)
    table |= {word.replace("'", ""): table[word] for word in ("can't", "won't", "let's")}
    for word in _REGULAR.split():
        body, _, tail = word.partition("'")
        parts = (body[:-1], "not") if tail == "t" else (body, _TAILS[f"'{tail}"])
        table[f"{body}{tail}"] = parts
    return table


_SOLID: Final = _solid()


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark: lower case, its place in the sentence, whether it opens with a capital."""

    low: str
    start: int
    end: int
    is_capital: bool

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not (self.low[0].isalnum() or self.low[0] == "'")


def tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence in order."""
    return [token for match in _TOKEN.finditer(sentence) for token in _parts(match)]


def _parts(match: re.Match[str]) -> Iterator[Token]:
    word = match[0]
    start, end = match.span()
    low = word.lower().replace("’", "'")
    capital = word[0].isupper()
    solid = _SOLID.get(low)
    if solid:
        yield from _spread(solid, start, end, is_capital=capital)
    elif "'" not in low:
        yield Token(low, start, end, capital)
    elif low.endswith("n't"):
        yield from _spread((low[:-3], "not"), start, end, is_capital=capital)
    elif tail := _TAIL.fullmatch(low):
        cut = start + len(tail[1])
        yield Token(tail[1], start, cut, capital)
        yield Token(_TAILS[tail[2]], cut, end, is_capital=False)
    else:
        yield Token(low.strip("'") or low, start, end, capital)


def _spread(words: tuple[str, ...], start: int, end: int, *, is_capital: bool) -> Iterator[Token]:
    """The words of a contraction; all but the last cover no more than its beginning."""
    cut = min(start + len(words[0]), end)
    yield Token(words[0], start, cut if len(words) > 1 else end, is_capital)
    for word in words[1:]:
        yield Token(word, cut, end, is_capital=False)
