"""What the tests of the Chinese grammar read with: the anchor of docs/time.md, and values as text."""

from __future__ import annotations

from graphmem.domain.moment import Moment
from graphmem.text.timex.reader import read

MONDAY = Moment.parse_iso("2023-05-08T13:56:00+08:00")


def dates(text: str, anchor: Moment | None = MONDAY) -> list[tuple[str, str]]:
    """The expressions that have a value, each with it."""
    found = read(text, anchor)
    return [(text[e.start : e.end], e.interval.text()) for e in found if e.interval]


def values(text: str, anchor: Moment | None = MONDAY) -> list[str]:
    """The values that are read in a text."""
    return [value for _, value in dates(text, anchor)]


def value(text: str, anchor: Moment | None = MONDAY) -> str | None:
    """The one value that is read in a text; None if there is none."""
    found = values(text, anchor)
    assert len(found) <= 1, found
    return found[0] if found else None


values("前天，去年春节")  # loads dictionary and calendar once, outside the time of any test
