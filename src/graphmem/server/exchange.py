"""An exchange is one request with its answer, as metrics, log and traces see it: no payload."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from time import perf_counter
from typing import Final

from starlette.types import Message, Scope, Send

from graphmem.ports.stage import Stage
from graphmem.server.tracing import Tracing

TRACE_HEADER: Final = b"x-trace-id"
CLIENT_GONE: Final = 499
UNMATCHED: Final = "unmatched"
# A client may send any word as its method, thus anything that a user said.
_METHODS: Final = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})


class Exchange:
    """Measures one exchange and its stages. See `graphmem.ports.stage.Recorder`.

    Attributes:
        trace_id: its name in the answer, the log and the trace.
        status: the answer's; `CLIENT_GONE` until one was sent.
        stages: seconds spent in each.
    """

    def __init__(self, scope: Scope, tracing: Tracing | None) -> None:
        self._scope = scope
        self._tracing = tracing
        self._began = perf_counter()
        self._lock = threading.Lock()
        self.trace_id = new_trace_id()
        self.status = CLIENT_GONE
        self.stages: dict[Stage, float] = {}
        self._state: dict[str, object] = scope.setdefault("state", {})
        self._state["trace_id"] = self.trace_id

    @property
    def seconds(self) -> float:
        """How long it takes so far."""
        return perf_counter() - self._began

    @property
    def method(self) -> str:
        """The method, if it is one of HTTP's."""
        method: str = self._scope["method"]
        return method if method in _METHODS else "other"

    @property
    def route(self) -> str:
        """The path's pattern, known once the router has found it."""
        path: str = getattr(self._scope.get("route"), "path", UNMATCHED)
        return path

    @property
    def key_id(self) -> str | None:
        """The public half of the key, None before one was recognised."""
        key_id = self._state.get("key_id")
        return None if key_id is None else str(key_id)

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        """Measure a block as part of the exchange."""
        began = perf_counter()
        try:
            with self._traced(name):
                yield
        finally:
            with self._lock:
                self.stages[name] = self.stages.get(name, 0.0) + perf_counter() - began

    def answering(self, send: Send) -> Send:
        """The way out for the answer, which notes its status and puts the trace id in its head."""

        async def pass_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                headers = [*message.get("headers", ()), (TRACE_HEADER, self.trace_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        return pass_on

    def _traced(self, name: Stage) -> AbstractContextManager[None]:
        return nullcontext() if self._tracing is None else self._tracing.stage(name)


def new_trace_id() -> str:
    """A random id of the form `tr-0123abcd-4567cdef`."""
    return f"tr-{secrets.token_hex(4)}-{secrets.token_hex(4)}"
