"""A memory server on the loopback that answers as scripted, over real sockets."""

from __future__ import annotations

import json
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from typing_extensions import override

REQUEST_ID = "req-0123456789abcdef"
TRACE_ID = "tr-01234567-89abcdef"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the server sends; `cut` closes the connection after that many bytes of the body."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    is_silent: bool = False
    hangs: bool = False
    drips: bool = False


def ok(data: object = None, **envelope: object) -> Reply:
    """A success; None leaves `data` out."""
    fields = {"code": 0, "message": "ok", "request_id": REQUEST_ID, "trace_id": TRACE_ID}
    rest = {} if data is None else {"data": data}
    body = json.dumps({**fields, **rest, **envelope}, ensure_ascii=False).encode()
    return Reply(body=body, headers={"x-trace-id": TRACE_ID})


def refusal(code: int, message: str = "limit: must be at most 100", **headers: str) -> Reply:
    """An error of the contract."""
    fields = {"code": code, "message": message, "request_id": REQUEST_ID, "trace_id": TRACE_ID}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(
        body=json.dumps(fields, ensure_ascii=False).encode(),
        status=code if 400 <= code < 600 else 200,
        headers={"x-trace-id": TRACE_ID, **named},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it arrived."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ScriptedServer:
    """Plays one reply of the script per request, then answers with empty successes."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.script: list[Reply | Callable[[dict[str, Any]], Reply]] = []
        self.seen: list[Seen] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._http = _QuietServer(("127.0.0.1", 0), self._handler())
        if tls is not None:
            self._http.socket = tls.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self.host = f"127.0.0.1:{self._http.server_port}"
        self.url = f"{'http' if tls is None else 'https'}://{self.host}"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def last(self) -> Seen:
        return self.seen[-1]

    def reply_to(self, seen: Seen) -> Reply:
        with self._lock:
            self.seen.append(seen)
            step = self.script.pop(0) if self.script else ok()
        return step(seen.body) if callable(step) else step

    def send(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        if reply.hangs:
            self._ended.wait(30)
        if reply.is_silent or reply.hangs:
            return
        handler.send_response(reply.status)
        headers = {"Content-Length": str(len(reply.body)), **reply.headers}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        if not reply.drips:
            handler.wfile.write(reply.body[: reply.cut])
            return
        for byte in reply.body:
            handler.wfile.write(bytes([byte]))
            if self._ended.wait(0.05):
                return

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {
                    name.lower(): value.encode("latin-1").decode()
                    for name, value in self.headers.items()
                }
                seen = Seen(path=self.path, headers=headers, body=json.loads(body))
                server.send(self, server.reply_to(seen))

            @override
            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


class _QuietServer(ThreadingHTTPServer):
    request_queue_size = 64

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is what the tests are about."""
