"""Trace ids everywhere, errors in the right shape, and nothing of a payload in the log."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.config import AddSearchConfig
from graphmem.errors import (
    GraphmemError,
    InvalidInputError,
    OverloadedError,
    ServiceClosedError,
    StoreError,
    StoreFullError,
    StoreUnavailableError,
)
from tests.server.live import Live, a_search, an_add, configure, encode, running

TRACE = re.compile(r"tr-[0-9a-f]{8}-[0-9a-f]{8}\Z")
PRIVATE = "my-diary-entry"


ERRORS: tuple[Exception, ...] = (
    StoreFullError(PRIVATE),
    StoreUnavailableError(PRIVATE),
    StoreError(PRIVATE),
    OverloadedError(7),
    ServiceClosedError(),
    RuntimeError(PRIVATE),
    GraphmemError(PRIVATE),
    KeyError(PRIVATE),
    InvalidInputError("messages", "must be fewer"),
)


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server whose service fails at Add as the user id says, and does not answer a ping."""

    def fail(tenant_id: str, memory_id: str, *_: object, **__: object) -> None:
        raise ERRORS[int(memory_id)]

    def gone() -> None:
        raise StoreUnavailableError(PRIVATE)

    with (
        running(configure(tmp_path_factory.mktemp("failing"))) as live,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(live.service, "add", fail)
        patch.setattr(live.service._parts.store, "ping", gone)
        yield live


@pytest.mark.parametrize(
    ("which", "status", "retry_after"),
    [(0, 503, "5"), (1, 503, "5"), (2, 503, "5"), (3, 503, "7"), (4, 503, "2"), (5, 500, None),
     (6, 500, None), (7, 500, None), (8, 422, None)],
)  # fmt: skip
def test_errors_of_the_service_become_statuses(
    failing: Live,
    caplog: pytest.LogCaptureFixture,
    which: int,
    status: int,
    retry_after: str | None,
) -> None:
    with caplog.at_level(logging.DEBUG):
        reply = failing.post("/add", an_add(str(which)))
    assert reply.status == status
    assert list(reply.json()) == ["detail"]
    assert reply.headers.get("retry-after") == retry_after
    assert PRIVATE not in caplog.text + reply.body.decode()


def test_an_unexpected_error_is_logged_by_type_frames_and_trace_id(
    failing: Live, caplog: pytest.LogCaptureFixture
) -> None:
    reply = failing.post("/add", an_add("5", "the message text"))
    assert reply.body == b'{"detail":{"reason":"internal error"}}'
    (record,) = (r for r in caplog.records if r.name == "graphmem.server")
    text = record.getMessage()
    assert "RuntimeError" in text
    assert "in _store" in text
    assert reply.headers["x-trace-id"] in text
    assert "the message text" not in text


def test_ready_tells_when_the_store_does_not_answer(failing: Live) -> None:
    reply = failing.call("GET", "/ready")
    assert reply.status == 503
    assert PRIVATE.encode() not in reply.body
    error = reply.json()["error"]
    assert isinstance(error, dict)
    assert (error["code"], error["retryable"]) == ("not_ready", True)
    assert reply.json()["trace_id"] == reply.headers["x-trace-id"]
    assert failing.call("GET", "/health").status == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/health", None, 200),
        ("HEAD", "/health", None, 200),
        ("GET", "/ready", None, 200),
        ("GET", "/metrics", None, 200),
        ("GET", "/openapi.json", None, 200),
        ("POST", "/search", encode(a_search()), 200),
        ("POST", "/search", b"{", 400),
        ("POST", "/add", b"{}", 422),
        ("GET", "/add", None, 405),
        ("POST", "/health", b"", 405),
        ("GET", "/nowhere", None, 404),
        ("POST", "/add/", b"", 404),
        ("GET", "/docs", None, 404),
        ("GET", "/redoc", None, 404),
    ],
)
def test_every_answer_has_a_trace_id_of_its_own(
    server: Live, method: str, path: str, body: bytes | None, status: int
) -> None:
    replies = [server.call(method, path, body) for _ in range(2)]
    assert [reply.status for reply in replies] == [status, status]
    ids = {reply.headers["x-trace-id"] for reply in replies}
    assert len(ids) == 2
    assert all(TRACE.match(trace_id) for trace_id in ids)


def test_what_is_too_large_or_fails_has_a_trace_id(server: Live, failing: Live) -> None:
    large = server.call("POST", "/add", b"x" * (64 * 1024 * 1024 + 1))
    failed = failing.post("/add", an_add("5"))
    assert (large.status, failed.status) == (413, 500)
    assert TRACE.match(large.headers["x-trace-id"])
    assert TRACE.match(failed.headers["x-trace-id"])


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])
@pytest.mark.parametrize("path", ["/add", "/search"])
def test_a_wrong_method_is_405_in_the_contract_s_shape(
    server: Live, path: str, method: str
) -> None:
    reply = server.call(method, path)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")
    if method != "HEAD":
        assert reply.body == b'{"detail":{"reason":"wrong method; use POST"}}'


def test_a_wrong_method_is_told_all_methods_of_a_path(server: Live) -> None:
    assert server.call("PUT", "/v1/keys").headers["allow"] == "GET, POST"
    assert server.call("PUT", "/v1/memories/m").headers["allow"] == "GET"


@pytest.mark.parametrize("path", ["/", "/nowhere", "/add/", "/ADD", "/v9/x", "/%00", "/search/x"])
def test_unknown_routes_are_404_in_the_product_s_shape(server: Live, path: str) -> None:
    reply = server.call("POST", path, b"{}")
    assert reply.status == 404
    assert reply.json() == {
        "error": {
            "code": "not_found",
            "message": "no such route; GET /openapi.json lists them",
            "retryable": False,
        },
        "trace_id": reply.headers["x-trace-id"],
    }


def test_paths_are_configurable_and_health_stays(tmp_path: Path) -> None:
    config = AddSearchConfig(add_path="/eval/v1/add", search_path="/eval/v1/find")
    with running(configure(tmp_path, addsearch=config)) as live:
        assert live.post("/eval/v1/add", an_add("u")).status == 200
        assert len(live.post("/eval/v1/find", a_search()).hits()) == 1
        assert live.post("/eval/v1/find", {}).problems()
        assert live.post("/add", an_add("u")).status == 404
        assert live.call("GET", "/health").status == 200


def test_health_tells_the_version_and_no_secret(server: Live) -> None:
    from graphmem import __version__

    assert server.call("GET", "/health").body == encode({"status": "ok", "version": __version__})


def test_nothing_that_a_user_said_is_logged(
    server: Live, user: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with caplog.at_level(logging.DEBUG):
        server.add(f"{user}-{PRIVATE}", PRIVATE, request_id=PRIVATE, X_Tenant_ID=PRIVATE)
        server.search(f"{user}-{PRIVATE}", PRIVATE)
        server.post("/add", an_add(user, messages=[{"role": PRIVATE, "content": [PRIVATE]}]))
        server.call("POST", "/add", f'{{"{PRIVATE}": "{PRIVATE}'.encode())
        server.call("GET", f"/{PRIVATE}?q={PRIVATE}")
    captured = capfd.readouterr()
    assert PRIVATE not in caplog.text + captured.out + captured.err


def test_no_answer_to_a_bad_request_quotes_it(server: Live, user: str) -> None:
    bad = [
        server.post("/add", an_add(user, messages=[{"role": "user", "content": [PRIVATE]}])),
        server.post("/add", an_add(user, messages=[{PRIVATE: PRIVATE}])),
        server.post("/search", a_search(top_k=PRIVATE)),
        server.post("/search", a_search(options=[1, PRIVATE])),
        server.call("POST", "/search", f'{{"query": "{PRIVATE}'.encode()),
        server.call("POST", "/search", f'{{"{PRIVATE}": 1, "{PRIVATE}": 2}}'.encode()),
    ]
    assert {reply.status for reply in bad} == {400, 422}
    assert not any(PRIVATE.encode() in reply.body for reply in bad)
