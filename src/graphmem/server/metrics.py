"""Metrics of one server in Prometheus form; no label comes from user data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from graphmem.server.collector import ServiceCollector
from graphmem.server.exchange import Exchange
from graphmem.server.workers import Lane
from graphmem.service.memory import MemoryService

# From a warm search (2 ms) to the contract's limit of 100 s.
_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 100)


class Metrics:
    """Counters and gauges in a registry of their own, so that two apps in a process don't mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
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
        self._stages = Histogram(
            "graphmem_stage_seconds",
            "Time that a request spent in a stage: wait, embed, extract, store, rank, rerank, render, answer.",
            ("route", "stage"),
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
            "Turns stored over HTTP, replays not counted.",
            registry=self._registry,
        )

    @contextmanager
    def flight(self) -> Iterator[None]:
        """Count a request as being served."""
        with self._in_flight.track_inprogress():
            yield

    def observe(self, exchange: Exchange) -> None:
        """Count an exchange that has ended."""
        self._requests.labels(exchange.route, str(exchange.status)).inc()
        self._seconds.labels(exchange.route).observe(exchange.seconds)
        for stage, seconds in exchange.stages.items():
            self._stages.labels(exchange.route, stage).observe(seconds)

    def count_turns(self, turns: int) -> None:
        """Count turns that an Add stored."""
        self._turns.inc(turns)

    def watch_lane(self, lane: Lane) -> None:
        """Show a lane's load."""
        self._waiting.labels(lane.name).set_function(lambda: lane.waiting)
        self._running.labels(lane.name).set_function(lambda: lane.running)

    def watch_service(self, service: MemoryService) -> None:
        """Show what the service counts itself."""
        self._registry.register(ServiceCollector(service))

    def render(self) -> bytes:
        """All metrics as Prometheus text; reads the store, so it blocks."""
        return generate_latest(self._registry)
