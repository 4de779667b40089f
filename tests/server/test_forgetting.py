"""Deletions over a real socket."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from graphmem.service.memory import MemoryService
from graphmem.wire.forgetting import ErasureAnswer, ErasuresAnswer, PurgeAnswer
from graphmem.wire.product import ReceiptAnswer
from tests.server.live import JsonObject, Live, configure, running
from tests.server.test_product import a_question, message_of, product_add, refusal

TENANT = {"X_Tenant_ID": "acme"}


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Live]:
    """A server of the test's own, since it deletes more than one memory."""
    with running(configure(tmp_path)) as live:
        yield live


def put(
    server: Live, memory: str, *contents: str, session: str = "s-0", **headers: str
) -> list[str]:
    body = product_add(memory, *contents, request_id=f"r-{session}", session_id=session)
    return ReceiptAnswer.model_validate(server.post("/v1/add", body, **headers).json()).turn_ids


def contents(server: Live, memory: str, query: str = "choir", **headers: str) -> list[object]:
    found = server.post("/v1/retrieve", a_question(memory, query), **headers).json()
    hits = found["hits"]
    assert isinstance(hits, list)
    return [hit["content"] for hit in hits]


def delete(server: Live, memory: str, **what: object) -> ErasureAnswer:
    reply = server.post("/v1/delete", {"memory_id": memory} | what)
    assert reply.status == 200
    return ErasureAnswer.model_validate(reply.json())


def test_turns_are_deleted(server: Live, user: str) -> None:
    ids = put(server, user, "the choir sings", "the choir listens")
    receipt = delete(server, user, turn_ids=[ids[0], "unknown"])
    assert (receipt.kind, receipt.turns, receipt.unknown, receipt.version) == ("turns", 1, 1, 2)
    assert contents(server, user) == ["the choir listens"]


def test_a_session_is_deleted(server: Live, user: str) -> None:
    put(server, user, "the choir sings")
    put(server, user, "the choir listens", session="s-1")
    receipt = delete(server, user, session_id="s-1")
    assert (receipt.kind, receipt.turns, receipt.sessions) == ("session", 1, 1)
    assert contents(server, user) == ["the choir sings"]


def test_a_memory_is_deleted_and_a_replay_stores_nothing(server: Live, user: str) -> None:
    ids = put(server, user, "the choir sings")
    assert delete(server, user, all=True).turns == 1
    gone = server.post("/v1/retrieve", a_question(user))
    assert refusal(gone) == (404, "memory_not_found", False)
    assert put(server, user, "the choir sings") == ids
    assert server.call("GET", f"/v1/memories/{user}").status == 404
    assert delete(server, user, all=True).turns == 0


def test_receipts_tell_when_no_byte_was_left(server: Live, user: str) -> None:
    memory = f"{user}/ä b"
    ids = put(server, memory, "the choir sings", "and listens")
    assert delete(server, memory, turn_ids=ids[:1]).erased_at is None
    assert server.service.erase(20)
    path = f"/v1/erasures/{quote(memory)}"
    found = ErasuresAnswer.model_validate(server.call("GET", path).json())
    assert [(e.kind, e.turns, e.erased_at is None) for e in found.erasures] == [("turns", 1, False)]
    assert server.call("GET", "/v1/erasures/unknown").json() == {"erasures": []}


def test_old_turns_are_purged_from_one_tenant_or_all(own: Live) -> None:
    put(own, "m", "the choir sings")
    put(own, "m", "the choir sings", **TENANT)
    none = PurgeAnswer.model_validate(own.post("/v1/purge", {"older_than": "1h"}).json())
    assert (none.memories, none.turns) == (1, 0)
    mine = PurgeAnswer.model_validate(own.post("/v1/purge", {"older_than": "0s"}).json())
    assert (mine.memories, mine.turns, mine.receipts[0].kind) == (1, 1, "age")
    assert contents(own, "m", **TENANT) == ["the choir sings"]
    body = {"older_than": "0s", "all_tenants": True}
    every = PurgeAnswer.model_validate(own.post("/v1/purge", body).json())
    assert (every.memories, every.turns) == (2, 1)
    assert contents(own, "m", **TENANT) == []


def test_all_memories_of_a_tenant_are_deleted(own: Live) -> None:
    for memory in ("a", "b"):
        put(own, memory, "the choir sings")
        put(own, memory, "the choir sings", **TENANT)
    done = PurgeAnswer.model_validate(own.post("/v1/purge", {"all": True}).json())
    assert (done.memories, done.turns) == (2, 2)
    assert own.call("GET", "/v1/memories").json()["memories"] == []
    assert contents(own, "a", **TENANT) == ["the choir sings"]


ONE = "body: send exactly one of "
WRONG: list[tuple[str, JsonObject, str]] = [
    ("/v1/delete", {"memory_id": "m"}, ONE),
    ("/v1/delete", {"memory_id": "m", "all": False}, ONE),
    ("/v1/delete", {"memory_id": "m", "all": True, "session_id": "s"}, ONE),
    ("/v1/delete", {"memory_id": "m", "session_id": "s", "turn_ids": ["t"]}, ONE),
    ("/v1/delete", {"memory_id": "m", "turn_ids": []}, "turn_ids: "),
    ("/v1/delete", {"memory_id": "m", "turn_ids": "t"}, "turn_ids: "),
    ("/v1/delete", {"memory_id": "m", "turn_ids": [1]}, "turn_ids.0: "),
    ("/v1/delete", {"memory_id": "m", "turn_ids": ["t"] * 10_001}, "turn_ids: "),
    ("/v1/delete", {"memory_id": "m", "all": 1}, "all: "),
    ("/v1/delete", {"memory_id": " ", "all": True}, "memory_id: must not be blank"),
    ("/v1/delete", {"all": True}, "memory_id: is required"),
    ("/v1/delete", {"memory_id": "m", "turns": []}, "turns: unknown field; the nearest known one"),
    ("/v1/purge", {}, ONE),
    ("/v1/purge", {"older_than": "1d", "all": True}, ONE),
    ("/v1/purge", {"older_than": "30 days"}, "older_than: must be a whole number and a unit"),
    ("/v1/purge", {"older_than": 30}, "older_than: must be a JSON string"),
    (
        "/v1/purge",
        {"all": True, "all_tenants": True},
        "body: all_tenants goes with older_than only",
    ),
]


@pytest.mark.parametrize(("path", "body", "said"), WRONG, ids=lambda value: None)
def test_400_changes_nothing_and_names_the_field(
    server: Live, user: str, path: str, body: JsonObject, said: str
) -> None:
    put(server, user, "the choir sings")
    reply = server.post(path, body)
    assert refusal(reply) == (400, "invalid", False)
    assert message_of(reply).startswith(said)
    assert contents(server, user) == ["the choir sings"]


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Live]:
    with running(configure(tmp_path, api_key="master")) as live:
        yield live


def key_for(service: MemoryService, *rights: str, tenant: str | None = "default") -> dict[str, str]:
    tenants = None if tenant is None else [tenant]
    made = service.keyring.add(tenants=tenants, memories=None, rights=list(rights), name="")
    return {"Authorization": f"Bearer {made.key}"}


def test_rights_bound_deletions(keyed: Live) -> None:
    reader, writer = key_for(keyed.service, "read"), key_for(keyed.service, "write")
    admin = key_for(keyed.service, "admin")
    one = {"memory_id": "m", "all": True}
    assert keyed.post("/v1/delete", one).status == 401
    assert keyed.post("/v1/purge", {"all": True}).status == 401
    assert keyed.call("GET", "/v1/erasures/m").status == 401
    for path, body, headers, status in (
        ("/v1/delete", one, reader, 403),
        ("/v1/delete", one, admin, 403),
        ("/v1/delete", one, writer, 200),
        ("/v1/purge", {"all": True}, writer, 403),
        ("/v1/purge", {"all": True}, admin, 200),
        ("/v1/purge", {"older_than": "1d", "all_tenants": True}, admin, 403),
        ("/v1/purge", {"all": True}, admin | {"X-Tenant-ID": "other"}, 403),
        ("/v1/delete", one, writer | {"X-Tenant-ID": "other"}, 403),
    ):
        assert keyed.post(path, body, **headers).status == status, (path, headers)
    everywhere = key_for(keyed.service, "admin", tenant=None)
    body = {"older_than": "1d", "all_tenants": True}
    assert keyed.post("/v1/purge", body, **everywhere).status == 200


def test_a_deletion_comes_behind_the_adds_before_it(own: Live) -> None:
    """Both are in the same lane, in the order of their arrival."""
    for number in range(5):
        put(own, "m", "the choir sings", session=f"s-{number}")
    assert delete(own, "m", all=True).turns == 5


def test_answers_hold_no_text(server: Live, user: str) -> None:
    put(server, user, "the secret choir")
    reply = server.post("/v1/delete", {"memory_id": user, "all": True})
    assert b"secret" not in reply.body


def test_receipts_take_no_parameter(server: Live) -> None:
    reply = server.call("GET", "/v1/erasures/m?limit=1")
    assert reply.status == 400
    assert "limit: unknown parameter" in str(reply.json())
