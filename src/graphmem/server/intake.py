"""Intake reads a request's body within its limits and turns it into a checked model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, TypeVar

from pydantic import BaseModel
from starlette.requests import Request

from graphmem.server.failures import Failure, RefusedError
from graphmem.server.workers import Lane
from graphmem.wire.body import read_body

# Parsing and checking 64 KiB takes about a millisecond; more goes to a thread so that the event
# loop goes on answering.
INLINE_BYTES: Final = 64 * 1024
# Parsed, a body of 64 MiB takes about 300 MiB; as many large ones as this are held at once, until
# they are answered.
LARGE_BYTES: Final = 1024 * 1024
LARGE_BODIES: Final = 4
# A client that stalls in mid-body must not hold its connection, nor a shutdown, for ever.
STALL_SECONDS: Final = 60.0
_Model = TypeVar("_Model", bound=BaseModel)
_STALLED: Final = Failure(
    status=408,
    code="request_timeout",
    reason=f"no byte of the body came for {STALL_SECONDS:.0f} s; send the request again",
)


class Intake:
    """Reads bodies.

    Args:
        lane: where big bodies are parsed.
        max_bytes: larger bodies are refused before they are parsed.
    """

    def __init__(self, lane: Lane, *, max_bytes: int) -> None:
        self._lane = lane
        self._max_bytes = max_bytes
        self._large = asyncio.Semaphore(LARGE_BODIES)

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
        if declared.isdecimal() and int(declared) > self._max_bytes:
            raise self._too_large()
        received = bytearray()
        is_large = False
        async for chunk in _chunks(request):
            received += chunk
            if len(received) > self._max_bytes:
                raise self._too_large()
            if len(received) > LARGE_BYTES and not is_large:
                is_large = True
                await held.enter_async_context(self._large)
        return received

    def _too_large(self) -> RefusedError:
        reason = f"the body is larger than {self._max_bytes} bytes; split it into several requests"
        return RefusedError(Failure(status=413, code="too_large", reason=reason))


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    stream = aiter(request.stream())
    while True:
        try:
            async with asyncio.timeout(STALL_SECONDS):
                chunk = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise RefusedError(_STALLED) from None
        yield chunk
