"""The edge is the outermost layer: trace ids, metrics, and the last catch for unexpected errors."""

from __future__ import annotations

import logging
import secrets
import traceback
from time import perf_counter
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphmem.server.failures import INTERNAL
from graphmem.server.metrics import Metrics
from graphmem.server.surfaces import Surfaces

TRACE_HEADER: Final = b"x-trace-id"
CLIENT_GONE: Final = 499
UNMATCHED: Final = "unmatched"
_log = logging.getLogger("graphmem.server")


class Edge:
    """ASGI middleware around everything; no exception passes it, so no server logs a payload."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, surfaces: Surfaces) -> None:
        self._app = app
        self._metrics = metrics
        self._surfaces = surfaces

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, new_trace_id())
        scope.setdefault("state", {})["trace_id"] = answer.trace_id
        started = perf_counter()
        with self._metrics.flight():
            try:
                await self._serve(scope, receive, answer)
            finally:
                seconds = perf_counter() - started
                self._metrics.observe(_route_of(scope), answer.status, seconds)

    async def _serve(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        try:
            await self._app(scope, receive, answer.send)
        except ClientDisconnect:
            pass
        except Exception as error:  # noqa: BLE001  the HTTP edge
            _log_unexpected(error, answer.trace_id)
            if answer.status == CLIENT_GONE:
                await self._surfaces.render(INTERNAL, scope)(scope, receive, answer.send)


class _Answer:
    """The outgoing half of an exchange; its status is `CLIENT_GONE` until one is sent."""

    def __init__(self, send: Send, trace_id: str) -> None:
        self._send = send
        self.trace_id = trace_id
        self.status = CLIENT_GONE

    async def send(self, message: Message) -> None:
        """Pass a message on, with the trace id in the head."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message.get("headers", ()), (TRACE_HEADER, self.trace_id.encode())]
            message = {**message, "headers": headers}
        await self._send(message)


def new_trace_id() -> str:
    """A random id of the form `tr-0123abcd-4567cdef`."""
    return f"tr-{secrets.token_hex(4)}-{secrets.token_hex(4)}"


def _route_of(scope: Scope) -> str:
    path: str = getattr(scope.get("route"), "path", UNMATCHED)
    return path


def _log_unexpected(error: Exception, trace_id: str) -> None:
    """Log type and frames only: an exception's text may quote what a user said."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    _log.error("%s: unexpected %s\n%s", trace_id, name, frames)
