"""Which turns are shown, and how much of each, under a budget of turns and tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from graphmem.domain.hit import Hit
from graphmem.domain.prepared import Lane, LeftOut
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.block import header, line
from graphmem.readout.budget import Stage
from graphmem.readout.excerpt import Excerpt, excerpt, whole

HEAD: Final = 16
"""Turns that are taken by rank alone, however many of them are of one session."""

_LEAST: Final = 4  # tokens of the shortest line


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A turn that may be shown.

    Attributes:
        hit: the turn as retrieval found it.
        number: its place in the memory, for ever.
        session_no: its session's place in the memory.
    """

    hit: Hit
    number: int
    session_no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A turn that is shown, and what is shown of it."""

    candidate: Candidate
    text: str
    is_whole: bool
    lane: Lane


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What is shown, best first, what had no room, and what of the budget was spent."""

    chosen: tuple[Chosen, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int = 0


class Selector:
    """Takes candidates in order as long as there is room.

    Args:
        counter: what tokens are.
        weights: what each term of the question counts, for the sentences of long turns.
        excerpt_tokens: the most tokens of a turn that is not shown whole.
    """

    def __init__(
        self, counter: TokenCounter, weights: Mapping[str, float], excerpt_tokens: int
    ) -> None:
        self._counter = counter
        self._weights = weights
        self._excerpt_tokens = excerpt_tokens

    def select(self, candidates: Sequence[Candidate], stage: Stage, lane: Lane) -> Selection:
        """The first candidates that fit, each whole or in whole sentences."""
        chosen: list[Chosen] = []
        left_out: list[LeftOut] = []
        headers: set[str] = set()
        room = stage.tokens
        for candidate in candidates:
            if len(chosen) >= stage.turns or room < _LEAST:
                break
            title = header(candidate.hit, candidate.session_no)
            fixed = 0 if title in headers else self._counter.count(title + "\n")
            found, tokens = self._show(candidate, room - fixed, stage.tokens)
            left_out += self._misses(candidate, found)
            if found.text:
                headers.add(title)
                room -= fixed + tokens
                chosen.append(
                    Chosen(candidate=candidate, text=found.text, is_whole=found.is_whole, lane=lane)
                )
        return Selection(chosen=tuple(chosen), left_out=tuple(left_out), tokens=stage.tokens - room)

    def _show(self, candidate: Candidate, room: int, budget: int) -> tuple[Excerpt, int]:
        """What is shown of a candidate, and what its line costs."""
        hit = candidate.hit
        text = whole(hit)
        tokens = self._cost(candidate, text)
        if tokens <= min(room, self._excerpt_tokens):
            return Excerpt(text=text, is_whole=True), tokens
        prefix = self._cost(candidate, "")
        found = excerpt(
            hit,
            self._weights,
            cost=self._counter.count,
            target=self._excerpt_tokens,
            room=room - prefix,
            budget=budget - prefix,
        )
        tokens = self._cost(candidate, found.text)
        if tokens > room:  # they may cross the seam here too
            found = replace(found, text="", is_whole=False)
        return found, tokens

    def _cost(self, candidate: Candidate, text: str) -> int:
        return self._counter.count(line(candidate.hit, candidate.number, text) + "\n")

    @staticmethod
    def _misses(candidate: Candidate, found: Excerpt) -> Iterator[LeftOut]:
        if found.too_long:
            yield LeftOut(turn_id=candidate.hit.id, reason="sentence_too_long")
        elif not found.text:
            yield LeftOut(turn_id=candidate.hit.id, reason="no_room")
