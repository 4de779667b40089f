"""What the tests of the English grammar read with: the anchor of docs/time.md, and values as text."""

from __future__ import annotations

from datetime import date

from graphmem.domain.moment import Moment
from graphmem.text.timex.frame import Locale
from graphmem.text.timex.reader import read

MONDAY = Moment.parse_iso("2023-05-08T13:56:00+00:00")


def on(day: date) -> Moment:
    """An anchor at noon of a day."""
    return Moment.parse_iso(f"{day.isoformat()}T12:00:00+00:00")


def dates(
    text: str, anchor: Moment | None = MONDAY, *, locale: Locale = "en"
) -> list[tuple[str, str]]:
    """The expressions that have a value, each with it."""
    found = read(text, anchor, locale=locale)
    return [(text[e.start : e.end], e.interval.text()) for e in found if e.interval]


def values(text: str, anchor: Moment | None = MONDAY, *, locale: Locale = "en") -> list[str]:
    """The values that are read in a text."""
    return [value for _, value in dates(text, anchor, locale=locale)]


def value(text: str, anchor: Moment | None = MONDAY, *, locale: Locale = "en") -> str | None:
    """The one value that is read in a text; None if there is none."""
    found = values(text, anchor, locale=locale)
    assert len(found) <= 1, found
    return found[0] if found else None


def kinds(text: str) -> list[str]:
    """The kinds of all that is found in a text."""
    return [expression.kind for expression in read(text, MONDAY)]
