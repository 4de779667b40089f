"""A reading is what a rule made of some tokens: where they end, and what they mean in a setting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import Outlook, Tense
from graphmem.text.timex.en.lexicon import Part
from graphmem.text.timex.en.tense import Clause
from graphmem.text.timex.expression import Kind
from graphmem.text.timex.frame import Frame

Shape = Literal["day", "weekday", "date", "week", "weekend", "month", "year", "hour", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What an expression is read against.

    Attributes:
        frame: the anchor, and the latest date before.
        clause: the clause that the expression stands in; its tense is worked out when a rule asks.
        forced: a tense that the expression itself gives ("since" is of the past).
    """

    frame: Frame
    clause: Clause
    forced: Outlook | None = None

    @property
    def tense(self) -> Tense | None:
        """The side of today that the expression lies on, as far as it can be told."""
        if self.forced == "past" or self.forced == "future":
            return self.forced
        return self.clause.tense

    @property
    def outlook(self) -> Outlook | None:
        """The sides of today that a date without a year may lie on."""
        return self.forced or self.clause.outlook

    def of(self, outlook: Outlook) -> Setting:
        """The same setting with another outlook."""
        return replace(self, forced=outlook)


Resolve = Callable[[Setting], Interval | None]
InYear = Callable[[Frame, int], Interval | None]
YearAt = Callable[[Setting], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """A time of day beside a date.

    Attributes:
        untimed: the date alone.
        apply: adds the same time to another date.
    """

    untimed: Reading
    apply: Callable[[Reading], Reading | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A reading.

    Attributes:
        end: index behind its last token.
        kind: as `Candidate.kind`.
        resolve: what it means; None for what has no date.
        shape: what it is for the rules that build on it.
        is_complete: whether the text itself states all of the value.
        is_bare: whether it needs a preposition of time before it (a month or a year alone).
        in_year: for a date without a year, what it is in a given one.
        year_at: the year that it names, where it names one.
        part: the part of the day that it names.
        value: the number of its weekday.
        skip: how many of its first tokens do not belong to the expression.
        timing: the time of day that was added to it.
    """

    end: int
    kind: Kind = "date"
    resolve: Resolve | None = None
    shape: Shape = "other"
    is_complete: bool = False
    is_bare: bool = False
    in_year: InYear | None = None
    year_at: YearAt | None = None
    part: Part | None = None
    value: int = 0
    skip: int = 0
    timing: Timing | None = None

    def at(self, setting: Setting) -> Interval | None:
        """Its interval in a setting; None where it can't be told."""
        return self.resolve(setting) if self.resolve else None
