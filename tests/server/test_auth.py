from __future__ import annotations

import pytest

from tests.server.conftest import KEY
from tests.server.live import Live, an_add, encode

ACCEPTED = [
    {"Authorization": f"Token {KEY}"},
    {"Authorization": f"Bearer {KEY}"},
    {"Authorization": f"bearer {KEY}"},
    {"authorization": f"TOKEN   {KEY}"},
    {"X-Api-Key": KEY},
    {"x-api-key": KEY},
    {"X-Api-Key": KEY, "Authorization": "Bearer wrong"},
]
REFUSED: list[dict[str, str]] = [
    {},
    {"Authorization": KEY},
    {"Authorization": f"Basic {KEY}"},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer "},
    {"Authorization": f"Bearer {KEY}x"},
    {"Authorization": f"Bearer{KEY}"},
    {"Authorization": f"Bearer {KEY[:-1]}"},
    {"Authorization": "Bearer schlüssel"},
    {"X-Api-Key": ""},
    {"X-Api-Key": KEY.upper()},
    {"X-Api-Key": f"Bearer {KEY}"},
]


@pytest.mark.parametrize("headers", ACCEPTED, ids=str)
def test_each_form_of_the_key_is_accepted(locked: Live, user: str, headers: dict[str, str]) -> None:
    assert locked.call("POST", "/add", encode(an_add(user)), headers).status == 200


@pytest.mark.parametrize("path", ["/add", "/search"])
@pytest.mark.parametrize("headers", REFUSED, ids=str)
def test_a_missing_or_wrong_key_is_401(locked: Live, path: str, headers: dict[str, str]) -> None:
    reply = locked.call("POST", path, encode(an_add()), headers)
    assert reply.status == 401
    assert list(reply.json()) == ["detail"]
    assert "API key" in reply.reason()
    assert KEY.encode() not in reply.body
    assert reply.headers["www-authenticate"] == "Bearer"


def test_the_key_is_checked_before_the_body(locked: Live) -> None:
    assert locked.call("POST", "/add", b"{").status == 401


@pytest.mark.parametrize("path", ["/health", "/ready"])
def test_probes_need_no_key(locked: Live, path: str) -> None:
    assert locked.call("GET", path).status == 200


@pytest.mark.parametrize("path", ["/metrics", "/openapi.json"])
def test_operator_pages_need_the_key(locked: Live, path: str) -> None:
    refused = locked.call("GET", path)
    assert refused.status == 401
    assert set(refused.json()) == {"error", "trace_id"}
    assert locked.call("GET", path, headers={"X-Api-Key": KEY}).status == 200


def test_a_server_without_a_key_takes_any(server: Live, user: str) -> None:
    headers = {"Authorization": "Bearer whatever"}
    assert server.call("POST", "/add", encode(an_add(user)), headers).status == 200
