"""A caller adds to and deletes from memories: through the SDK, or over HTTP with a client's eyes."""

from __future__ import annotations

import json
import threading
from http.client import HTTPConnection
from typing import Any, Protocol

from graphmem.domain.message import Message
from graphmem.errors import BuildFailedError, MemoryNotFoundError, MemoryPendingError
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT

TENANT = "default"


class PendingError(Exception):
    """What was added is kept, or what was asked for can't be read: not yet, or not any more."""


class Caller(Protocol):
    def add(
        self, memory: str, session: str, request: str, texts: list[str], *, strict: bool
    ) -> None: ...

    def search(self, memory: str, query: str, *, strict: bool) -> list[str]: ...

    def delete(
        self, memory: str, *, session: str | None = None, turn_ids: list[str] | None = None
    ) -> None: ...


class SdkCaller:
    """Calls the service."""

    def __init__(self, service: MemoryService) -> None:
        self._service = service

    def add(
        self, memory: str, session: str, request: str, texts: list[str], *, strict: bool
    ) -> None:
        policy = PRODUCT if strict else ADD_SEARCH
        said = [Message(role="user", content=text) for text in texts]
        try:
            self._service.add(TENANT, memory, session, said, request_id=request, policy=policy)
        except BuildFailedError as error:
            raise PendingError from error

    def search(self, memory: str, query: str, *, strict: bool) -> list[str]:
        policy = PRODUCT if strict else ADD_SEARCH
        try:
            found = self._service.retrieve(TENANT, memory, query, limit=20, policy=policy)
        except (MemoryPendingError, MemoryNotFoundError) as error:
            raise PendingError from error
        return [hit.content for hit in found.hits]

    def delete(
        self, memory: str, *, session: str | None = None, turn_ids: list[str] | None = None
    ) -> None:
        if turn_ids is not None:
            self._service.delete_messages(TENANT, memory, turn_ids)
        elif session is not None:
            self._service.delete_session(TENANT, memory, session)
        else:
            self._service.delete_memory(TENANT, memory)


class HttpCaller:
    """Calls a server; each thread over a connection of its own."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._local = threading.local()

    def add(
        self, memory: str, session: str, request: str, texts: list[str], *, strict: bool
    ) -> None:
        said = [{"role": "user", "content": text} for text in texts]
        body = {"request_id": request, "session_id": session, "messages": said}
        name = "memory_id" if strict else "user_id"
        self._post("/v1/add" if strict else "/add", body | {name: memory})

    def search(self, memory: str, query: str, *, strict: bool) -> list[str]:
        if strict:
            hits = self._post("/v1/retrieve", {"memory_id": memory, "query": query})["hits"]
        else:
            hits = self._post("/search", {"user_id": memory, "query": query, "top_k": 20})["data"]
        return [hit["content"] for hit in hits]

    def delete(
        self, memory: str, *, session: str | None = None, turn_ids: list[str] | None = None
    ) -> None:
        what = {"session_id": session, "turn_ids": turn_ids}
        asked = {name: value for name, value in what.items() if value is not None}
        body: dict[str, Any] = {**asked} if asked else {"all": True}
        self._post("/v1/delete", body | {"memory_id": memory})

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
            self._local.connection = connection
        connection.request("POST", path, body=json.dumps(body))
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 404 and path == "/v1/retrieve" and b"memory_not_found" in text:
            raise PendingError  # its thread deleted it
        if answer.status in {409, 503} and (b"build_failed" in text or b"memory_pending" in text):
            raise PendingError
        assert answer.status == 200, (answer.status, text)
        return json.loads(text)
