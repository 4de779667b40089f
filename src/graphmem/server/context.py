"""The context is what the routes of one app share."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.server.access import Door
from graphmem.server.auth import KeyCheck
from graphmem.server.intake import Intake
from graphmem.server.metrics import Metrics
from graphmem.server.surfaces import Surfaces
from graphmem.server.workers import Workers
from graphmem.service.memory import MemoryService


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The service and the things around it."""

    service: MemoryService
    workers: Workers
    intake: Intake
    door: Door
    metrics: Metrics
    surfaces: Surfaces

    @classmethod
    def around(cls, service: MemoryService) -> Context:
        """Build what one app needs around a service, by the service's own settings."""
        config = service.config
        workers, metrics = Workers(), Metrics()
        for lane in workers.lanes:
            metrics.watch_lane(lane)
        metrics.watch_service(service)
        return cls(
            service=service,
            workers=workers,
            intake=Intake(workers.parsing, max_bytes=config.addsearch.max_body_bytes),
            door=Door(KeyCheck(config.api_key, service.keyring, may_be_open=config.may_be_open)),
            metrics=metrics,
            surfaces=Surfaces(config.addsearch),
        )
