"""Writing commands beside a server: what it is asked, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from graphmem.cli import remote
from graphmem.cli.remote import Remote
from graphmem.config import ServiceConfig
from graphmem.errors import InvalidInputError, RemoteError
from graphmem.service.memory import MemoryService
from tests.cli.conftest import Result, Run
from tests.cli.scripted import Reply, ScriptedServer

RECEIPT = {
    "version": 3,
    "ready_version": 3,
    "state": "ready",
    "turn_ids": ["t_0123"],
    "replayed": False,
}


def refusal(status: int, code: str, message: str, **headers: str) -> Reply:
    body = {
        "error": {"code": code, "message": message, "retryable": status in {429, 503}},
        "trace_id": "tr-1",
    }
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status=status, body=body, headers=named)


@contextmanager
def holding(data_dir: Path, address: str | None) -> Iterator[None]:
    """The directory is held, by somebody who says that it serves there."""
    config = ServiceConfig(data_dir=data_dir, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        if address is not None:
            service.announce(address)
        yield


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between tries, which take no time here."""
    made: list[float] = []
    monkeypatch.setattr("graphmem.cli.remote.time.sleep", made.append)
    return made


Add = Callable[..., tuple[Result, ScriptedServer]]


@pytest.fixture
def add(run: Run, data_dir: Path) -> Add:
    """Adds beside a server that plays a script."""

    def call(*script: Reply, options: tuple[str, ...] = ()) -> tuple[Result, ScriptedServer]:
        with ScriptedServer(*script) as server, holding(data_dir, server.address):
            done = run("add", "m", "s", "I planted basil.", "--data-dir", data_dir, *options)
        return done, server

    return call


def test_an_add_goes_through_the_server_and_says_what_it_would_say_alone(add: Add) -> None:
    done, server = add(Reply(body=RECEIPT), options=("--request-id", "r1", "--speaker", "小明"))
    assert (done.code, done.out) == (0, "stored 1 message\n")
    (asked,) = server.asked
    assert (asked.method, asked.path) == ("POST", "/v1/add")
    assert asked.body == {
        "request_id": "r1",
        "memory_id": "m",
        "session_id": "s",
        "messages": [{"role": "user", "content": "I planted basil.", "speaker": "小明"}],
    }
    assert not {"authorization", "x-tenant-id"} & set(asked.headers)


def test_the_receipt_as_json(add: Add) -> None:
    done, _ = add(Reply(body=RECEIPT), options=("--json",))
    assert done.json() == {"stored": 1, "already_stored": 0, "receipts": [RECEIPT]}


def test_the_key_and_the_tenant_are_sent(add: Add, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_API_KEY", "s3cret")
    done, server = add(Reply(body=RECEIPT), options=("--tenant", "Grün"))
    assert done.code == 0
    headers = server.asked[0].headers
    assert headers["authorization"] == "Bearer s3cret"
    assert headers["x-tenant-id"].encode("latin-1").decode() == "Grün"


@pytest.mark.parametrize("tenant", ["a\nb", " padded", "nul\0"])
def test_a_tenant_that_no_header_can_carry_is_refused(add: Add, tenant: str) -> None:
    done, server = add(Reply(body=RECEIPT), options=("--tenant", tenant, "--json"))
    assert (done.code, done.json()["error"]["field"], server.asked) == (1, "tenant", [])


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_under_the_same_request_id(
    add: Add, pauses: list[float], status: int
) -> None:
    busy = refusal(status, "overloaded", "too many", Retry_After="3")
    done, server = add(busy, busy, Reply(body=RECEIPT))
    assert done.code == 0
    assert len({asked.body["request_id"] for asked in server.asked}) == 1
    assert (len(server.asked), pauses) == (3, [3.0, 3.0])


def test_tries_end(add: Add, pauses: list[float]) -> None:
    done, server = add(refusal(503, "store_full", "the disk is full", Retry_After="99999"))
    assert done.code == 1
    assert "503: the disk is full (tr-1)" in done.err
    assert len(server.asked) == remote.MAX_TRIES
    assert max(pauses) == remote.LONGEST_PAUSE_SECONDS


def test_a_lost_answer_is_asked_for_again(add: Add) -> None:
    done, server = add(Reply(breaks_off=True), Reply(body=RECEIPT))
    assert (done.code, len(server.asked)) == (0, 2)


def test_what_may_not_be_repeated_is_not(pauses: list[float]) -> None:
    with (
        ScriptedServer(Reply(breaks_off=True)) as server,
        Remote(server.address, api_key=None) as r,
    ):
        with pytest.raises(RemoteError, match="look whether it was done"):
            r.post("/v1/keys", {}, tenant_id=None, is_repeatable=False)
        assert (len(server.asked), pauses) == (1, [])


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (refusal(409, "request_conflict", "used before"), "RequestConflict"),
        (refusal(404, "memory_not_found", "no such memory"), "MemoryNotFound"),
        (refusal(400, "invalid", "messages.0.role: must be user"), "InvalidInput"),
        (refusal(401, "unauthorized", "the API key is missing"), "Remote"),
        (refusal(403, "forbidden", "not for this tenant"), "Remote"),
        (refusal(404, "not_found", "no such route"), "Remote"),
    ],
)
def test_a_refusal_is_the_error_that_the_service_would_have_raised(
    add: Add, reply: Reply, code: str
) -> None:
    done, server = add(reply, options=("--json",))
    assert (done.code, done.json()["error"]["code"]) == (1, code)
    assert len(server.asked) == 1


def test_a_field_is_named_as_it_would_be_locally(add: Add) -> None:
    done, _ = add(refusal(400, "invalid", "messages.0.role: must be user"), options=("--json",))
    assert done.json()["error"]["field"] == "messages.0.role"


def test_a_missing_key_is_told_where_it_belongs(add: Add) -> None:
    done, _ = add(refusal(401, "unauthorized", "the API key is missing"))
    assert "GRAPHMEM_API_KEY" in done.err


@pytest.mark.parametrize(
    "body", ["<html>", "[]", {"version": "3"}, {**RECEIPT, "state": "odd"}, {"detail": "no"}]
)
@pytest.mark.parametrize("status", [200, 500])
def test_a_strange_answer_is_no_success(add: Add, body: Any, status: int) -> None:
    done, _ = add(Reply(status=status, body=body))
    assert (done.code, done.out) == (1, "")
    assert "no graphmem server of this version" in done.err


def test_a_holder_that_serves_nowhere_is_named(run: Run, data_dir: Path) -> None:
    with holding(data_dir, None):
        done = run("add", "m", "s", "x", "--data-dir", data_dir)
    assert done.code == 1
    assert "serves at no address" in done.err


@pytest.mark.parametrize(
    "address",
    ["http://10.0.0.5:8420", "https://127.0.0.1:1", "http://example.org", "http://[", "x", ""],
)
def test_a_key_is_sent_to_the_loopback_only(run: Run, data_dir: Path, address: str) -> None:
    with holding(data_dir, address):
        done = run("add", "m", "s", "x", "--data-dir", data_dir)
    assert done.code == 1
    assert "loopback" in done.err


def test_a_dead_address_is_told_after_bounded_tries(
    run: Run, data_dir: Path, pauses: list[float]
) -> None:
    with ScriptedServer(Reply()) as server:
        dead = server.address
    with holding(data_dir, dead):
        done = run("add", "m", "s", "x", "--data-dir", data_dir)
    assert done.code == 1
    assert "nothing answers there" in done.err
    assert len(pauses) == remote.MAX_TRIES - 1


def test_a_key_that_no_header_can_carry_is_refused(
    add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_API_KEY", "a\nb")
    done, server = add(Reply(body=RECEIPT))
    assert (done.code, server.asked) == (1, [])
    assert "GRAPHMEM_API_KEY" in done.err


def test_get_reads_an_object() -> None:
    with ScriptedServer(Reply(body={"a": 1})) as server, Remote(server.address, api_key=None) as r:
        assert r.get("/v1/memories", tenant_id="t") == {"a": 1}
        assert (server.asked[0].method, server.asked[0].headers["x-tenant-id"]) == ("GET", "t")
        with pytest.raises(InvalidInputError):
            r.get("/v1/memories", tenant_id="t\n")
