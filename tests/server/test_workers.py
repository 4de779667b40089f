from __future__ import annotations

import asyncio
import threading
import time

import pytest

from graphmem.errors import OverloadedError
from graphmem.server.workers import Lane

KEY = ("tenant", "user")


def test_calls_of_one_key_run_one_by_one_in_order_of_arrival() -> None:
    lane, done = Lane("t", threads=3), list[int]()

    def call(number: int) -> None:
        time.sleep(0.002 * (number % 3))
        done.append(number)

    async def arrive() -> None:
        calls = [lane.run(lambda n=n: call(n), key=KEY) for n in range(30)]  # type: ignore[misc]
        await asyncio.gather(*calls)

    asyncio.run(arrive())
    lane.close()
    assert done == list(range(30))


def test_another_key_does_not_wait_for_a_long_call() -> None:
    lane, release = Lane("t", threads=2), threading.Event()

    async def arrive() -> str:
        held = [asyncio.create_task(lane.run(release.wait, key=KEY)) for _ in range(5)]
        await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(lane.run(lambda: "ok", key=("tenant", "b")), 10)
        finally:
            release.set()
            await asyncio.gather(*held)

    assert asyncio.run(arrive()) == "ok"
    lane.close()


def test_a_full_queue_refuses_and_recovers() -> None:
    lane, release = Lane("t", threads=1, most_waiting=2), threading.Event()

    async def arrive() -> tuple[int, int]:
        held = [asyncio.create_task(lane.run(release.wait)) for _ in range(3)]
        await asyncio.sleep(0.05)
        load = (lane.running, lane.waiting)
        with pytest.raises(OverloadedError):
            await lane.run(lambda: None)
        release.set()
        await asyncio.gather(*held)
        await lane.run(lambda: None)
        return load

    assert asyncio.run(arrive()) == (1, 2)
    assert (lane.running, lane.waiting) == (0, 0)
    lane.close()


def test_an_error_reaches_its_caller_and_frees_the_key() -> None:
    lane = Lane("t", threads=1)

    def fail() -> None:
        raise OverloadedError

    async def arrive() -> str:
        with pytest.raises(OverloadedError):
            await lane.run(fail, key=KEY)
        return await lane.run(lambda: "ok", key=KEY)

    assert asyncio.run(arrive()) == "ok"
    lane.close()


def test_closing_waits_for_running_calls() -> None:
    lane, done = Lane("t", threads=1), list[str]()

    def call() -> None:
        time.sleep(0.2)
        done.append("x")

    async def arrive() -> None:
        task = asyncio.create_task(lane.run(call))
        await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(arrive())
    lane.close()
    assert done == ["x"]
