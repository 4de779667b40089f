"""The server on PostgreSQL: an outage is a 503, and the same request works when it is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.config import placed
from graphmem.service import pulse
from tests.server.live import Live, configure, running
from tests.service.rig import until
from tests.stores.server import Server

MEMORY = {"memory_id": "m", "session_id": "s"}


@pytest.fixture
def live(postgres_server: Server, tmp_path: Path) -> Iterator[Live]:
    with postgres_server.copied() as name:
        config = placed(configure(tmp_path), database_url=postgres_server.url(name))
        with running(config) as served:
            yield served


def test_an_outage_is_told_and_over_when_the_server_is_back(
    live: Live, postgres_server: Server
) -> None:
    def add(text: str) -> int:
        body = MEMORY | {"request_id": text, "messages": [{"role": "user", "content": text}]}
        reply = live.post("/v1/add", body)
        if reply.status != 200:
            assert reply.json()["error"]["code"] == "store_unavailable"  # type: ignore[index]
            assert reply.json()["error"]["retryable"] is True  # type: ignore[index]
            assert text.encode() not in reply.body
        return reply.status

    def search() -> tuple[int, list[str]]:
        body = {"memory_id": "m", "query": "ferry", "limit": 10}
        reply = live.post("/v1/retrieve", body)
        hits = reply.json().get("hits", [])
        assert isinstance(hits, list)
        return reply.status, sorted(hit["content"] for hit in hits)

    assert add("the ferry of Monday") == 200
    assert live.call("GET", "/ready").status == 200
    postgres_server.kill()
    try:
        assert add("the ferry of Tuesday") == 503
        assert search() == (503, [])
        assert live.call("GET", "/health").status == 200
        ready = live.call("GET", "/ready")
        assert ready.status == 503
        assert b'"part":"store"' in ready.body
        assert b"graphmem_store_up 0.0" in live.call("GET", "/metrics").body
    finally:
        postgres_server.start()
    assert search() == (200, ["the ferry of Monday"])
    assert add("the ferry of Tuesday") == 200
    assert search() == (200, ["the ferry of Monday", "the ferry of Tuesday"])
    assert live.call("GET", "/ready").status == 200
    assert b"graphmem_store_up 1.0" in live.call("GET", "/metrics").body


def test_two_servers_serve_one_database(
    live: Live, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.05)
    url = live.service.config.database_url
    with running(placed(configure(tmp_path / "other"), database_url=url)) as other:
        for number, server in enumerate([live, other] * 3):
            assert server.add("u", f"ferry {number}", request_id=str(number)).status == 200
        assert live.search("u", "ferry").body == other.search("u", "ferry").body
        assert len(live.search("u", "ferry").contents()) == 6
        assert live.post("/v1/delete", {"memory_id": "u", "all": True}).status == 200
        assert other.search("u", "ferry").contents() == []
        wanted = {"tenants": None, "memories": None, "rights": ["read"], "name": ""}
        made = other.post("/v1/keys", wanted).json()
        key = str(made["key"])
        until(lambda: live.search("u", "ferry").status == 401)
        assert live.search("u", "ferry", Authorization=f"Bearer {key}").status == 200


def test_add_search_goes_on_after_an_outage(live: Live, postgres_server: Server) -> None:
    body = {
        "user_id": "u",
        "session_id": "s",
        "request_id": "r-1",
        "messages": [{"role": "user", "content": "the ferry of Monday"}],
    }
    postgres_server.kill()
    try:
        assert live.post("/add", body).status == 503
    finally:
        postgres_server.start()
    assert live.post("/add", body).status == 200
    found = live.search("u", "ferry").contents()
    assert len(found) == 1
    assert "the ferry of Monday" in found[0]
