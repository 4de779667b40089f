"""The reader finds the time expressions of a text, in English and Chinese, and resolves them in order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from graphmem.domain.annotation import WRITTEN_OUT
from graphmem.domain.moment import Moment
from graphmem.text.timex.en.grammar import candidates as english
from graphmem.text.timex.en.recency import candidates as just
from graphmem.text.timex.expression import Candidate, Expression
from graphmem.text.timex.frame import Frame, Locale
from graphmem.text.timex.guard import Guard
from graphmem.text.timex.last_resort import unless_dated
from graphmem.text.timex.zh.grammar import candidates as chinese
from graphmem.text.timex.zh.recency import candidates as gang


def read(text: str, anchor: Moment | None, *, locale: Locale = "en") -> tuple[Expression, ...]:
    """The time expressions of a text, in text order, none overlapping another.

    Args:
        text: one message, without the label of its speaker.
        anchor: when it was sent; None reads complete dates only.
        locale: how dates in slashes are read.

    Returns:
        Every expression found; one without an interval is of time, but of no date that can be told.
    """
    written = [match.span() for match in WRITTEN_OUT.finditer(text)] if "(" in text else []
    if not written:
        return tuple(_read(text, anchor, locale))
    said = _Said(text, written)
    return tuple(map(said.placed, _read(said.text, anchor, locale)))


def _read(text: str, anchor: Moment | None, locale: Locale) -> Iterator[Expression]:
    found = [*english(text), *chinese(text)]
    recent = [*just(text), *gang(text)]
    if found or recent:
        guard = Guard(text)
        dated = list(_longest(found, guard))
        recent = [one for one in recent if not guard.covers(one.start, one.end)]
        chosen = unless_dated(text, recent, dated) if recent else dated
        yield from _resolved(chosen, Frame(anchor=anchor, locale=locale))


class _Said:
    """A text without the dates that were written in it, so that these change nothing of what is read.

    Args:
        text: the text.
        written: the spans of these dates, ascending.
    """

    def __init__(self, text: str, written: Sequence[tuple[int, int]]) -> None:
        ends = [0, *(end for _, end in written)]
        starts = [*(start for start, _ in written), len(text)]
        parts = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        self.text = "".join(parts)
        self._begins = list(accumulate((len(part) for part in parts[:-1]), initial=0))
        self._shifts = [end - begin for end, begin in zip(ends, self._begins, strict=True)]

    def placed(self, expression: Expression) -> Expression:
        """The expression at its place in the whole text."""
        start = bisect_right(self._begins, expression.start) - 1
        end = bisect_left(self._begins, expression.end) - 1
        return replace(
            expression,
            start=expression.start + self._shifts[start],
            end=expression.end + self._shifts[end],
        )


def _longest(found: Iterable[Candidate], guard: Guard) -> Iterator[Candidate]:
    """The leftmost of the candidates, of those the longest, and on behind its end."""
    end = 0
    for candidate in sorted(found, key=lambda c: (c.start, -c.end)):
        if candidate.start >= end and not guard.covers(candidate.start, candidate.end):
            yield candidate
            end = candidate.end


def _resolved(chosen: Iterable[Candidate], frame: Frame) -> Iterator[Expression]:
    for candidate in chosen:
        interval = candidate.resolve(frame) if candidate.resolve else None
        if interval is not None and not interval.is_about:
            frame = frame.after(interval)
        yield Expression(
            start=candidate.start,
            end=candidate.end,
            kind=candidate.kind,
            interval=interval,
            is_complete=candidate.is_complete,
        )
