"""Metrics of one server in Prometheus form; no label comes from user data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from graphmem.server.workers import Lane
from graphmem.service.memory import MemoryService
from graphmem.service.upkeep import ServiceStatistics

# From a warm search (2 ms) to the contract's limit of 100 s.
_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 100)


class Metrics:
    """Counters and gauges in a registry of their own, so that two apps in a process don't mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "graphmem_http_requests",
            "Answered requests; 499 is a client that hung up.",
            ("route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "graphmem_http_request_seconds",
            "Time from the request's head to the end of the answer.",
            ("route",),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._in_flight = Gauge(
            "graphmem_http_in_flight", "Requests being served.", registry=self._registry
        )
        self._waiting = Gauge(
            "graphmem_calls_waiting", "Calls in a queue.", ("lane",), registry=self._registry
        )
        self._running = Gauge(
            "graphmem_calls_running", "Calls on a thread.", ("lane",), registry=self._registry
        )
        self._turns = Counter(
            "graphmem_added_turns",
            "Turns stored through Add, replays not counted.",
            registry=self._registry,
        )

    @contextmanager
    def flight(self) -> Iterator[None]:
        """Count a request as being served."""
        with self._in_flight.track_inprogress():
            yield

    def observe(self, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_turns(self, turns: int) -> None:
        """Count turns that an Add stored."""
        self._turns.inc(turns)

    def watch_lane(self, lane: Lane) -> None:
        """Show a lane's load."""
        self._waiting.labels(lane.name).set_function(lambda: lane.waiting)
        self._running.labels(lane.name).set_function(lambda: lane.running)

    def watch_service(self, service: MemoryService) -> None:
        """Show what the service holds in memory."""
        shown: dict[str, tuple[str, Callable[[ServiceStatistics], float]]] = {
            "graphmem_cached_memories": (
                "Memories whose view is resident.",
                lambda now: now.cache.memories,
            ),
            "graphmem_cached_bytes": (
                "Bytes of the resident views.",
                lambda now: now.cache.nbytes,
            ),
            "graphmem_cache_hits": ("Views found resident.", lambda now: now.cache.hits),
            "graphmem_cache_misses": ("Views read from the store.", lambda now: now.cache.misses),
            "graphmem_waiting_erasures": (
                "Deletions whose bytes may still be in the files.",
                lambda now: now.waiting_erasures,
            ),
            "graphmem_embedding_model_up": (
                "1 while the embedding model is in order, or there is none.",
                lambda now: float(now.model_is_well),
            ),
            "graphmem_embedded_turns": (
                "Turns whose vectors came within their add.",
                lambda now: now.dense.embedded_turns if now.dense else 0,
            ),
            "graphmem_deferred_turns": (
                "Turns whose vectors were left to the background.",
                lambda now: now.dense.deferred_turns if now.dense else 0,
            ),
            "graphmem_lexical_only_searches": (
                "Searches answered without the model because it was out.",
                lambda now: now.dense.lexical_only_queries if now.dense else 0,
            ),
            "graphmem_embedding_failures": (
                "Calls of the embedding model that failed.",
                lambda now: now.dense.failures if now.dense else 0,
            ),
        }
        for name, (meaning, read) in shown.items():
            Gauge(name, meaning, registry=self._registry).set_function(
                partial(_read, service, read)
            )

    def render(self) -> bytes:
        """All metrics as Prometheus text."""
        return generate_latest(self._registry)


def _read(service: MemoryService, read: Callable[[ServiceStatistics], float]) -> float:
    return read(service.statistics())
