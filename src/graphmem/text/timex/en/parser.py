"""The parser finds the longest reading at a place of a text, of the rules of all families."""

from __future__ import annotations

from itertools import chain
from typing import Final

from graphmem.text.timex.en import (
    clock,
    dates,
    days,
    lasting,
    months,
    offsets,
    ordinals,
    ranges,
    relations,
    spans,
    weekdays,
    weeks,
    yearless,
    years,
)
from graphmem.text.timex.en.reading import Reading
from graphmem.text.timex.en.rule import Table
from graphmem.text.timex.en.tokens import Tokens

_DEPTH: Final = 3
"""How many dates may stand within one another: "since | the Friday before | 15 July 2023"."""

_RULES: Final = Table(
    chain(
        dates.RULES,
        days.RULES,
        weekdays.RULES,
        weeks.RULES,
        months.RULES,
        years.RULES,
        yearless.RULES,
        ordinals.RULES,
        offsets.RULES,
        lasting.RULES,
        relations.RULES,
        clock.RULES,
        ranges.RULES,
        spans.RULES,
    )
)
STARTS: Final = _RULES.starts
"""The tags that an expression may begin with."""

_ATTACHMENTS: Final = (
    *yearless.ATTACHMENTS,
    *weeks.ATTACHMENTS,
    *months.ATTACHMENTS,
    *clock.ATTACHMENTS,
    *ranges.ATTACHMENTS,
)


class Parser:
    """The parser of one text.

    Args:
        tokens: its tokens.
    """

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self._known: dict[tuple[int, int], Reading | None] = {}

    def longest(self, at: int) -> Reading | None:
        """The longest expression of any kind that begins at an index."""
        return self._longest(at, _DEPTH)

    def date(self, at: int, depth: int) -> Reading | None:
        """The longest date that begins at an index, at most `depth` dates within one another."""
        found = self._longest(at, depth)
        return found if found is not None and found.kind == "date" else None

    def _longest(self, at: int, depth: int) -> Reading | None:
        if at >= len(self.tokens.items) or self.tokens.tags[at] not in STARTS:
            return None
        key = (at, depth)
        if key not in self._known:
            self._known[key] = self._read(at, depth)
        return self._known[key]

    def _read(self, at: int, depth: int) -> Reading | None:
        best: Reading | None = None
        for rule in _RULES.at(self.tokens.tags, at):
            found = rule.read(self, at, depth)
            if found is not None and (best is None or found.end > best.end):
                best = found
        return self._attached(at, best, depth) if best is not None else None

    def _attached(self, at: int, reading: Reading, depth: int) -> Reading:
        """The reading with what follows and belongs to it: a year, a weekday, a time of day."""
        if reading.kind != "date":
            return reading
        for attach in _ATTACHMENTS:
            reading = attach(self, at, reading, depth) or reading
        return reading
