"""A mention is a date as a message speaks of it: where, and what time it means."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.interval import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """One time expression of a message whose date could be told.

    Attributes:
        start: offset of the expression, in the text without the label of its speaker.
        end: offset behind it.
        interval: what it means.
        is_complete: whether the text itself states all of that.
    """

    start: int
    end: int
    interval: Interval
    is_complete: bool
