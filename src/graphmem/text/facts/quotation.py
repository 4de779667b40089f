"""Quotations: what stands in quotation marks, and titles in marks of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from graphmem.text.facts.mask import Span
from graphmem.text.words import word_set

# An opening mark ends the search for the one before it, so all searches together are linear.
_MARKED: Final = re.compile(
    r"“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』|«[^«»\n]+»|〝[^〝〞\n]+〞|"
    r"(?<![A-Za-z0-9])\"[^\"\n]+\"(?![A-Za-z0-9])|"
    r"(?<!\w)‘(?:[^‘’\n]|(?<=[A-Za-z])’(?=[A-Za-z]))+’(?![A-Za-z0-9])"
)
_BOOK: Final = re.compile(r"《[^《》\n]+》|〈[^〈〉\n]+〉")
# A straight apostrophe opens a quotation only where none can be left out: 'em, '90s.
_APOSTROPHES: Final = re.compile(
    r"(?<![A-Za-z0-9])'(?!(?:em|til|tis|twas|cause|cos|cuz|bout|round|n|s|d|ll|re|ve|m|t)\b|\d|\s)"
    r"(?:[^'\n]|(?<=[A-Za-z])'(?=[A-Za-z])){1,200}+'(?![A-Za-z0-9])"
)
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*(?=[A-Z])[^*\n]{1,100}+\*(?![\w*])")

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SMALL: Final = word_set(
    "a an the of and or in on at to for from with by as vs de la le du el und van von & no"
)
_MAX_TITLE_WORDS: Final = 9
_SPEECH_ENDS: Final = frozenset(".!?,…;")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """What stands in marks.

    Attributes:
        start: offset of the opening mark.
        end: offset behind the closing one.
        is_title: whether it reads as the name of a work; what words a title is made of is no detail.
        is_book: whether its marks themselves say so (《》).
    """

    start: int
    end: int
    is_title: bool
    is_book: bool = False

    @property
    def inner(self) -> Span:
        """What stands between the marks."""
        return self.start + 1, self.end - 1


def find(text: str) -> Iterator[Quotation]:
    """The quotations of a text, by the kind of their marks."""
    for match in _MARKED.finditer(text):
        yield _quotation(match)
    if "《" in text or "〈" in text:
        for match in _BOOK.finditer(text):
            yield Quotation(start=match.start(), end=match.end(), is_title=True, is_book=True)
    if "'" in text:
        yield from (_quotation(match) for match in _APOSTROPHES.finditer(text))
    if "*" in text:
        found = map(_quotation, _EMPHASIS.finditer(text))
        yield from (quotation for quotation in found if quotation.is_title)


def _quotation(match: re.Match[str]) -> Quotation:
    return Quotation(start=match.start(), end=match.end(), is_title=_reads_as_title(match[0][1:-1]))


def _reads_as_title(inner: str) -> bool:
    """Whether all words but the small ones have capitals, as those of a title have."""
    if len(inner) > 100 or not inner[:1].isupper() or inner[-1] in _SPEECH_ENDS:
        return False
    words = _WORD.findall(inner)
    large = [word for word in words if word.lower() not in _SMALL]
    if not large or len(words) > _MAX_TITLE_WORDS or not words[0][0].isupper():
        return False
    return all(word[0].isupper() or word[0].isdigit() for word in large)
