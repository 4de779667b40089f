"""Many at once, big ones, and callers that go away."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem.server.intake import LARGE_BYTES
from tests.server.live import Live, Reply, an_add, configure, encode, running

ADDS, SEARCHES = 64, 256


def test_64_adds_and_256_searches_at_once_are_all_served(server: Live, user: str) -> None:
    server.add(user, *(f"hello number {i}" for i in range(200)))
    gate = threading.Barrier(ADDS + SEARCHES)

    def add(i: int) -> Reply:
        gate.wait()
        return server.add(f"{user}-{i % 8}", f"hello {i}", request_id=f"r-{i}")

    def search(i: int) -> Reply:
        gate.wait()
        return server.search(user, f"hello number {i}")

    with ThreadPoolExecutor(ADDS + SEARCHES) as pool:
        added = [pool.submit(add, i) for i in range(ADDS)]
        found = [pool.submit(search, i) for i in range(SEARCHES)]
    assert {f.result().status for f in added + found} == {200}
    assert {len(f.result().hits()) for f in found} == {100}
    assert sum(len(server.search(f"{user}-{i}", "hello").hits()) for i in range(8)) == ADDS


def test_the_same_request_many_times_at_once_is_stored_once(server: Live, user: str) -> None:
    gate = threading.Barrier(16)

    def add(_: int) -> Reply:
        gate.wait()
        return server.add(user, "hello there")

    with ThreadPoolExecutor(16) as pool:
        assert len({reply.body for reply in pool.map(add, range(16))}) == 1
    assert len(server.search(user, "hello").hits()) == 1


def test_a_message_of_2_mb(server: Live, user: str) -> None:
    text = "hello " + "and so it goes on. " * 110_000
    assert len(text) > 2_000_000
    assert server.add(user, text).status == 200
    assert server.search(user, "hello").contents() == [f"user: {text}"]


def test_10_000_messages_in_one_add_leave_health_responsive(server: Live, user: str) -> None:
    messages = [{"role": "user", "content": f"Ann: hello number {i}"} for i in range(10_000)]
    with ThreadPoolExecutor(1) as pool:
        adding = pool.submit(server.post, "/add", an_add(user, messages=messages))
        waits = watch_health(server, adding.done)
        assert adding.result().status == 200
    assert max(waits) < 2.0
    assert len(waits) > 4
    assert len(server.search(user, "hello 9999").hits()) == 100


def test_a_body_near_the_limit_leaves_health_responsive(server: Live, user: str) -> None:
    big = encode(an_add(user) | {"metadata": ["x" * 1000] * 60_000})
    assert 60_000_000 < len(big) < 64 * 1024 * 1024
    with ThreadPoolExecutor(1) as pool:
        adding = pool.submit(server.call, "POST", "/add", big)
        waits = watch_health(server, adding.done)
        assert adding.result().status == 200
    assert max(waits) < 2.0
    assert len(waits) > 4


def test_more_large_bodies_than_are_held_at_once_all_pass(server: Live, user: str) -> None:
    body = an_add(user) | {"metadata": "x" * 2 * LARGE_BYTES}
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda _: server.post("/add", body), range(12)))
    assert {reply.status for reply in replies} == {200}


def watch_health(server: Live, done: Callable[[], bool]) -> list[float]:
    waits: list[float] = []
    while not waits or not done():
        started = time.perf_counter()
        assert server.call("GET", "/health").status == 200
        waits.append(time.perf_counter() - started)
        time.sleep(0.01)
    return waits


@pytest.mark.parametrize("chunked", [False, True])
def test_a_client_that_hangs_up_in_mid_body_stores_nothing(
    server: Live, user: str, chunked: bool
) -> None:
    body = encode(an_add(user))
    framing = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % len(body)
    sent = b"%x\r\n%b\r\n" % (len(body), body) if chunked else body[:-1]
    with socket.create_connection((server.host, server.port), timeout=20) as peer:
        peer.sendall(b"POST /add HTTP/1.1\r\nHost: x\r\n%b\r\n\r\n%b" % (framing, sent))
    until(lambda: 'route="/add",status="499"' in server.call("GET", "/metrics").body.decode())
    assert server.search(user, "hello").hits() == []


def test_a_client_that_hangs_up_in_mid_add_finds_it_done(server: Live, user: str) -> None:
    messages = [{"role": "user", "content": f"hello number {i}"} for i in range(8000)]
    body = encode(an_add(user, messages=messages))
    head = b"POST /add HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
    with socket.create_connection((server.host, server.port), timeout=20) as peer:
        peer.sendall(head + body)
        until(lambda: b'calls_running{lane="add"} 1.0' in server.call("GET", "/metrics").body)
    until(lambda: len(server.search(user, "hello", 1).hits()) == 1)
    before = server.service.status("default", user)
    reply = server.call("POST", "/add", body)
    assert json.loads(reply.body)["success"] is True
    assert server.service.status("default", user) == before
    assert before.turns == 8000


def test_a_stop_waits_for_running_adds(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"hello number {i}"} for i in range(3000)]
    with running(configure(tmp_path)) as live, ThreadPoolExecutor(4) as pool:
        adding = [
            pool.submit(live.post, "/add", an_add(f"u{i}", messages=messages)) for i in (1, 2)
        ]
        until(lambda: b'calls_running{lane="add"} 0.0' not in live.call("GET", "/metrics").body)
    assert [future.result().status for future in adding] == [200, 200]


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    deadline = time.perf_counter() + seconds
    while not condition():
        assert time.perf_counter() < deadline
        time.sleep(0.01)
