"""An HTTP server on the loopback that gives scripted answers and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from typing_extensions import override


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer; `breaks_off` closes the connection in its place."""

    status: int = 200
    body: object = None
    headers: Mapping[str, str] = field(default_factory=dict)
    breaks_off: bool = False


class ScriptedServer:
    """Plays one reply a request; the last one again and again."""

    def __init__(self, *script: Reply) -> None:
        self.script = list(script)
        self.asked: list[Asked] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self.address = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> ScriptedServer:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def _next(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                body = json.loads(data) if data else None
                asked = Asked(method=self.command, path=self.path, headers=headers, body=body)
                reply = server._next(asked)
                if reply.breaks_off:
                    return
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                self.wfile.write(text.encode())

            def do_GET(self) -> None:
                self.do_POST()

            @override
            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
