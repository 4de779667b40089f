"""Reranking lets a model that reads query and turn together reorder the head of a ranking."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from graphmem.domain.hit import Hit, Reranked
from graphmem.domain.query import Query
from graphmem.errors import RerankError, RerankRefusedError, RerankUnavailableError
from graphmem.ports.reranker import Reranker
from graphmem.ports.stage import stage
from graphmem.retrieval.recipe import Recipe

CHANNEL: Final = "rerank"
PAUSE_SECONDS: Final = 30.0  # before a model that did not load is tried again

_log = logging.getLogger(__name__)


@dataclass(slots=True, kw_only=True)
class RerankCounts:
    """What became of the searches since the service was opened.

    Attributes:
        reranked: those whose head the model ordered.
        query_too_long: those whose query left no room for a text.
        failed: those that went on without the model, since it failed.
        is_well: False from a failure on until the model worked again.
    """

    reranked: int = 0
    query_too_long: int = 0
    failed: int = 0
    is_well: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Hits in their new order.

    Attributes:
        hits: the hits that are wanted.
        places: where each of them was before.
        trace: what the model did.
    """

    hits: tuple[Hit, ...]
    places: tuple[int, ...]
    trace: Reranked


class Reranking:
    """Orders by one model and goes on without it while it fails. Thread-safe.

    Args:
        reranker: the model.
        now: seconds that never go back.
    """

    def __init__(self, reranker: Reranker, now: Callable[[], float] = time.monotonic) -> None:
        self._reranker = reranker
        self._now = now
        self._counts = RerankCounts()
        self._lock = threading.Lock()
        self._resumes = -math.inf
        self._is_closing = False

    def order(self, query: Query, hits: Sequence[Hit], recipe: Recipe) -> Order:
        """The hits that a query wants, its head reordered; ties stay in the order that they had.

        What a turn gains is never below 0 and no channel is taken from it, so scores fall along
        the list across the end of the head, too.

        Args:
            query: what is asked; of its limit, the first are returned.
            hits: what the channels found, best first.
            recipe: how many of them the model reads, and what its judgement weighs.
        """
        head = hits[: recipe.rerank_top]
        trace, gains = self._judge(query.text, head, recipe.rerank)
        shown = [
            _lifted(hit, gain, explain=query.explain)
            for hit, gain in zip(hits, [*gains, *([0.0] * (len(hits) - len(gains)))], strict=True)
        ]
        places = sorted(range(len(head)), key=lambda place: -shown[place].score)
        wanted = (*places, *range(len(head), len(hits)))[: query.limit]
        return Order(hits=tuple(shown[place] for place in wanted), places=wanted, trace=trace)

    def counts(self) -> RerankCounts:
        """What became of the searches so far."""
        with self._lock:
            return replace(self._counts)

    def close(self) -> None:
        """Give the model back; searches go on without it. May be called twice."""
        self._is_closing = True
        self._reranker.close()

    def _judge(
        self, query: str, head: Sequence[Hit], weight: float
    ) -> tuple[Reranked, Sequence[float]]:
        """What the model says of the head, and what each turn of it gains by that."""
        name = self._reranker.name
        if len(head) < 2:
            return Reranked(model=name, turns=0), ()
        if self._now() < self._resumes:
            return self._went_without(name), ()
        try:
            with stage("rerank"):
                scores = self._reranker.score(query, [_text(hit) for hit in head])
        except RerankRefusedError:
            with self._lock:
                self._counts.query_too_long += 1
            return Reranked(model=name, turns=0, failure="query_too_long"), ()
        except RerankError as error:
            self._note(error)
            return self._went_without(name), ()
        with self._lock:
            self._counts.reranked += 1
            self._counts.is_well = True
        return Reranked(model=name, turns=len(head)), _gains(scores, weight)

    def _went_without(self, name: str) -> Reranked:
        with self._lock:
            self._counts.failed += 1
        return Reranked(model=name, turns=0, failure="failed")

    def _note(self, error: RerankError) -> None:
        if self._is_closing:
            return
        if isinstance(error, RerankUnavailableError):
            self._resumes = self._now() + PAUSE_SECONDS
        with self._lock:
            is_news = self._counts.is_well
            self._counts.is_well = False
        if is_news:
            _log.warning("the reranking model failed, searches go on without it: %s", error)


def _gains(scores: Sequence[float], weight: float) -> list[float]:
    """What the turns gain: all of the weight for the best score, nothing for the worst.

    Models differ in the scale of their scores, and only their order among these turns is asked.
    """
    least, most = min(scores), max(scores)
    if most == least:
        return [0.0] * len(scores)
    return [round(weight * ((score - least) / (most - least)), 6) for score in scores]


def _lifted(hit: Hit, gain: float, *, explain: bool) -> Hit:
    shares = {**(hit.shares or {}), CHANNEL: gain} if explain else hit.shares
    return replace(hit, score=round(hit.score + gain, 6), shares=shares)


def _text(hit: Hit) -> str:
    """What the model reads of a turn: who speaks counts, as questions name people."""
    body = hit.content[hit.body_start :]
    return f"{hit.speaker}: {body}" if hit.speaker else body
