"""Both colours of the client before one scripted server: every law is tested on both."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any, Protocol, cast

import pytest
from typing_extensions import override

from graphmem.client import AsyncMemoryClient, MemoryClient, Pace
from tests.client.server import ScriptedServer


class Blocking:
    """An asynchronous client whose calls are waited for."""

    def __init__(self, client: AsyncMemoryClient) -> None:
        self._client = client
        self._runner = asyncio.Runner()

    def __getattr__(self, name: str) -> Callable[..., object]:
        method = getattr(self._client, {"close": "aclose"}.get(name, name))
        return lambda *args, **kwargs: self._runner.run(method(*args, **kwargs))

    @override
    def __repr__(self) -> str:
        return repr(self._client)

    def end(self) -> None:
        self._runner.run(self._client.aclose())
        self._runner.close()


class Waits:
    """A clock that moves by the pauses only."""

    def __init__(self) -> None:
        self.pauses: list[float] = []
        self.chance = 1.0
        self.now = 100.0
        self.wall = datetime(2026, 5, 25, 10, tzinfo=UTC)

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def pace(self) -> Pace:
        return Pace(
            clock=lambda: self.now,
            wall=lambda: self.wall,
            jitter=lambda: self.chance,
            sleep=self.sleep,
            asleep=self.asleep,
        )


_AUTHORITIES = ssl.create_default_context()


class Connect(Protocol):
    def __call__(self, base_url: str | None = None, **settings: Any) -> MemoryClient: ...


@pytest.fixture(scope="module")
def _server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server


@pytest.fixture
def server(_server: ScriptedServer) -> ScriptedServer:
    _server.script.clear()
    _server.seen.clear()
    return _server


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture(params=["sync", "async"])
def connect(
    request: pytest.FixtureRequest, server: ScriptedServer, waits: Waits
) -> Iterator[Connect]:
    """Makes a client of either colour to the scripted server, whose pauses take no time."""
    with ExitStack() as stack:

        def make(base_url: str | None = None, **settings: Any) -> MemoryClient:
            arguments = {"pace": waits.pace(), **settings}
            if base_url is None:  # plain HTTP; reading the authorities takes 40 ms each time
                arguments.setdefault("verify", _AUTHORITIES)
            if request.param == "sync":
                return stack.enter_context(MemoryClient(base_url or server.url, **arguments))
            blocking = Blocking(AsyncMemoryClient(base_url or server.url, **arguments))
            stack.callback(blocking.end)
            return cast("MemoryClient", blocking)

        yield make


@pytest.fixture
def client(connect: Connect) -> MemoryClient:
    return connect()
