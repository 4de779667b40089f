"""What may pass is tried again, a bounded number of times, and a write under one request id."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from graphmem.client import (
    AnswerError,
    BadRequestError,
    ConnectionFailedError,
    MemoryClient,
    MemoryClientError,
    RateLimitedError,
    RequestTimeoutError,
    ServerError,
    Timeouts,
)
from tests.client.conftest import Connect, Waits
from tests.client.server import Reply, ScriptedServer, ok, refusal
from tests.client.test_calls import CALLS, WRITES

BROKEN = {
    "429": refusal(429),
    "502": refusal(502),
    "503": refusal(503),
    "504": refusal(504),
    "html 502": Reply(status=502, body=b"<html>"),
    "429 in a 200": Reply(body=b'{"code":429,"message":"slow down"}'),
    "no answer": Reply(is_silent=True),
    "half an answer": Reply(body=b'{"code":0,"data":{}}', cut=8),
    "no http": Reply(status=200, headers={"Content-Length": "x"}),
}


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("name", CALLS)
def test_what_may_pass_is_tried_again(
    client: MemoryClient, server: ScriptedServer, waits: Waits, name: str, reply: Reply
) -> None:
    server.script += [reply, reply, ok()]
    CALLS[name][0](client)
    first, second, third = server.seen
    assert first.body == second.body == third.body
    assert ("request_id" in first.body) == (name in WRITES)
    assert waits.pauses == [0.25, 0.5]


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
def test_the_retries_are_bounded(connect: Connect, server: ScriptedServer, reply: Reply) -> None:
    server.script += [reply] * 9
    with pytest.raises(MemoryClientError) as caught:
        connect(max_retries=2).add_conversation([{"role": "user", "content": "茶"}])
    assert len(server.seen) == 3
    assert caught.value.sent_request_id == server.last.body["request_id"]


@pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 413, 500, 501])
def test_what_will_not_pass_is_not_tried_again(
    client: MemoryClient, server: ScriptedServer, waits: Waits, code: int
) -> None:
    server.script.append(refusal(code))
    with pytest.raises(MemoryClientError):
        client.count_atomic()
    assert len(server.seen) == 1
    assert waits.pauses == []


def test_two_writes_have_two_request_ids_and_reads_none(
    client: MemoryClient, server: ScriptedServer
) -> None:
    for _ in range(2):
        client.delete_atomic(["a"])
    client.count_atomic()
    first, second, read = (seen.body.get("request_id") for seen in server.seen)
    assert first != second
    assert read is None


def test_the_error_of_a_read_names_no_request_id(
    client: MemoryClient, server: ScriptedServer
) -> None:
    server.script.append(refusal(400))
    with pytest.raises(BadRequestError) as caught:
        client.count_atomic()
    assert caught.value.sent_request_id is None


def test_pauses_double_up_to_a_limit_and_half_of_each_is_chance(
    connect: Connect, server: ScriptedServer, waits: Waits
) -> None:
    server.script += [refusal(503)] * 18
    client = connect(max_retries=8)
    for chance in (1.0, 0.0):
        waits.chance = chance
        with pytest.raises(ServerError):
            client.count_atomic()
    longest = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]
    assert waits.pauses == [*longest, *(pause / 2 for pause in longest)]


@pytest.mark.parametrize(
    ("value", "pause"),
    [
        ("7", 7.0),
        (" 7 ", 7.0),
        ("0", 0.25),
        ("Mon, 25 May 2026 10:00:07 GMT", 7.0),
        ("Mon, 25 May 2026 18:00:07 +0800", 7.0),
        ("Mon, 25 May 2026 09:00:00 GMT", 0.25),
        ("soon", 0.25),
        ("-7", 0.25),
        ("7.5", 0.25),
        ("", 0.25),
    ],
)
@pytest.mark.parametrize("code", [429, 503])
def test_the_server_may_ask_for_a_longer_pause_in_both_forms(
    client: MemoryClient, server: ScriptedServer, waits: Waits, code: int, value: str, pause: float
) -> None:
    server.script += [refusal(code, Retry_After=value), ok()]
    client.count_atomic()
    assert waits.pauses == [pause]


@pytest.mark.parametrize("value", ["31", "9" * 400, "Fri, 25 May 9999 10:00:00 GMT"])
def test_a_pause_beyond_the_time_limit_is_left_to_the_caller(
    connect: Connect, server: ScriptedServer, waits: Waits, value: str
) -> None:
    server.script.append(refusal(429, Retry_After=value))
    with pytest.raises(RateLimitedError) as caught:
        connect(timeout=30).count_atomic()
    assert waits.pauses == []
    assert caught.value.retry_after is not None
    assert caught.value.retry_after >= 31


def test_pauses_count_towards_the_time_limit(
    connect: Connect, server: ScriptedServer, waits: Waits
) -> None:
    server.script += [refusal(429, Retry_After="12")] * 9
    with pytest.raises(RateLimitedError):
        connect(timeout=30, max_retries=9).count_atomic()
    assert waits.pauses == [12.0, 12.0]


def test_a_server_that_is_not_there_is_a_connection_error(connect: Connect, waits: Waits) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: nobody else gets the port
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(ConnectionFailedError, match=host) as caught:
            connect(f"http://{host}").count_atomic()
    assert caught.value.code == -1
    assert len(waits.pauses) == 3


def test_a_server_that_does_not_answer_is_a_time_out(
    connect: Connect, server: ScriptedServer
) -> None:
    server.script += [Reply(hangs=True)] * 2
    with pytest.raises(RequestTimeoutError, match=server.host):
        connect(timeout=Timeouts(read=0.1), max_retries=1).count_atomic()
    assert len(server.seen) == 2


def test_the_time_limit_of_the_call_stands_above_that_of_a_read(
    connect: Connect, server: ScriptedServer
) -> None:
    server.script.append(Reply(hangs=True))
    begun = time.monotonic()
    with pytest.raises(RequestTimeoutError):
        connect(timeout=Timeouts(read=60, total=0.2), pace=None).count_atomic()
    assert time.monotonic() - begun < 5
    assert len(server.seen) == 1


def test_a_server_that_drips_is_given_up_when_the_time_is_over(
    connect: Connect, server: ScriptedServer
) -> None:
    server.script.append(Reply(body=b" " * 200, drips=True))
    begun = time.monotonic()
    with pytest.raises(RequestTimeoutError):
        connect(timeout=0.3, pace=None).count_atomic()
    assert time.monotonic() - begun < 5
    assert len(server.seen) == 1


@pytest.mark.parametrize("twice", [False, True])
def test_a_closed_client_says_so(connect: Connect, server: ScriptedServer, twice: bool) -> None:
    client = connect()
    client.close()
    if twice:
        client.close()
    with pytest.raises(ConnectionFailedError, match="closed"):
        client.count_atomic()
    assert server.seen == []


def test_one_client_serves_many_threads(server: ScriptedServer) -> None:
    with MemoryClient(server.url) as client:
        threads = [threading.Thread(target=client.count_atomic) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
    assert len(server.seen) == 16


def test_a_compressed_answer_that_is_damaged_can_not_be_read(
    client: MemoryClient, server: ScriptedServer
) -> None:
    server.script.append(Reply(body=b"no gzip", headers={"Content-Encoding": "gzip"}))
    with pytest.raises(AnswerError, match="can't be read"):
        client.count_atomic()
    assert len(server.seen) == 1


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(
    connect: Connect, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    client: Any = connect(max_retries=0)
    client.count_atomic()
    assert len(server.seen) == 1
