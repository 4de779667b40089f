from __future__ import annotations

import re
from pathlib import Path

from tests.server.live import Live, an_add, configure, running

LINE = re.compile(r"([a-z_]+)(?:\{(.*)\})? (\S+)\Z")


def read(live: Live) -> dict[str, float]:
    reply = live.call("GET", "/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=")
    lines = [line for line in reply.body.decode().splitlines() if not line.startswith("#")]
    found = [LINE.match(line) for line in lines]
    assert all(found)
    return {m[1] + (f"{{{m[2]}}}" if m[2] else ""): float(m[3]) for m in found if m}


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    with running(configure(tmp_path)) as live:
        for _ in range(2):
            live.add("u", "hello one", "hello two")
        live.search("u", "hello")
        live.post("/search", {})
        live.call("GET", "/whatever")
        shown = read(live)
    assert shown['graphmem_http_requests_total{route="/add",status="200"}'] == 2
    assert shown['graphmem_http_requests_total{route="/search",status="200"}'] == 1
    assert shown['graphmem_http_requests_total{route="/search",status="422"}'] == 1
    assert shown['graphmem_http_requests_total{route="unmatched",status="404"}'] == 1
    assert shown['graphmem_http_request_seconds_count{route="/add"}'] == 2
    assert shown["graphmem_added_turns_total"] == 2
    assert shown["graphmem_http_in_flight"] == 1
    assert shown['graphmem_calls_waiting{lane="add"}'] == 0
    assert shown['graphmem_calls_running{lane="search"}'] == 0
    assert shown["graphmem_cached_memories"] == 1
    assert shown["graphmem_cached_bytes"] > 0


def test_two_servers_count_apart(tmp_path: Path, server: Live, user: str) -> None:
    server.add(user, "hello")
    with running(configure(tmp_path)) as live:
        assert read(live)["graphmem_added_turns_total"] == 0


def test_no_label_comes_from_a_user(server: Live, user: str) -> None:
    server.post("/add", an_add(user, "hello", request_id=f"{user}-request"))
    server.call("GET", f"/{user}-path")
    assert user.encode() not in server.call("GET", "/metrics").body
