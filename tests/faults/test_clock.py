"""A clock that goes backwards changes the times that are noted, and no order."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.domain.message import Message
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from tests.service.conftest import CountingIdentity, StillClock, make_store

HOUR_US = 3_600_000_000


@pytest.fixture
def clock() -> StillClock:
    return StillClock()


@pytest.fixture(params=["memory", "sqlite"])
def service(request: pytest.FixtureRequest, tmp_path: Path, clock: StillClock) -> MemoryService:
    from graphmem.config import ServiceConfig

    parts = Parts(
        store=make_store(request.param, tmp_path),
        embeddings=None,
        clock=clock,
        identity=CountingIdentity(),
        announce=lambda _: None,
    )
    return MemoryService(parts, ServiceConfig())


def test_order_versions_and_replays_do_not_depend_on_the_clock(
    service: MemoryService, clock: StillClock
) -> None:
    with service:
        versions = []
        for number in range(5):
            message = Message(role="user", content=f"number {number}")
            receipt = service.add("t", "m", "s", [message], request_id=f"r{number}")
            versions.append(receipt.version)
            clock.us -= HOUR_US
        assert versions == [1, 2, 3, 4, 5]
        again = service.add(
            "t", "m", "s", [Message(role="user", content="number 0")], request_id="r0"
        )
        assert (again.replayed, again.version) == (True, 1)
        hits = service.retrieve("t", "m", "number 4 3 2 1 0").hits
        assert {hit.content for hit in hits} == {f"number {number}" for number in range(5)}
        status = service.status("t", "m")
        assert (status.turns, status.version, status.state) == (5, 5, "ready")


def test_a_clock_before_1970_is_no_reason_to_lose_anything(
    service: MemoryService, clock: StillClock
) -> None:
    clock.us = -HOUR_US
    with service:
        service.add("t", "m", "s", [Message(role="user", content="number 0")])
        (hit,) = service.retrieve("t", "m", "number").hits
    assert hit.recorded_at == "1969-12-31T23:00:00Z"
