"""A phrase is a stretch of words that means a time, with what is needed to make it finer or longer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from graphmem.domain.interval import Interval
from graphmem.text.timex.frame import Frame

Unit = Literal[
    "minute", "hour", "day", "week", "weekend", "month", "season", "quarter", "year", "span"
]
Resolve = Callable[[Frame], Interval | None]
Onward = Callable[[Frame, date], Interval | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """What was read so far.

    Attributes:
        end: the token behind its last one.
        unit: what it is one of; `span` for what is made no finer.
        resolve: its interval in a frame; may raise OverflowError or ValueError for no date.
        is_complete: whether the text states all of it.
        onward: for one that stands on nothing (周五, 7日): the earliest such not before a day.
        part: the part of the day that it holds, empty if none.
        is_night: whether a part before that is of the night, which goes on after midnight.
        is_loose: whether it is taken for a time only where its surroundings say so (三月).
    """

    end: int
    unit: Unit
    resolve: Resolve
    is_complete: bool = False
    onward: Onward | None = None
    part: str = ""
    is_night: bool = False
    is_loose: bool = False

    def at(self, end: int) -> Phrase:
        """The same up to a later word that changes nothing."""
        return replace(self, end=end, is_loose=False)


def unknown(_: Frame) -> Interval | None:
    """The interval of what speaks of time but can't be told."""
    return None


def first_day(resolve: Resolve, frame: Frame) -> date | None:
    """The day on which a phrase begins; None if that can't be told."""
    interval = resolve(frame)
    return None if interval is None else frame.first_day(interval)


def last_day(resolve: Resolve, frame: Frame) -> date | None:
    """The day on which a phrase ends; None if that can't be told."""
    interval = resolve(frame)
    return None if interval is None else frame.last_day(interval)
