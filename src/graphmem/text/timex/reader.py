"""The reader finds the time expressions of a text, in English and Chinese, and resolves them in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphmem.domain.moment import Moment
from graphmem.text.timex.en.grammar import candidates as english
from graphmem.text.timex.expression import Candidate, Expression
from graphmem.text.timex.frame import Frame, Locale
from graphmem.text.timex.guard import Guard
from graphmem.text.timex.zh.grammar import candidates as chinese


def read(text: str, anchor: Moment | None, *, locale: Locale = "en") -> tuple[Expression, ...]:
    """The time expressions of a text, in text order, none overlapping another.

    Args:
        text: one message, without the label of its speaker.
        anchor: when it was sent; None reads complete dates only.
        locale: how dates in slashes are read.

    Returns:
        Every expression found; one without an interval is of time, but of no date that can be told.
    """
    found = [*english(text), *chinese(text)]
    if not found:
        return ()
    guard = Guard(text)
    chosen = _longest(found, guard)
    return tuple(_resolved(chosen, Frame(anchor=anchor, locale=locale)))


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
        if interval is not None:
            frame = frame.after(interval)
        yield Expression(
            start=candidate.start,
            end=candidate.end,
            kind=candidate.kind,
            interval=interval,
            is_complete=candidate.is_complete,
        )
