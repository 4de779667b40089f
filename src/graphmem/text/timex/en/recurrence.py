"""A recurrence is a date that every year has; which of them a text means, the anchor tells."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import Outlook, side
from graphmem.text.timex.en.reading import InYear
from graphmem.text.timex.frame import Frame

SPREAD: Final = 8
"""29 February may be so many years away."""
_PIVOT: Final = 10
"""A year of two digits lies at most so many years after the anchor."""
_POSIX_PIVOT: Final = 69
_CENTURY: Final = 100


def full_year(frame: Frame, short: int) -> int:
    """The year of two digits: '23 is 2023; the century before where this one is too far ahead."""
    latest = frame.today.year + _PIVOT if frame.today else 1999 + _POSIX_PIVOT
    year = latest // _CENTURY * _CENTURY + short
    return year if year <= latest else year - _CENTURY


def years_around(frame: Frame, in_year: InYear) -> Iterator[tuple[Interval, date, date]]:
    """The date of every year near the anchor, with its first and last day, oldest first."""
    if frame.today is None:
        return
    for year in range(frame.today.year - SPREAD, frame.today.year + SPREAD + 1):
        found = in_year(frame, year)
        if found is not None:
            first, last = frame.first_day(found), frame.last_day(found)
            if first is not None and last is not None:
                yield found, first, last


def nearest(frame: Frame, in_year: InYear, outlook: Outlook | None) -> Interval | None:
    """The latest that began by today, the earliest that ends from today on, or the nearest."""
    today = frame.today
    if today is None:
        return None
    around = list(years_around(frame, in_year))
    past = [(found, last) for found, first, last in around if first <= today]
    future = [(found, first) for found, first, last in around if last >= today]
    if not (past and future):
        return None
    behind, ahead = max((today - past[-1][1]).days, 0), max((future[0][1] - today).days, 0)
    return past[-1][0] if side(outlook, behind, ahead) == "past" else future[0][0]


def directed(frame: Frame, in_year: InYear, years: int) -> Interval | None:
    """The one before today (-1; -2 is before last), the first after today (1), or this year's (0)."""
    today = frame.today
    if today is None:
        return None
    around = list(years_around(frame, in_year))
    if years < 0:
        past = [found for found, _, last in around if last < today]
        return past[years] if len(past) >= -years else None
    if years > 0:
        future = [found for found, first, _ in around if first > today]
        return future[years - 1] if len(future) >= years else None
    running = [(found, first) for found, first, last in around if first <= today <= last]
    if not running:
        return in_year(frame, today.year)
    found, first = running[0]
    return found if first.year == today.year else None  # "this winter" in January: which one?
