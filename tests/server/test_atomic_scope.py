"""Contract 3: whose memory a request is about, and the shape of every kind of error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest

from graphmem.errors import OverloadedError, StoreError
from tests.server.atomic import Api, checked, contents
from tests.server.conftest import KEY
from tests.server.live import Live, configure, running

PRIVATE = "my-diary-entry"
BEARER = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
def api(server: Live, user: str) -> Api:
    return Api(server, {"user_id": user})


def test_a_user_alone_is_the_same_memory_in_all_contracts(api: Api, user: str) -> None:
    api.live.add(user, "I love green tea.")
    product = {"request_id": "p", "memory_id": user, "session_id": "s"}
    messages = [{"role": "user", "content": "I play the cello."}]
    assert api.live.post("/v1/add", product | {"messages": messages}).status == 200
    api.say("I collect stamps.")
    teams: list[dict[str, str | None]] = [
        {},
        {"team_id": "default"},
        {"team_id": None, "agent_id": "default"},
    ]
    for team in teams:
        assert len(api.messages(**team)) == 3
    assert len(api.live.search(user, "stamps cello tea").hits()) == 3


def test_team_agent_and_user_are_a_memory_of_their_own(api: Api, user: str) -> None:
    places: list[dict[str, str | None]] = [
        {"team_id": "t"},
        {"agent_id": "t"},
        {"team_id": "t", "agent_id": "a"},
        {"team_id": "t/a"},
        {"team_id": "t", "agent_id": f"a/{user}", "user_id": None},
        {"team_id": "t%2Fa"},
        {"team_id": "团队", "agent_id": "助手", "user_id": "用户"},
        {"team_id": "x" * 1024, "agent_id": "y" * 1024},
        {"team_id": "x" * 1024, "agent_id": "y" * 1023},
    ]
    for number, place in enumerate(places):
        api.say(f"fact {number}", **place)
    for number, place in enumerate(places):
        assert contents(api.messages(**place)) == [f"fact {number}"]
    assert api.messages() == []


@pytest.mark.parametrize("path", ["/add", "/v2"])
def test_no_user_id_enters_the_memory_of_a_team(api: Api, user: str, path: str) -> None:
    api.say(PRIVATE, team_id="t", agent_id="a")
    listed = api.live.call("GET", "/v1/memories?limit=1000").json()["memories"]
    assert isinstance(listed, list)
    (kept,) = [m["memory_id"] for m in listed if m["memory_id"].endswith(f"t/a/{user}")]
    for guess in (kept, f"t/a/{user}", quote(kept, safe="")):
        if path == "/add":
            assert api.live.search(guess, PRIVATE).hits() == []
            api.live.add(guess, "hello")
        else:
            assert api.messages(user_id=guess) == []
            api.say("hello", user_id=guess)
    assert contents(api.messages(team_id="t", agent_id="a")) == [PRIVATE]


def test_headers_give_what_the_body_leaves_out(server: Live, user: str) -> None:
    names = ("team", "agent", "user", "session", "task")
    headers = {f"x-tdai-{name}-id": f"{name}-{user}" for name in names}
    scope = {f"{name}_id": f"{name}-{user}" for name in names}
    by_headers, by_body = Api(server, headers=headers), Api(server, scope)
    by_headers.say("I love tea.")
    assert contents(by_body.messages()) == ["I love tea."]
    assert contents(Api(server, {**scope, "user_id": "other"}, headers).messages()) == []
    Api(server, {"user_id": f"user-{user}"}, headers).say("I love milk.")
    assert len(by_body.messages()) == 2


def test_a_service_id_is_a_tenant(server: Live, user: str) -> None:
    acme = Api(server, {"user_id": user}, {"x-tdai-service-id": "acme"})
    acme.say("I love tea.")
    assert Api(server, {"user_id": user}).messages() == []
    assert len(server.search(user, "tea", X_Tenant_ID="acme").hits()) == 1
    both = Api(server, {"user_id": user}, {"x-tdai-service-id": "acme", "X-Tenant-ID": "acme"})
    assert len(both.messages()) == 1
    torn = Api(server, {"user_id": user}, {"x-tdai-service-id": "acme", "X-Tenant-ID": "beta"})
    assert torn.refused("atomic/count") == (
        400,
        "x-tdai-service-id: must be the same as X-Tenant-ID; send one of them",
    )


def test_a_service_id_must_agree_with_the_key(locked: Live) -> None:
    body = {"name": "n", "tenants": ["acme"], "rights": ["read"], "memories": ["user-7"]}
    made = locked.post("/v1/keys", body, **BEARER)
    assert made.status == 200, made.body
    headers = {"Authorization": f"Bearer {made.json()['key']}"}
    api = Api(locked, {"user_id": "user-7"}, headers)
    assert api.ok("atomic/count") == {"total": 0}
    beta = replace(api, headers={**headers, "x-tdai-service-id": "beta"})
    assert beta.refused("atomic/count")[0] == 403
    assert api.refused("atomic/count", user_id="user-8")[0] == 403
    assert api.refused("atomic/count", team_id="t")[0] == 403
    assert api.refused("atomic/create", items=[{"content": "x", "type": "persona"}])[0] == 403


def test_session_and_task_filter_reads_and_stand_for_default_in_writes(api: Api) -> None:
    api.say("I love tea.")
    api.say("I love milk.", session_id="s")
    api.say("I love beer.", session_id="s", task_id="t")
    api.say("I love wine.", task_id="t")
    expected = {
        "": ["beer", "milk", "tea", "wine"],
        "s": ["beer", "milk"],
        "default": ["tea", "wine"],
        "nowhere": [],
    }
    for session, drinks in expected.items():
        found = api.search("love", limit=10, session_id=session or None)
        assert sorted(contents(found)) == [f"I love {drink}." for drink in drinks]
        assert api.ok("conversation/count", session_id=session or None) == {"total": len(drinks)}
        assert len(api.listed(session_id=session or None)) == len(drinks)
    for task, drinks in {"t": ["beer", "wine"], "default": ["milk", "tea"], "x": []}.items():
        found = api.ok("conversation/search", query="love", task_id=task)["messages"]
        assert sorted(contents(found)) == [f"I love {drink}." for drink in drinks]
    assert contents(api.listed(session_id="s", task_id="t")) == ["I love beer."]
    (message,) = api.messages(session_id="s", task_id="t")
    assert (message["session_id"], message["task_id"]) == ("s", "t")


def test_atoms_made_by_hand_are_found_in_their_session(api: Api) -> None:
    api.make("drinks tea")
    (made,) = api.make("drinks milk", session_id="s", task_id="t")
    assert contents(api.listed(session_id="s")) == ["drinks milk"]
    assert contents(api.search("drinks", task_id="t")) == ["drinks milk"]
    assert contents(api.search("drinks", session_id="default")) == ["drinks tea"]
    api.ok("atomic/update", id=made["id"], content="drinks beer")
    assert contents(api.search("drinks", session_id="s", task_id="t")) == ["drinks beer"]
    assert len(api.search("drinks")) == 2


def test_session_ids_are_kept_apart_whatever_they_hold(api: Api) -> None:
    places = [
        ("s/t", None),
        ("s", "t"),
        ("s%2Ft", None),
        ("scoped:s/t", None),
        ("s/", "t"),
        ("s", "/t"),
    ]
    for session, task in places:
        api.say("hello", session_id=session, task_id=task)
    for session, task in places:
        (message,) = api.messages(session_id=session, task_id=task or "default")
        assert (message["session_id"], message["task_id"]) == (session, task or "default")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/v2/nowhere", 404),
        ("GET", "/v3", 404),
        ("GET", "/v2/atomic/search", 405),
        ("DELETE", "/v3/conversation/add", 405),
    ],
)
def test_wrong_routes_are_told_in_the_same_shape(
    server: Live, method: str, path: str, status: int
) -> None:
    assert checked(server.call(method, path)).status == status


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"a":1,"a":2}', b"null"])
def test_what_is_no_json_object_is_refused(server: Live, body: bytes) -> None:
    assert checked(server.call("POST", "/v3/atomic/query", body)).status == 400


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_without_the_key_there_is_no_answer(locked: Live, version: str) -> None:
    api = Api(locked, version=version)
    assert api.refused("atomic/count")[0] == 401
    assert replace(api, headers={"Authorization": "Bearer no"}).refused("atomic/count")[0] == 401
    assert replace(api, headers=BEARER).ok("atomic/count") == {"total": 0}


def test_bodies_may_have_64_mib(server: Live) -> None:
    most = 64 * 1024 * 1024
    empty = b'{"user_id":"nobody"'
    assert (
        checked(server.call("POST", "/v2/atomic/count", empty + b" " * (most - 20) + b"}")).status
        == 200
    )
    assert checked(server.call("POST", "/v2/atomic/count", b" " * (most + 1))).status == 413


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server whose service fails as the user id says."""
    errors = {
        "busy": OverloadedError(7),
        "broken": StoreError(PRIVATE),
        "wrong": RuntimeError(PRIVATE),
    }

    def fail(tenant_id: str, memory_id: str, *_: object, **__: object) -> None:
        raise errors[memory_id]

    with (
        running(configure(tmp_path_factory.mktemp("failing"))) as live,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(live.service, "count_atoms", fail)
        yield live


@pytest.mark.parametrize(("user_id", "status"), [("busy", 429), ("broken", 503), ("wrong", 500)])
def test_failures_have_the_contract_s_code_and_no_payload(
    failing: Live, user_id: str, status: int
) -> None:
    reply = Api(failing).send("atomic/count", user_id=user_id)
    assert reply.status == status
    assert PRIVATE.encode() not in reply.body
    assert ("retry-after" in reply.headers) == (status != 500)
