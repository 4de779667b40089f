"""Measures adds and searches on made-up conversations, through the public service."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final

import numpy as np

from graphmem.bench.chatter import chatter, question
from graphmem.bench.embedders import NONE, Embedding, wait_for_vectors
from graphmem.bench.machine import resident_mib
from graphmem.domain.message import Message
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.service.memory import MemoryService

BATCH: Final = 20
DEFAULT_SIZES: Final = (1_000, 10_000)
LIMIT: Final = 32
RATIO_ADDS: Final = 20

_BIG: Final = "big"
_SMALL: Final = "small"
_SMALL_TURNS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What one size took; times in seconds.

    Attributes:
        turns: how many turns the memory held.
        add_seconds: all adds together, each durable and searchable when it returned.
        add_p50: one add of 20 turns; add_p95 likewise.
        add_ratio: median add to this memory over median add to one of 100 turns.
        cold_search: the first search after the service was opened again.
        search_p50: one search of distinct queries, 32 hits; search_p95 likewise.
        resident_mib: what the process held after the searches, None if unknown.
    """

    turns: int
    queries: int
    add_seconds: float
    add_p50: float
    add_p95: float
    add_ratio: float
    cold_search: float
    search_p50: float
    search_p95: float
    resident_mib: float | None


def measure(
    turns: int, *, queries: int, step: Callable[[int], None], embedder: str = NONE
) -> Speed:
    """Measure one size in a temporary directory.

    Args:
        turns: size of the memory.
        queries: how many distinct queries are timed.
        step: called with the number of turns or queries just done.
        embedder: the model that adds and searches use; without one, times are the engine's own.

    Raises:
        EmbeddingUnavailableError: the model stopped before every turn had its vectors.
    """
    config = Embedding(name=embedder).config()
    with tempfile.TemporaryDirectory(prefix="graphmem-speed-") as directory:
        with MemoryService.open(data_dir=directory, config=config) as service:
            adds = []
            for session, batch in _batches(turns):
                adds.append(_time_add(service, _BIG, session, batch))
                step(len(batch))
            ratio = _add_ratio(service, turns)
            wait_for_vectors(service, (_BIG, _SMALL), lambda _done, _total: None)
        with MemoryService.open(data_dir=directory, config=config) as service:
            cold = _time_search(service, queries)
            searches = []
            for number in range(queries):
                searches.append(_time_search(service, number))
                step(1)
            resident = resident_mib()
    return Speed(
        turns=turns,
        queries=queries,
        add_seconds=sum(adds),
        add_p50=_percentile(adds, 50),
        add_p95=_percentile(adds, 95),
        add_ratio=ratio,
        cold_search=cold,
        search_p50=_percentile(searches, 50),
        search_p95=_percentile(searches, 95),
        resident_mib=resident,
    )


def _batches(turns: int, *, seed: int = 1) -> Iterator[tuple[str, list[Message]]]:
    """The conversation in adds of at most 20 turns of one session."""
    for session, items in groupby(chatter(turns, seed=seed), key=itemgetter(0)):
        messages = [message for _, message in items]
        for begin in range(0, len(messages), BATCH):
            yield session, messages[begin : begin + BATCH]


def _add_ratio(service: MemoryService, turns: int) -> float:
    """How much longer an add takes here than in a small memory; both in turns, to share noise."""
    for session, batch in _batches(_SMALL_TURNS):
        service.add(DEFAULT_TENANT, _SMALL, session, batch)
    big, small = [], []
    for _, batch in _batches(RATIO_ADDS * BATCH, seed=turns):
        small.append(_time_add(service, _SMALL, "more", batch))
        big.append(_time_add(service, _BIG, "more", batch))
    return _percentile(big, 50) / _percentile(small, 50)


def _time_add(service: MemoryService, memory: str, session: str, batch: list[Message]) -> float:
    began = time.perf_counter()
    service.add(DEFAULT_TENANT, memory, session, batch)
    return time.perf_counter() - began


def _time_search(service: MemoryService, number: int) -> float:
    asked = question(number)
    began = time.perf_counter()
    service.retrieve(DEFAULT_TENANT, _BIG, asked, limit=LIMIT)
    return time.perf_counter() - began


def _percentile(seconds: list[float], percent: float) -> float:
    return float(np.percentile(seconds, percent))
