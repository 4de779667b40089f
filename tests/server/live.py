"""A real server on loopback, and a client that sends and receives bytes."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI

from graphmem.config import AddSearchConfig, ServiceConfig
from graphmem.server.run import bind, build_server, url_of
from graphmem.server.tracing import Tracing
from graphmem.service.memory import MemoryService

JsonObject = dict[str, object]
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> JsonObject:
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value

    def reason(self) -> str:
        detail = self.json()["detail"]
        assert isinstance(detail, dict)
        return str(detail["reason"])

    def problems(self) -> list[tuple[str, str]]:
        detail = self.json()["detail"]
        assert isinstance(detail, dict)
        return [(e["field"], e["reason"]) for e in detail["errors"]]

    def hits(self) -> list[JsonObject]:
        data = self.json()["data"]
        assert isinstance(data, list)
        return data

    def contents(self) -> list[str]:
        return [str(hit["content"]) for hit in self.hits()]


@dataclass(frozen=True, slots=True)
class Live:
    host: str
    port: int
    service: MemoryService
    in_flight: Callable[[], float] = lambda: 0.0

    def call(
        self,
        method: str,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=100)
        try:
            connection.request(
                method,
                path,
                body=body,
                headers=dict(headers or {}),
                encode_chunked=not isinstance(body, bytes | None),
            )
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, found, response.read())
        finally:
            connection.close()

    def settle(self) -> None:
        """Wait until all that was answered is also counted and logged."""
        until = time.monotonic() + 20
        while self.in_flight():
            assert time.monotonic() < until
            time.sleep(0.001)

    def post(self, path: str, value: object, **headers: str) -> Reply:
        sent = {name.replace("_", "-"): text for name, text in headers.items()}
        return self.call("POST", path, encode(value), sent)

    def add(self, user_id: str, *contents: str, request_id: str = "r-0", **headers: str) -> Reply:
        return self.post("/add", an_add(user_id, *contents, request_id=request_id), **headers)

    def search(self, user_id: str, query: str, top_k: object = 100, **headers: str) -> Reply:
        body = {"query": query, "user_id": user_id, "top_k": top_k}
        return self.post("/search", body, **headers)


def encode(value: object) -> bytes:
    """Compact JSON in UTF-8; what UTF-8 can't carry stays escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()


def an_add(
    user_id: str = "u",
    *contents: str,
    request_id: str = "r-0",
    session_id: str = "s-0",
    messages: Sequence[object] | None = None,
) -> JsonObject:
    said = [{"role": "user", "content": text} for text in contents or ("hello there",)]
    return {
        "request_id": request_id,
        "user_id": user_id,
        "session_id": session_id,
        "messages": said if messages is None else messages,
    }


def a_search(**changes: object) -> JsonObject:
    return {"query": "hello", "user_id": "u", "top_k": 5} | changes


def new_user() -> str:
    return f"user-{next(_numbers)}"


def configure(
    data_dir: Path,
    *,
    api_key: str | None = None,
    addsearch: AddSearchConfig | None = None,
    dense: bool = False,
) -> ServiceConfig:
    """Settings without an embedding model, unless a test is about one."""
    return ServiceConfig(
        data_dir=data_dir,
        port=0,
        api_key=api_key,
        addsearch=addsearch or AddSearchConfig(),
        dense_retrieval=dense,
    )


@contextmanager
def running(
    config: ServiceConfig,
    open_service: Callable[..., MemoryService] = MemoryService.open,
    tracing: Tracing | None = None,
) -> Iterator[Live]:
    with open_service(config=config) as service, bind(config) as listener:
        ready = threading.Event()
        server = build_server(
            service, url_of(listener), on_ready=lambda _: ready.set(), tracing=tracing
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        host, port = listener.getsockname()[:2]
        thread.start()
        try:
            assert ready.wait(20)
            app = server.config.app
            assert isinstance(app, FastAPI)
            yield Live(host, port, service, app.state.metrics._in_flight._value.get)
        finally:
            server.should_exit = True
            thread.join(60)
