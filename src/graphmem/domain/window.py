"""A window is a stretch of time that a caller asks for: closed at both ends, each of which may be open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.domain.moment import FIRST_US, LAST_US, Moment

_LAST_OF_DAY: Final = 86_400_000_000 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """From the first to the last microsecond, both included.

    Attributes:
        first_us: microseconds since 1970 UTC.
        last_us: microseconds since 1970 UTC; before `first_us`, the window is empty.
    """

    first_us: int = FIRST_US
    last_us: int = LAST_US

    @classmethod
    def between(cls, start: Moment | None, end: Moment | None) -> Window:
        """From one moment to another; a date alone is the whole day, None leaves that side open."""
        return cls(
            first_us=FIRST_US if start is None else start.us,
            last_us=LAST_US if end is None else last_us(end),
        )

    @classmethod
    def of(cls, interval: Interval) -> Window:
        """All of an interval."""
        return cls(
            first_us=FIRST_US if interval.start_us is None else interval.start_us,
            last_us=LAST_US if interval.end_us is None else interval.end_us - 1,
        )

    @property
    def is_empty(self) -> bool:
        """Whether it ends before it begins."""
        return self.last_us < self.first_us


def last_us(moment: Moment) -> int:
    """The last microsecond of a moment: its own, or that of its day for day precision."""
    return moment.us + (_LAST_OF_DAY if moment.precision == "day" else 0)
