"""Writes the dates behind their expressions: `last Tuesday (2023-05-02)`, `上周五(2023-05-05)`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from graphmem.domain.mention import Mention

_VALUE: Final = r"\d{4}(?:-\d{2}(?:-\d{2}(?: \d{2}(?:h|:\d{2})(?:[+-]\d{2}:\d{2})?)?)?)?"
_ABOUT: Final = r"~\d{4}-\d{2}-\d{2}"
WRITTEN_OUT: Final = re.compile(rf" ?\((?:{_VALUE}(?:\.\.(?:{_VALUE})?)?|\.\.{_VALUE}|{_ABOUT})\)")
"""How a date looks that was written out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotated:
    """A text with dates written in it.

    Attributes:
        text: the text as it is shown.
        insertions: (offset in `text`, length) of each date written, ascending.
    """

    text: str
    insertions: tuple[tuple[int, int], ...]

    def original(self) -> str:
        """The text as it was said."""
        parts, at = [], 0
        for offset, length in self.insertions:
            parts.append(self.text[at:offset])
            at = offset + length
        return "".join([*parts, self.text[at:]])


def annotate(text: str, mentions: Iterable[Mention]) -> Annotated:
    """Write each date behind its expression, where the text does not state all of it already.

    Doing it twice changes nothing more: what is written out is not written again.
    """
    parts: list[str] = []
    insertions: list[tuple[int, int]] = []
    at = length = 0
    for mention in mentions:
        value = _value(text, mention)
        if value:
            parts += [text[at : mention.end], value]
            length += mention.end - at
            insertions.append((length, len(value)))
            length += len(value)
            at = mention.end
    return Annotated(text="".join([*parts, text[at:]]), insertions=tuple(insertions))


def _value(text: str, mention: Mention) -> str:
    if mention.is_complete or WRITTEN_OUT.match(text, mention.end):
        return ""
    gap = " " if text[mention.end - 1].isascii() else ""  # Chinese is written without spaces
    return f"{gap}({mention.interval.text()})"
