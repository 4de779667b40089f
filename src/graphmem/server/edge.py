"""The edge is the outermost layer: each exchange is measured, logged, and its last errors caught."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send

from graphmem.ports.stage import recorded_by
from graphmem.server.exchange import CLIENT_GONE, Exchange
from graphmem.server.failures import INTERNAL
from graphmem.server.logs import FIELDS
from graphmem.server.metrics import Metrics
from graphmem.server.surfaces import Surfaces
from graphmem.server.tracing import Tracing

# What machines ask all the time; as long as it goes well, their lines would drown the others.
_PROBES: Final = frozenset({"/health", "/ready", "/metrics"})
_log = logging.getLogger("graphmem.server")


class Edge:
    """ASGI middleware around everything; no exception passes it, so no server logs a payload."""

    def __init__(
        self, app: ASGIApp, *, metrics: Metrics, surfaces: Surfaces, tracing: Tracing | None
    ) -> None:
        self._app = app
        self._metrics = metrics
        self._surfaces = surfaces
        self._tracing = tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = Exchange(scope, self._tracing)
        with ExitStack() as around:
            around.enter_context(self._metrics.flight())
            around.callback(_log_exchange, exchange)
            around.callback(self._metrics.observe, exchange)
            if self._tracing is not None:
                around.enter_context(self._tracing.exchange(exchange, scope["headers"]))
            around.enter_context(recorded_by(exchange))
            await self._serve(scope, receive, send, exchange)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, exchange: Exchange) -> None:
        answer = exchange.answering(send)
        try:
            await self._app(scope, receive, answer)
        except ClientDisconnect:
            pass
        except Exception as error:  # noqa: BLE001  the HTTP edge
            _log_unexpected(error, exchange.trace_id)
            if exchange.status == CLIENT_GONE:
                await self._surfaces.render(INTERNAL, scope)(scope, receive, answer)


def _log_exchange(exchange: Exchange) -> None:
    """One line, without ids of users and tenants; the key's public half says who called."""
    is_noise = exchange.route in _PROBES and exchange.status < 400
    tell: Callable[..., None] = _log.debug if is_noise else _log.info
    fields = {
        "trace_id": exchange.trace_id,
        "method": exchange.method,
        "route": exchange.route,
        "status": exchange.status,
        "ms": _ms(exchange.seconds),
        "key": exchange.key_id,
        **{f"{name}_ms": _ms(seconds) for name, seconds in exchange.stages.items()},
    }
    tell("request", extra={FIELDS: fields})


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


def _log_unexpected(error: Exception, trace_id: str) -> None:
    """Log type and frames only: an exception's text may quote what a user said."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    _log.error("%s: unexpected %s\n%s", trace_id, name, frames)
