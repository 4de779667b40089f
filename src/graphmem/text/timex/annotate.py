"""Writes the dates behind their expressions: `last Tuesday (2023-05-02)`, `上周五(2023-05-05)`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.text.timex.expression import Expression
from graphmem.text.timex.guard import WRITTEN_OUT


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


def annotate(text: str, expressions: Iterable[Expression]) -> Annotated:
    """Write the value of each expression behind it, where the text does not state it already.

    Doing it twice changes nothing more: what is written out is not written again.
    """
    parts: list[str] = []
    insertions: list[tuple[int, int]] = []
    at = length = 0
    for expression in expressions:
        value = _value(text, expression)
        if value:
            parts += [text[at : expression.end], value]
            length += expression.end - at
            insertions.append((length, len(value)))
            length += len(value)
            at = expression.end
    return Annotated(text="".join([*parts, text[at:]]), insertions=tuple(insertions))


def _value(text: str, expression: Expression) -> str:
    if expression.interval is None or expression.is_complete:
        return ""
    if WRITTEN_OUT.match(text, expression.end):
        return ""
    gap = " " if text[expression.end - 1].isascii() else ""  # Chinese is written without spaces
    return f"{gap}({expression.interval.text()})"
