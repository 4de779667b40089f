"""Intake reads a request's body within its limits and turns it into a checked model."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Final, TypeVar

from pydantic import BaseModel
from starlette.requests import Request

from graphmem.server.failures import Failure, RefusedError
from graphmem.server.workers import Lane
from graphmem.wire.body import read_body

# Parsing and checking 64 KiB takes about a millisecond; more goes to a thread so that the event
# loop goes on answering.
INLINE_BYTES: Final = 64 * 1024
# Parsed, a body of 64 MiB takes about 300 MiB. Larger bodies than LARGE_BYTES share so many bytes,
# until they are answered: four of the largest, or hundreds of some megabytes.
LARGE_BYTES: Final = 1024 * 1024
ROOM_BYTES: Final = 256 * 1024 * 1024
# A client that stalls or drips in mid-body must not hold its room for ever: no gap is longer than
# this, and on the whole this much time is allowed beyond LEAST_RATE.
STALL_SECONDS: Final = 60.0
LEAST_RATE: Final = 50_000.0  # bytes a second
# How soon an unfinished body notices that the server stops.
_GLANCE_SECONDS: Final = 0.5
_Model = TypeVar("_Model", bound=BaseModel)
_STALLED: Final = Failure(
    status=408,
    code="request_timeout",
    reason="the body came too slowly; send the request again",
)
_STOPPING: Final = Failure(
    status=503,
    code="stopping",
    reason="the server stops; send the request again",
    headers={"Retry-After": "1"},
)


class Intake:
    """Reads bodies.

    Args:
        lane: where big bodies are parsed.
        max_bytes: larger bodies are refused before they are parsed.

    Attributes:
        is_stopping: tells whether unfinished bodies are to be given up.
    """

    def __init__(self, lane: Lane, *, max_bytes: int) -> None:
        self._lane = lane
        self._max_bytes = max_bytes
        self._room = Room(max(ROOM_BYTES, max_bytes))
        self.is_stopping: Callable[[], bool] = lambda: False

    @asynccontextmanager
    async def admit(self, request: Request, model: type[_Model]) -> AsyncIterator[_Model]:
        """Read and check the body of a request, whatever its Content-Type, for as long as needed.

        Raises:
            RefusedError: 413 too large, or 408 stalled.
            CrowdedBodyError: the body holds too many values.
            MalformedBodyError: the body is not JSON.
            InvalidBodyError: a field breaks the contract.
            ClientDisconnect: the client hung up before the body was complete.
        """
        async with AsyncExitStack() as held:
            yield await self._parse(await self._receive(request, held), model)

    async def _parse(self, raw: bytearray, model: type[_Model]) -> _Model:
        if len(raw) <= INLINE_BYTES:
            return read_body(raw, model)
        return await self._lane.run(lambda: read_body(raw, model))

    async def _receive(self, request: Request, held: AsyncExitStack) -> bytearray:
        """Collect the body; the rest of a large one stays in the network until there is room."""
        declared = request.headers.get("content-length", "")
        size = int(declared) if declared.isdecimal() else self._max_bytes
        if declared.isdecimal() and size > self._max_bytes:
            raise self._too_large()
        received = bytearray()
        pace = _Pace()
        is_large = False
        async for chunk in self._chunks(request, pace):
            received += chunk
            pace.received = len(received)
            if len(received) > self._max_bytes:
                raise self._too_large()
            if len(received) > LARGE_BYTES and not is_large:
                is_large = True
                with pace.paused():
                    await held.enter_async_context(self._room.of(size))
        return received

    async def _chunks(self, request: Request, pace: _Pace) -> AsyncIterator[bytes]:
        """The body as it comes.

        Raises:
            RefusedError: 408 it comes too slowly, or 503 the server stops.
        """
        stream = aiter(request.stream())
        while True:
            coming = asyncio.ensure_future(anext(stream, None))
            try:
                await self._await_chunk(coming, pace)
            finally:
                coming.cancel()
            chunk = coming.result()
            if chunk is None:
                return
            yield chunk

    async def _await_chunk(self, coming: asyncio.Future[bytes | None], pace: _Pace) -> None:
        began = pace.now()
        while not coming.done():
            await asyncio.wait({coming}, timeout=_GLANCE_SECONDS)
            if coming.done():
                return
            if self.is_stopping():
                raise RefusedError(_STOPPING)
            if pace.now() - began > STALL_SECONDS or pace.is_too_slow():
                raise RefusedError(_STALLED)

    def _too_large(self) -> RefusedError:
        reason = f"the body is larger than {self._max_bytes} bytes; split it into several requests"
        return RefusedError(Failure(status=413, code="too_large", reason=reason))


class Room:
    """Bytes that large bodies share. First come, first served: a small one never overtakes."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._turn = asyncio.Lock()
        self._returned = asyncio.Event()

    @asynccontextmanager
    async def of(self, size: int) -> AsyncIterator[None]:
        """Hold so many bytes, as soon as they are free."""
        async with self._turn:
            while self._free < size:
                self._returned.clear()
                await self._returned.wait()
            self._free -= size
        try:
            yield
        finally:
            self._free += size
            self._returned.set()


class _Pace:
    """How fast a body comes, the time that it had to wait for room left out."""

    def __init__(self) -> None:
        self._began = self.now()
        self.received = 0

    @staticmethod
    def now() -> float:
        return time.monotonic()

    def is_too_slow(self) -> bool:
        """Whether it took longer than its size allows."""
        return self.now() - self._began > STALL_SECONDS + self.received / LEAST_RATE

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Leave out the time within."""
        began = self.now()
        yield
        self._began += self.now() - began
