"""Contract 3 over a real socket: every answer is held against the envelope before it is looked at."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from tests.server.live import Live, Reply

REQUEST_ID = re.compile(r"req-[0-9a-f]{16}")
TRACE_ID = re.compile(r"tr-[0-9a-f]{8}-[0-9a-f]{8}")
Json = dict[str, Any]


@dataclass(frozen=True)
class Api:
    """Calls for one scope.

    Attributes:
        scope: fields that go with every body.
        headers: those that go with every request.
    """

    live: Live
    scope: Mapping[str, object] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    version: str = "v2"

    def send(self, path: str, /, **body: object) -> Reply:
        """Any answer, its envelope checked."""
        value = {**self.scope, **body}
        return checked(self.live.post(f"/{self.version}/{path}", value, **self.headers))

    def ok(self, path: str, /, **body: object) -> Json:
        """The data of a success."""
        reply = self.send(path, **body)
        assert reply.status == 200, reply.body
        return cast("Json", reply.json()["data"])

    def refused(self, path: str, /, **body: object) -> tuple[int, str]:
        """Status and message of an error."""
        reply = self.send(path, **body)
        assert reply.status >= 400, reply.body
        return reply.status, str(reply.json()["message"])

    def say(self, *texts: str, at: str | None = None, **body: str | None) -> list[str]:
        """Add messages; give their ids."""
        messages = [{"role": "user", "content": text, "timestamp": at} for text in texts]
        return cast(
            "list[str]", self.ok("conversation/add", messages=messages, **body)["accepted_ids"]
        )

    def make(self, *texts: str, kind: str = "episodic", **body: object) -> list[Json]:
        """Make atoms by hand; give them."""
        items = [{"content": text, "type": kind} for text in texts]
        return cast("list[Json]", self.ok("atomic/create", items=items, **body)["items"])

    def search(self, query: str, **body: object) -> list[Json]:
        return cast("list[Json]", self.ok("atomic/search", query=query, **body)["items"])

    def listed(self, **body: object) -> list[Json]:
        return cast("list[Json]", self.ok("atomic/query", limit=100, **body)["items"])

    def messages(self, **body: object) -> list[Json]:
        return cast("list[Json]", self.ok("conversation/query", limit=100, **body)["messages"])


def checked(reply: Reply) -> Reply:
    """The answer, if it has the shape of the contract."""
    envelope = reply.json()
    code = envelope["code"]
    assert code == (0 if reply.status == 200 else reply.status)
    assert REQUEST_ID.fullmatch(str(envelope["request_id"]))
    assert TRACE_ID.fullmatch(str(envelope["trace_id"]))
    assert reply.headers["x-trace-id"] == envelope["trace_id"]
    fields = ["code", "message", "request_id", *(["data"] if code == 0 else []), "trace_id"]
    assert list(envelope) == fields
    assert isinstance(envelope.get("data", {}), dict)
    return reply


def contents(items: list[Json]) -> list[str]:
    return [str(item["content"]) for item in items]
