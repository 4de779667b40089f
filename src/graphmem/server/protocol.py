"""The HTTP/1.1 protocol of the server: bytes that are no HTTP get an answer in our shape as well."""

from __future__ import annotations

import logging
from typing import Final

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from graphmem.server.exchange import TRACE_HEADER, new_trace_id
from graphmem.server.failures import Failure
from graphmem.server.surfaces import JSON, render_problem

_MALFORMED: Final = Failure(
    status=400, code="malformed_http", reason="this is no HTTP/1.1 request, or its head is too long"
)
_log = logging.getLogger("graphmem.server")


class Protocol(H11Protocol):
    """h11 behind uvicorn; no application sees a request that can't be read."""

    @override
    def send_400_response(self, msg: str) -> None:
        trace_id = new_trace_id()
        _log.info("%s: 400, what came is no HTTP", trace_id)
        body = render_problem(_MALFORMED, trace_id).encode()
        head = h11.Response(
            status_code=400,
            headers=[
                (b"content-type", JSON.encode()),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
                (TRACE_HEADER, trace_id.encode()),
            ],
            reason=b"Bad Request",
        )
        for event in (head, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
