"""What a prompt shows of a turn: all of it, or the sentences of a long one that are nearest to the question."""

from __future__ import annotations

import math
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from graphmem.domain.annotation import annotate
from graphmem.domain.hit import Hit
from graphmem.domain.mention import Mention
from graphmem.readout.frame import framed
from graphmem.text import script
from graphmem.text.analyse import terms
from graphmem.text.segment import Span, sentences

GAP: Final = " … "
_NEIGHBOUR_SHARE: Final = (
    0.3  # as the ranking's context channel: what stands beside an answer is read with it
)
_JOINING: Final = f"{script.ZWJ}{script.SKIN_TONES}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is shown of a turn.

    Attributes:
        text: framed, on one line, dates resolved; empty if no sentence had room.
        is_whole: whether it is all of the turn.
        too_long: how many sentences are longer than the whole budget.
    """

    text: str
    is_whole: bool
    too_long: int = 0


def whole(hit: Hit) -> str:
    """All of a turn, as it is shown."""
    return framed(hit.text)


def excerpt(
    hit: Hit,
    weights: Mapping[str, float],
    *,
    cost: Callable[[str], int],
    target: int,
    room: int,
    budget: int,
) -> Excerpt:
    """The sentences of a long turn that are nearest to the question, in their order.

    Args:
        hit: the turn.
        weights: what each term of the question counts.
        cost: tokens of a text.
        target: tokens at which no further sentence is added; the first one may be longer.
        room: tokens that are left.
        budget: tokens that there were; a longer sentence can never be shown.
    """
    shown = [framed(text) for text in _sentences(hit)]
    costs = [cost(text) for text in shown]
    order = _nearest_first(shown, weights)
    kept: set[int] = set()
    spent = 0
    for index in order:
        limit = min(room, target if kept else room)
        if spent + costs[index] + 1 <= limit:
            kept.add(index)
            spent += costs[index] + 1
    text = _joined(shown, kept)
    while kept and cost(text) > room:  # tokens may cross the seams of sentences
        kept.remove(next(index for index in reversed(order) if index in kept))
        text = _joined(shown, kept)
    too_long = sum(price > budget for price in costs)
    return Excerpt(text=text, is_whole=len(kept) == len(shown), too_long=too_long)


def term_weights(asked: Sequence[str], hits: Sequence[Hit]) -> dict[str, float]:
    """What each term of a question counts: rarer ones among the candidates count more (idf)."""
    held = Counter(term for hit in hits for term in {*terms(hit.content)} & {*asked})
    return {term: math.log1p(len(hits) / (1 + held[term])) for term in dict.fromkeys(asked)}


def _sentences(hit: Hit) -> Iterator[str]:
    """The turn's sentences with their dates resolved; no date and no emoji is cut."""
    body = hit.content[hit.body_start :]
    starts = [date.start for date in hit.dates]
    for span in _uncut(body, hit.dates):
        dates = [
            replace(date, start=date.start - span.start, end=date.end - span.start)
            for date in hit.dates[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
            if date.end <= span.end
        ]
        yield annotate(body[span.start : span.end], dates).text


def _uncut(body: str, dates: Sequence[Mention]) -> list[Span]:
    """The sentences, joined where a cut between them would be inside a date or an emoji."""
    inside = {at for date in dates for at in range(date.start + 1, date.end)}
    spans: list[Span] = []
    for span in sentences(body):
        start = span.start
        if spans and (start in inside or _continues(body, start)):
            start = spans.pop().start
        spans.append(Span(start=start, end=span.end))
    return spans


def _continues(text: str, at: int) -> bool:
    """Whether the character here belongs to the one before."""
    char = text[at]
    return char in _JOINING or unicodedata.category(char)[0] == "M" or text[at - 1] == script.ZWJ


def _nearest_first(shown: Sequence[str], weights: Mapping[str, float]) -> list[int]:
    own = [sum(weights.get(term, 0.0) for term in {*terms(text)}) for text in shown]
    padded = [0.0, *own, 0.0]
    near = [
        here + _NEIGHBOUR_SHARE * max(padded[index], padded[index + 2])
        for index, here in enumerate(own)
    ]
    return sorted(range(len(shown)), key=lambda index: (-round(near[index], 9), index))


def _joined(shown: Sequence[str], kept: set[int]) -> str:
    """The kept sentences, with a mark where some are left out."""
    order = sorted(kept)
    if not order:
        return ""
    parts = ["… "] if order[0] else []
    parts.append(shown[order[0]])
    for before, index in pairwise(order):
        parts += [" " if index == before + 1 else GAP, shown[index]]
    if order[-1] < len(shown) - 1:
        parts.append(" …")
    return "".join(parts)
