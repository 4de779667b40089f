"""Sends requests, reads answers, and tries again what may pass: the only I/O of the client."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import Final

import httpx2

from graphmem.client._base.answer import Answer, Reader
from graphmem.client._base.calls import Call
from graphmem.client._base.request import Request, prepare
from graphmem.client._base.seam import FOREIGN, cause_of, may_pass, translate
from graphmem.client._base.settings import Scope, Settings
from graphmem.client.errors import (
    AnswerError,
    ConnectionFailedError,
    MemoryClientError,
    RequestTimeoutError,
)
from graphmem.client.result import Result
from graphmem.client.retry import AgainError, Pace, Timeouts, Tries

MAX_ANSWER_BYTES: Final = 256 * 1024 * 1024


class AsyncCaller:
    """Makes one call after another over a pool of connections."""

    def __init__(
        self,
        settings: Settings,
        scope: Scope,
        timeouts: Timeouts,
        *,
        max_retries: int,
        verify: ssl.SSLContext | bool,
        pace: Pace,
    ) -> None:
        self._settings = settings
        self._scope = scope
        self._timeouts = timeouts
        self._max_retries = max_retries
        self._pace = pace
        self._http = httpx2.AsyncClient(
            headers=settings.headers(),
            verify=verify,
            # No proxy stands between this machine and itself.
            trust_env=not settings.is_loopback,
        )

    async def aclose(self) -> None:
        """Close the connections; calls afterwards are refused."""
        await self._http.aclose()

    async def call(self, call: Call, arguments: Mapping[str, object]) -> Result:
        """Make a call, and again as long as its failure may pass and time is left.

        Raises:
            MemoryClientError: what the last try ended with.
        """
        request = prepare(call, self._scope, arguments)
        reader = Reader(
            host=self._settings.host,
            api_key=self._settings.api_key,
            texts=request.texts,
            wall=self._pace.wall,
        )
        try:
            return Result(await self._try(request, reader))
        except MemoryClientError as error:
            error.sent_request_id = request.request_id
            raise

    async def _try(self, request: Request, reader: Reader) -> dict[str, object]:
        tries = Tries(self._timeouts, self._max_retries, self._pace)
        while True:
            try:
                return reader.read(await self._send(request, tries))
            except AgainError as again:
                pause = tries.pause_after(again)
            await self._pace.asleep(pause)

    async def _send(self, request: Request, tries: Tries) -> Answer:
        if self._http.is_closed:
            raise _closed()
        try:
            return await self._exchange(request, tries)
        except FOREIGN as error:
            translated = translate(error, self._settings.host)
            raised = AgainError(translated) if may_pass(translated) else translated
            raise raised from cause_of(error)
        except RuntimeError:  # another task or thread may have closed the client meanwhile
            if self._http.is_closed:
                raise _closed() from None
            raise

    async def _exchange(self, request: Request, tries: Tries) -> Answer:
        connect, read = tries.limits()
        async with self._http.stream(
            "POST",
            self._settings.url(request.path),
            content=request.content,
            timeout=httpx2.Timeout(read, connect=connect),
        ) as response:
            body = bytearray()
            async for chunk in response.aiter_bytes():
                body += chunk
                # The limit above is for each wait; a server that drips would never meet it.
                if tries.is_over():
                    raise RequestTimeoutError(f"{self._settings.host} did not finish its answer")
                if len(body) > MAX_ANSWER_BYTES:
                    raise AnswerError(f"{self._settings.host} sent more than 256 MiB")
            return Answer(status=response.status_code, headers=response.headers, body=bytes(body))


def _closed() -> ConnectionFailedError:
    return ConnectionFailedError("the client is closed; make another one")
