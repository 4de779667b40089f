"""A time expression: where a text speaks of time, and what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from graphmem.domain.interval import Interval
from graphmem.domain.mention import Mention
from graphmem.text.timex.frame import Frame

Kind = Literal["date", "duration", "age", "set", "vague", "recent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What a grammar found, not yet resolved.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        kind: `date` for what may have a value, `recent` for "just" and 刚, which may have one where
            nothing else dates their sentence; the other kinds have none and keep a shorter date
            within them from being read ("every Monday").
        resolve: its interval in a frame, None if it can't be told there; None for the other kinds.
        is_complete: whether the text itself states all of the value ("7 May 2023"), so that writing it
            out would add nothing.
    """

    start: int
    end: int
    kind: Kind = "date"
    resolve: Callable[[Frame], Interval | None] | None = None
    is_complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A time expression as it was read.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        kind: what it is: TimeML's TIMEX3 types, and ages, vague times and what was just now beside them.
        interval: what it means; None if that can't be told.
        is_complete: whether the text itself states all of the value.
    """

    start: int
    end: int
    kind: Kind
    interval: Interval | None
    is_complete: bool

    @property
    def certain(self) -> Interval | None:
        """What it means; None where that is not told, or only about right ("just"): no claim or question holds that."""
        return None if self.kind == "recent" else self.interval

    def mention(self) -> Mention | None:
        """What is kept of it; None if its date can't be told."""
        if self.interval is None:
            return None
        return Mention(
            start=self.start, end=self.end, interval=self.interval, is_complete=self.is_complete
        )
