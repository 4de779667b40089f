"""OpenAI-compatible servers on the loopback that misbehave as scripted."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias

from typing_extensions import override

from graphmem.providers.embedding.fake import FakeEmbedder

DIMENSION = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    dies_after: int | None = None  # it promises the whole body and hangs up after so many bytes


Step: TypeAlias = Callable[[list[str]], Answer]


def rows_for(texts: list[str], dimension: int = DIMENSION) -> list[list[float]]:
    rows: list[list[float]] = (FakeEmbedder(dimension).embed_passages(texts) * 3).tolist()
    return rows


def pack(rows: list[list[float]], order: list[int] | None = None) -> Answer:
    indices = order or list(range(len(rows)))
    data = [{"object": "embedding", "index": i, "embedding": rows[i]} for i in indices]
    return Answer(body=json.dumps({"object": "list", "data": data}).encode())


def good(texts: list[str]) -> Answer:
    return pack(rows_for(texts))


def status(code: int, **headers: str) -> Step:
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    def answer(texts: list[str]) -> Answer:
        # Real servers repeat what they refuse.
        return Answer(status=code, headers=named, body=json.dumps({"error": texts}).encode())

    return answer


class ScriptedServer:
    """Plays one step of the script per request, then answers well."""

    path: str

    def __init__(self, port: int = 0) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.lock = threading.Lock()
        self._ended = threading.Event()
        self._http = _QuietServer(("127.0.0.1", port), self._handler())
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self.port = self._http.server_port
        self.base_url = f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ended.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def step(self, request: dict[str, Any]) -> Answer:
        """What the script, or good conduct, answers."""
        raise NotImplementedError

    def answer(self, path: str, key: str | None, body: bytes) -> Answer:
        request = json.loads(body)
        with self.lock:
            self.requests.append(request)
            self.keys.append(key)
        if path != self.path:
            return Answer(status=404)
        answer = self.step(request)
        if answer.hangs:
            self._ended.wait(30)
        return answer

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                answer = server.answer(self.path, self.headers["Authorization"], body)
                self.send_response(answer.status)
                if answer.dies_after is not None:
                    self.send_header("Content-Length", str(len(answer.body)))
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body[: answer.dies_after])

            @override
            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


class EmbeddingServer(ScriptedServer):
    path = "/v1/embeddings"

    def __init__(self, port: int = 0) -> None:
        self.script: list[Step] = []
        super().__init__(port)

    @override
    def step(self, request: dict[str, Any]) -> Answer:
        with self.lock:
            step = self.script.pop(0) if self.script else good
        return step(request["input"])


class _QuietServer(ThreadingHTTPServer):
    request_queue_size = 64

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hung up is what the tests are about."""
