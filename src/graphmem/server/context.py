"""The context is what the routes of one app share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from graphmem.server.access import Door
from graphmem.server.auth import KeyCheck
from graphmem.server.entry import Entry
from graphmem.server.intake import Intake
from graphmem.server.metrics import Metrics
from graphmem.server.surfaces import Surfaces
from graphmem.server.workers import Workers
from graphmem.service.memory import MemoryService

# 1 MiB of text may be escaped to six times its size, and names and roles come on top.
MOST_PRODUCT_BYTES: Final = 8 * 1024 * 1024
MOST_ATOMIC_BYTES: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The service and the things around it."""

    service: MemoryService
    workers: Workers
    intake: Intake
    product_intake: Intake
    atomic_intake: Intake
    door: Door
    entry: Entry
    metrics: Metrics
    surfaces: Surfaces

    @classmethod
    def around(cls, service: MemoryService) -> Context:
        """Build what one app needs around a service, by the service's own settings."""
        config = service.config
        workers, metrics = Workers(product_threads=config.max_requests), Metrics()
        door = Door(KeyCheck(config.api_key, service.keyring, may_be_open=config.may_be_open))
        for lane in workers.lanes:
            metrics.watch_lane(lane)
        metrics.watch_service(service)
        return cls(
            service=service,
            workers=workers,
            intake=Intake(workers.parsing, max_bytes=config.addsearch.max_body_bytes),
            product_intake=Intake(workers.parsing, max_bytes=MOST_PRODUCT_BYTES),
            atomic_intake=Intake(workers.parsing, max_bytes=MOST_ATOMIC_BYTES),
            door=door,
            entry=Entry(door, most=config.max_requests),
            metrics=metrics,
            surfaces=Surfaces(config.addsearch),
        )
