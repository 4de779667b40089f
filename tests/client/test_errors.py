"""Errors are typed by code, translated at one seam, and hold neither key nor text."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from graphmem import client as package
from graphmem.client import (
    AnswerError,
    AuthError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    MemoryClient,
    MemoryClientError,
    NotFoundError,
    RateLimitedError,
    RequestTimeoutError,
    ServerError,
    TdaiMemoryError,
    TDAMError,
    errors,
)
from graphmem.client._base.seam import FOREIGN, cause_of, translate
from tests.client.conftest import Connect
from tests.client.server import REQUEST_ID, TRACE_ID, Reply, ScriptedServer, refusal
from tests.client.test_calls import CALLS

KEY = "sk-mem-0123456789"
SECRET = "我的银行卡密码是一二三四"  # noqa: S105 - a text of a user

CODES: dict[int, type[MemoryClientError]] = {
    400: BadRequestError,
    401: AuthError,
    403: ForbiddenError,
    404: NotFoundError,
    405: BadRequestError,
    409: ConflictError,
    413: BadRequestError,
    422: BadRequestError,
    429: RateLimitedError,
    500: ServerError,
    502: ServerError,
    503: ServerError,
    504: ServerError,
    40901: MemoryClientError,
}


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_its_error(connect: Connect, server: ScriptedServer, code: int) -> None:
    server.script.append(refusal(code, "limit: 不能超过 100"))
    with pytest.raises(MemoryClientError) as caught:
        connect(max_retries=0).search_atomic("茶", limit=101)
    error = caught.value
    assert type(error) is CODES[code]
    assert (error.code, error.message) == (code, "limit: 不能超过 100")
    assert (error.request_id, error.trace_id) == (REQUEST_ID, TRACE_ID)
    assert str(error) == f"[{code}] limit: 不能超过 100 (trace_id={TRACE_ID})"


@pytest.mark.parametrize("name", CALLS)
def test_every_call_raises_them(client: MemoryClient, server: ScriptedServer, name: str) -> None:
    server.script.append(refusal(404))
    with pytest.raises(NotFoundError):
        CALLS[name][0](client)


@pytest.mark.parametrize("body", [b"", b"<html>Bad Gateway</html>", b'{"code":0}', b"{", b"[]"])
@pytest.mark.parametrize("status", [401, 404, 500, 502])
def test_a_failing_gateway_that_knows_no_envelope_is_typed_by_its_status(
    connect: Connect, server: ScriptedServer, status: int, body: bytes
) -> None:
    server.script.append(Reply(status=status, body=body, headers={"x-trace-id": TRACE_ID}))
    with pytest.raises(CODES[status]) as caught:
        connect(max_retries=0).count_atomic()
    assert (caught.value.code, caught.value.trace_id) == (status, TRACE_ID)
    assert "Gateway" not in str(caught.value)
    assert server.host in caught.value.message


def test_published_snippets_catch_the_root() -> None:
    assert TdaiMemoryError is TDAMError is MemoryClientError


def test_the_drawn_tree_is_the_tree() -> None:
    assert errors.__doc__ is not None
    kinds = [
        kind
        for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, MemoryClientError)
    ]
    assert [kind.__name__ for kind in kinds if kind.__name__ not in errors.__doc__] == []
    assert [kind.__name__ for kind in kinds if kind.__name__ not in package.__all__] == []


FOREIGN_ERRORS = [
    kind
    for kind in (getattr(httpx2, name) for name in httpx2.__all__)
    if isinstance(kind, type) and issubclass(kind, Exception)
]


def _translation_of(kind: type[Exception]) -> type[MemoryClientError]:
    if issubclass(kind, httpx2.TimeoutException):
        return RequestTimeoutError
    if issubclass(kind, httpx2.TransportError | httpx2.StreamError):
        return ConnectionFailedError
    return AnswerError


@pytest.mark.parametrize("kind", FOREIGN_ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_of_httpx2_is_translated(kind: type[Exception]) -> None:
    assert issubclass(kind, FOREIGN)
    error = translate(kind.__new__(kind), "memory.example")
    assert type(error) is _translation_of(kind)
    assert error.message.startswith("memory.example ")


def test_only_causes_whose_text_is_the_systems_are_named() -> None:
    assert cause_of(httpx2.ConnectError("certificate verify failed")) is not None
    assert cause_of(httpx2.RemoteProtocolError("illegal status line: b'...'")) is None


@pytest.mark.parametrize("code", CODES)
def test_a_server_that_repeats_what_it_refuses_does_not_bring_it_into_an_error(
    connect: Connect, server: ScriptedServer, code: int
) -> None:
    def echo(body: dict[str, Any]) -> Reply:
        return refusal(code, f"can't take {body} with Bearer {KEY}")

    server.script += [echo] * 3
    client = connect(api_key=KEY, max_retries=0)
    calls: list[Callable[[], object]] = [
        lambda: client.search_atomic(SECRET),
        lambda: client.add_conversation([{"role": "user", "content": SECRET}]),
        lambda: client.create_atomic([{"content": "x", "type": "persona", "background": SECRET}]),
    ]
    for call in calls:
        with pytest.raises(MemoryClientError, match="can't take") as caught:
            call()
        shown = f"{caught.value} {caught.value!r} {caught.value.message} {caught.value.args}"
        assert SECRET not in shown
        assert KEY not in shown


def test_a_long_message_is_cut(client: MemoryClient, server: ScriptedServer) -> None:
    server.script.append(refusal(400, "x" * 100_000))
    with pytest.raises(BadRequestError) as caught:
        client.count_atomic()
    assert len(caught.value.message) == 500


def test_no_repr_shows_the_key(connect: Connect) -> None:
    client = connect(api_key=KEY, service_id="acme", version="v3")
    assert KEY not in repr(client)
    assert repr(client).endswith("v3>")
    assert KEY not in repr(MemoryClient("http://127.0.0.1:1", api_key=KEY)._settings)


def test_an_error_survives_pickling(client: MemoryClient, server: ScriptedServer) -> None:
    server.script.append(refusal(409))
    with pytest.raises(ConflictError) as caught:
        client.update_atomic("a", "茶", request_id="r-1")
    twin = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert (type(twin), str(twin)) == (ConflictError, str(caught.value))
    assert vars(twin) == vars(caught.value)


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": ""},
        {"base_url": "memory.example"},
        {"base_url": "ftp://memory.example"},
        {"base_url": "http://"},
        {"base_url": "http://user:sk-mem-0123456789@memory.example"},
        {"base_url": "http://memory.example/?key=sk-mem-0123456789"},
        {"base_url": "http://memory.example:99999"},
        {"base_url": "http://memory.example/\n"},
        {"base_url": None},
        {"api_key": ""},
        {"api_key": f"{KEY}\r\nX-Admin: yes"},
        {"api_key": f" {KEY}"},
        {"service_id": ""},
        {"service_id": "acme\n"},
        {"version": "v1"},
        {"timeout": 0},
        {"timeout": float("nan")},
        {"timeout": package.Timeouts(read=-1)},
        {"max_retries": -1},
    ],
    ids=str,
)
def test_a_setting_that_can_not_be_used_is_named(settings: dict[str, Any]) -> None:
    (name,) = settings
    with pytest.raises(BadRequestError, match=f"^{name}") as caught:
        MemoryClient(**{"base_url": "http://127.0.0.1:1", **settings})
    assert KEY not in str(caught.value)
