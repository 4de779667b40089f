"""Keys over a real socket: made, bounded, refused, revoked at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import MemoryService
from graphmem.errors import ConfigError
from graphmem.server.run import serve
from tests.server.live import JsonObject, Live, Reply, a_search, an_add, configure, encode, running

MASTER = "the-master-key"
EVERYWHERE = "0.0.0.0"  # noqa: S104  the tests bind it for a moment


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with running(configure(tmp_path_factory.mktemp("keys"), api_key=MASTER)) as server:
        yield server


def call(live: Live, key: str | None, path: str, body: object = None, **headers: str) -> Reply:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if key is not None:
        sent["Authorization"] = f"Bearer {key}"
    data = None if body is None else encode(body)
    return live.call("GET" if body is None else "POST", path, data, sent)


def make(live: Live, by: str | None = MASTER, **wanted: object) -> JsonObject:
    reply = call(live, by, "/v1/keys", {"tenants": ["acme"], "rights": ["read", "write"]} | wanted)
    assert reply.status == 200, reply.body
    assert reply.headers["cache-control"] == "no-store"
    return reply.json()


def key_of(live: Live, by: str | None = MASTER, **wanted: object) -> str:
    return str(make(live, by, **wanted)["key"])


def code_of(reply: Reply) -> object:
    error = reply.json()["error"]
    assert isinstance(error, dict)
    return error["code"]


def test_a_key_reaches_its_own_tenant_and_no_other(live: Live, user: str) -> None:
    key = key_of(live)
    assert call(live, key, "/add", an_add(user, "hello acme")).status == 200
    for tenant in ("beta", "default"):
        for path, body in (("/add", an_add(user)), ("/search", a_search(user_id=user))):
            reply = call(live, key, path, body, X_Tenant_ID=tenant)
            assert reply.status == 403
            assert "tenant" in reply.reason()
            assert tenant not in reply.reason()
    named = call(live, key, "/search", a_search(user_id=user), X_Tenant_ID="acme")
    unnamed = call(live, key, "/search", a_search(user_id=user))
    assert named.body == unnamed.body
    assert unnamed.contents() == ["user: hello acme"]
    assert call(live, MASTER, "/search", a_search(user_id=user)).hits() == []


def test_a_key_of_some_user_ids_reaches_no_other(live: Live, user: str) -> None:
    key = key_of(live, memories=[user])
    assert call(live, key, "/add", an_add(user)).status == 200
    for path, body in (("/add", an_add("other")), ("/search", a_search(user_id="other", top_k=0))):
        reply = call(live, key, path, body)
        assert (reply.status, list(reply.json())) == (403, ["detail"])
        assert "user_id" in reply.reason()
    assert call(live, MASTER, "/search", a_search(user_id="other")).hits() == []


@pytest.mark.parametrize(
    ("rights", "allowed"),
    [(["read"], {"/search"}), (["write"], {"/add"}), (["admin"], {"/v1/keys"})],
)
def test_a_right_brings_no_other(live: Live, rights: list[str], allowed: set[str]) -> None:
    key = key_of(live, rights=rights)
    bodies: dict[str, object] = {
        "/add": an_add(), "/search": a_search(), "/metrics": None, "/v1/keys": None,
    }  # fmt: skip
    found = {path: call(live, key, path, body).status for path, body in bodies.items()}
    assert found == {path: 200 if path in allowed else 403 for path in bodies}


def test_figures_of_all_tenants_are_for_a_key_of_all_tenants(live: Live) -> None:
    bound = [
        key_of(live, rights=["admin"]),
        key_of(live, rights=["admin"], tenants=None, memories=["m"]),
    ]
    for key in bound:
        reply = call(live, key, "/metrics")
        assert (reply.status, b"graphmem_" in reply.body) == (403, False)
    assert call(live, key_of(live, rights=["admin"], tenants=None), "/metrics").status == 200
    assert call(live, key_of(live, rights=["read"], tenants=None), "/metrics").status == 403


def test_the_first_key_of_an_open_server_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with running(configure(tmp_path)) as live:
        made = call(live, None, "/v1/keys", {"tenants": None, "rights": ["admin"]}).json()
        assert "requests without a key are refused from now on" in caplog.text
        caplog.clear()
        again = {"tenants": ["acme"], "rights": ["admin"]}
        assert call(live, str(made["key"]), "/v1/keys", again).status == 200
        assert call(live, None, "/v1/keys", again).status == 401
    assert "refused from now on" not in caplog.text


def test_any_key_may_read_the_description(live: Live) -> None:
    assert call(live, key_of(live, rights=["read"]), "/openapi.json").status == 200
    assert call(live, None, "/openapi.json").status == 401


@pytest.mark.parametrize("path", ["/v1/keys", "/v1/keys/revoke"])
def test_without_a_key_there_is_no_way_to_one(live: Live, path: str) -> None:
    for key in (None, "wrong", "gm_0123456789abcdef_" + "0" * 64):
        assert call(live, key, path, {"tenants": None, "rights": ["admin"]}).status == 401
    assert call(live, key_of(live), path, {"key_id": "x"}).status == 403


def test_a_key_is_revoked_at_once(live: Live, user: str) -> None:
    made = make(live)
    key = str(made["key"])
    assert call(live, key, "/add", an_add(user)).status == 200
    reply = call(live, MASTER, "/v1/keys/revoke", {"key_id": made["key_id"]})
    assert reply.json()["revoked_at"] is not None
    assert call(live, key, "/add", an_add(user)).status == 401
    listed = call(live, MASTER, "/v1/keys").json()["keys"]
    assert isinstance(listed, list)
    assert reply.json() in listed


def test_no_listing_and_no_answer_but_the_first_holds_a_secret(live: Live) -> None:
    made = make(live)
    secret = str(made["key"]).rsplit("_", 1)[1].encode()
    assert secret not in call(live, MASTER, "/v1/keys").body
    assert secret not in call(live, MASTER, "/v1/keys/revoke", {"key_id": made["key_id"]}).body


@pytest.mark.parametrize(
    "beyond",
    [{"tenants": None}, {"tenants": ["beta"]}, {"rights": ["write"]}],
    ids=["all tenants", "another tenant", "another right"],
)
def test_a_key_makes_only_lesser_keys(live: Live, beyond: JsonObject) -> None:
    admin = key_of(live, rights=["admin", "read"])
    lesser = key_of(live, admin, rights=["read"], memories=["m"])
    assert call(live, lesser, "/search", a_search(user_id="m")).status == 200
    refused = call(live, admin, "/v1/keys", {"tenants": ["acme"], "rights": ["read"]} | beyond)
    assert (refused.status, code_of(refused)) == (403, "forbidden")
    assert make(live, admin, rights=["read"])["tenants"] == ["acme"]


def test_a_key_that_is_not_there_is_404(live: Live) -> None:
    reply = call(live, MASTER, "/v1/keys/revoke", {"key_id": "nobody"})
    assert (reply.status, code_of(reply)) == (404, "key_not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"rights": ["read"]},
        {"tenants": [], "rights": ["read"]},
        {"tenants": ["a"]},
        {"tenants": ["a"], "rights": []},
        {"tenants": ["a"], "rights": ["root"]},
        {"tenants": "a", "rights": ["read"]},
        {"tenants": ["a"], "rights": ["read"], "tenant": "b"},
        {"tenants": ["a"], "rights": ["read"], "name": "n" * 201},
    ],
)
def test_a_wrong_request_makes_no_key(live: Live, body: object) -> None:
    before = call(live, MASTER, "/v1/keys").body
    assert call(live, MASTER, "/v1/keys", body).status == 400
    assert call(live, MASTER, "/v1/keys").body == before


def test_two_right_keys_count_as_the_first(live: Live) -> None:
    key = key_of(live, rights=["read"])
    headers = {"X-Api-Key": key, "Authorization": f"Bearer {MASTER}"}
    assert live.call("POST", "/add", encode(an_add()), headers).status == 403


def test_the_first_key_closes_an_open_server_and_the_last_does_not_open_it(tmp_path: Path) -> None:
    with running(configure(tmp_path)) as live:
        assert live.add("u", "hello").status == 200
        made = make(live, None, tenants=None, rights=["admin"])
        assert live.add("u", "hello").status == 401
        key = str(made["key"])
        assert call(live, key, "/v1/keys/revoke", {"key_id": made["key_id"]}).status == 200
        assert live.add("u", "hello").status == 401
    with running(configure(tmp_path)) as live:
        assert live.add("u", "hello").status == 401


def test_a_stored_key_allows_a_bind_beyond_loopback(tmp_path: Path) -> None:
    config = replace(configure(tmp_path / "data"), host=EVERYWHERE)
    with pytest.raises(ConfigError, match="graphmem keys add"):
        serve(config)
    assert not config.data_dir.exists()
    MemoryService.open(config=config).close()
    with pytest.raises(ConfigError, match="graphmem keys add"):
        serve(config)
    with MemoryService.open(config=config) as service:
        key = service.keyring.add(tenants=["acme"], rights=["write"]).key
        config.check_bind(stored_keys=len(service.keyring) > 0)
    with running(config) as live:
        assert live.add("u", "hello").status == 401
        assert call(live, key, "/add", an_add("u")).status == 200


def test_an_unknown_field_is_named_short_and_plain(server: Live) -> None:
    asked = {"tenants": ["acme"], "rights": ["read"], "xmemories" + "\n" * 500: ["m"]}
    message = server.post("/v1/keys", asked).json()["error"]["message"]  # type: ignore[index]
    assert "unknown field; the nearest known one is memories" in message
    assert len(message) < 250
