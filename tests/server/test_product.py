"""Contract 2 over a real socket: what each status means, and what the answers hold."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.errors import StoreUnavailableError
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import build_parts
from graphmem.service.memory import MemoryService
from graphmem.wire.product import (
    MemoriesAnswer,
    RebuildAnswer,
    ReceiptAnswer,
    RetrievalAnswer,
    StatusAnswer,
)
from tests.server.live import JsonObject, Live, Reply, configure, running


def product_add(memory_id: str, *contents: str, **changes: object) -> JsonObject:
    said = [{"role": "user", "content": text} for text in contents or ("hello there",)]
    return {
        "request_id": "r-0",
        "memory_id": memory_id,
        "session_id": "s-0",
        "messages": said,
    } | changes


def a_question(memory_id: str, query: str = "hello", **changes: object) -> JsonObject:
    return {"memory_id": memory_id, "query": query} | changes


def refusal(reply: Reply) -> tuple[int, str, bool]:
    """Status, code and whether it may be tried again, of an error in contract 2's shape."""
    body = reply.json()
    error = body["error"]
    assert isinstance(error, dict)
    assert set(body) == {"error", "trace_id"}
    assert set(error) == {"code", "message", "retryable"}
    assert body["trace_id"] == reply.headers["x-trace-id"]
    return reply.status, error["code"], error["retryable"]


def message_of(reply: Reply) -> str:
    error = reply.json()["error"]
    assert isinstance(error, dict)
    return str(error["message"])


class Held:
    """A server whose model tests hold in their hands."""

    def __init__(self) -> None:
        self.model = FakeEmbedder()

    def open(self, *, config: ServiceConfig) -> MemoryService:
        parts = build_parts(replace(config, dense_retrieval=False), read_only=False)
        pool = EmbeddingPool(lambda: self.model, fingerprint=self.model.model.fingerprint)
        service = MemoryService(replace(parts, embeddings=pool), config)
        service.start()
        return service


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def patience() -> float:
    """Seconds that a call waits for a silent model."""
    return 0.3


@pytest.fixture
def modelled(held: Held, tmp_path: Path, patience: float) -> Iterator[Live]:
    dense = DenseConfig(timeout_seconds=patience)
    config = replace(configure(tmp_path, dense=True), dense=dense)
    with running(config, held.open) as live:
        yield live
        held.model.recover()


def test_what_was_added_is_found(server: Live, user: str) -> None:
    added = server.post("/v1/add", product_add(user, "I joined a choir", "We bake bread"))
    assert added.status == 200
    receipt = ReceiptAnswer.model_validate(added.json())
    assert (receipt.version, receipt.ready_version, receipt.state) == (1, 1, "ready")
    for path in ("/v1/retrieve", "/retrieve"):
        found = server.post(path, a_question(user, "choir", limit=1, explain=True))
        (hit,) = RetrievalAnswer.model_validate(found.json()).hits
        assert (hit.content, hit.turn_ids) == ("I joined a choir", [receipt.turn_ids[0]])
        assert hit.shares
    unexplained = server.post("/v1/retrieve", a_question(user, "choir")).json()
    assert "shares" not in json.dumps(unexplained)


def test_the_fields_of_a_message_come_back(server: Live, user: str) -> None:
    message = {
        "role": "assistant",
        "content": "我周五去里斯本",
        "speaker": "小明",
        "listener": "Ann",
        "timestamp": "2023-05-08T13:56:00+08:00",
    }
    assert server.post("/v1/add", product_add(user, messages=[message])).status == 200
    found = server.post("/v1/retrieve", a_question(user, "里斯本")).json()
    (hit,) = RetrievalAnswer.model_validate(found).hits
    assert (hit.role, hit.speaker) == ("assistant", "小明")
    assert hit.event_time == "2023-05-08T13:56:00+08:00"


@pytest.mark.parametrize("patience", [60.0])
def test_a_batch_that_is_too_large_does_not_wait_for_its_turn(modelled: Live, held: Held) -> None:
    held.model.break_down(Failure.HANG)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(modelled.post, "/v1/add", product_add("m"))
        while b'calls_running{lane="product"} 1.0' not in modelled.call("GET", "/metrics").body:
            assert not first.done()
        large = product_add("m", *["hello" * 2**16] * 4, request_id="r-1")
        reply = modelled.post("/v1/add", large)
        assert refusal(reply) == (400, "invalid", False)
        assert "at most 1,048,576 bytes" in message_of(reply)
        assert not first.done()
        held.model.recover()
        assert first.result(60).status == 200


def test_a_repeated_request_is_answered_as_the_first(server: Live, user: str) -> None:
    first = server.post("/v1/add", product_add(user)).json()
    again = server.post("/v1/add", product_add(user)).json()
    assert again == first | {"replayed": True}


def test_400_for_a_body_that_is_no_json(server: Live) -> None:
    assert refusal(server.call("POST", "/v1/add", b"{")) == (400, "malformed", False)


WRONG_FIELDS: list[tuple[str, JsonObject, str]] = [
    ("/v1/add", product_add(" "), "memory_id: must not be blank"),
    ("/v1/add", product_add("m", messages=[]), "messages: must not be empty"),
    ("/v1/add", product_add("m", messages=[{"role": "x", "content": "y"}]), "messages.0.role: "),
    (
        "/v1/add",
        product_add("m", messages=[{"role": "user", "content": "y", "timestamp": "soon"}]),
        "messages.0.timestamp: must be an ISO 8601",
    ),
    ("/v1/add", product_add("m", *["x"] * 257), "messages: "),
    ("/v1/add", product_add("m", "x" * (1024 * 1024 + 1)), "messages: must hold at most"),
    (
        "/v1/add",
        product_add("m", sesion_id="s"),
        "sesion_id: unknown field; the nearest known one is session_id",
    ),
    (
        "/v1/add",
        product_add("m", messages=[{"role": "user", "content": "y", "speeker": "z"}]),
        "messages.0.speeker: unknown field; the nearest known one is speaker",
    ),
    ("/v1/retrieve", a_question("m", limit=0), "limit: must be from 1 to 100"),
    ("/v1/retrieve", a_question("m", limit=101), "limit: must be from 1 to 100"),
    ("/v1/retrieve", a_question("m", limit="5"), "limit: must be a JSON integer"),
    ("/v1/retrieve", a_question("m", explain=1), "explain: "),
    ("/v1/retrieve", a_question("m", options=[1]), "options: must hold strings only"),
    ("/v1/retrieve", a_question("m", " "), "query: must not be blank"),
    ("/v1/retrieve", {"memory_id": "m"}, "query: is required"),
    ("/v1/rebuild", {"memory": "m"}, "memory: unknown field; the nearest known one is memory_id"),
]


@pytest.mark.parametrize(("path", "body", "said"), WRONG_FIELDS, ids=lambda value: None)
def test_400_for_a_wrong_field_which_is_named(
    server: Live, path: str, body: JsonObject, said: str
) -> None:
    reply = server.post(path, body)
    assert refusal(reply) == (400, "invalid", False)
    assert message_of(reply).startswith(said)


def test_of_several_unknown_fields_the_first_is_named(server: Live) -> None:
    unknown = {f"x{number}": 1 for number in range(8)}
    reply = server.post("/v1/rebuild", {"memory_id": "m"} | unknown)
    assert "x0: unknown field" in str(reply.json())


def test_the_name_of_an_unknown_field_is_shown_short_and_plain(server: Live) -> None:
    reply = server.post("/v1/rebuild", {"memory_id": "m", "\n<b>" + "x" * 500: 1})
    assert len(message_of(reply)) < 200
    assert "\n" not in message_of(reply)


def test_400_for_a_wrong_tenant(server: Live) -> None:
    reply = server.post("/v1/retrieve", a_question("m"), X_Tenant_ID=" ")
    assert refusal(reply) == (400, "invalid", False)


@pytest.mark.parametrize("path", ["/v1/add", "/v1/retrieve", "/v1/rebuild"])
def test_401_without_the_key(locked: Live, path: str) -> None:
    assert refusal(locked.post(path, {})) == (401, "unauthorized", False)
    assert refusal(locked.call("GET", "/v1/memories")) == (401, "unauthorized", False)
    assert refusal(locked.call("GET", "/v1/memories/m")) == (401, "unauthorized", False)


def test_404_for_an_unknown_memory(server: Live) -> None:
    missing = (404, "memory_not_found", False)
    assert refusal(server.post("/v1/retrieve", a_question("nobody"))) == missing
    assert refusal(server.post("/v1/rebuild", {"memory_id": "nobody"})) == missing
    assert refusal(server.call("GET", "/v1/memories/nobody")) == missing


def test_404_for_another_tenants_memory(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user), X_Tenant_ID="acme")
    assert server.post("/v1/retrieve", a_question(user)).status == 404
    assert server.post("/v1/retrieve", a_question(user), X_Tenant_ID="acme").status == 200


def test_404_for_an_unknown_route(server: Live) -> None:
    assert refusal(server.post("/v1/nothing", {})) == (404, "not_found", False)


def test_409_for_a_request_id_with_another_payload(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user, "one"))
    reply = server.post("/v1/add", product_add(user, "another"))
    assert refusal(reply) == (409, "request_conflict", False)
    found = server.post("/v1/retrieve", a_question(user, "one another")).json()
    assert [hit.content for hit in RetrievalAnswer.model_validate(found).hits] == ["one"]


def test_413_before_a_body_is_parsed(server: Live) -> None:
    reply = server.call("POST", "/v1/add", b" " * (9 * 1024 * 1024))
    assert refusal(reply) == (413, "too_large", False)


def test_503_and_409_while_the_model_is_out(held: Held, modelled: Live) -> None:
    held.model.break_down(Failure.DOWN)
    body = product_add("m", "I adopted a kitten")
    failed = modelled.post("/v1/add", body)
    assert refusal(failed) == (503, "build_failed", True)
    assert int(failed.headers["retry-after"]) > 0
    pending = modelled.post("/v1/retrieve", a_question("m", "kitten"))
    assert refusal(pending) == (409, "memory_pending", True)
    shown = StatusAnswer.model_validate(modelled.call("GET", "/v1/memories/m").json())
    assert (shown.turns, shown.version, shown.ready_version) == (1, 1, 0)
    assert (shown.state, shown.waiting_turns) == ("pending", 1)
    held.model.recover()
    again = modelled.post("/v1/add", body)
    receipt = ReceiptAnswer.model_validate(again.json())
    assert (again.status, receipt.replayed, receipt.state) == (200, True, "ready")
    assert (receipt.version, receipt.ready_version) == (1, 1)
    assert modelled.post("/v1/retrieve", a_question("m", "kitten")).status == 200


def test_add_search_goes_on_while_the_model_is_out(held: Held, modelled: Live) -> None:
    held.model.break_down(Failure.DOWN)
    assert modelled.add("m", "I adopted a kitten").status == 200
    assert modelled.search("m", "kitten").contents() == ["user: I adopted a kitten"]
    pending = modelled.post("/v1/retrieve", a_question("m", "kitten"))
    assert refusal(pending) == (409, "memory_pending", True)
    held.model.recover()
    rebuilt = modelled.post("/v1/rebuild", {"memory_id": "m"})
    assert (rebuilt.status, RebuildAnswer.model_validate(rebuilt.json()).refused) == (200, 0)
    assert modelled.post("/v1/retrieve", a_question("m", "kitten")).status == 200


def test_503_when_a_rebuild_finds_the_model_out(held: Held, modelled: Live) -> None:
    held.model.break_down(Failure.DOWN)
    modelled.add("m", "I adopted a kitten")
    reply = modelled.post("/v1/rebuild", {"memory_id": "m"})
    assert refusal(reply) == (503, "model_unavailable", True)


def test_503_when_the_store_fails(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(server.service, "retrieve", fail)
    reply = server.post("/v1/retrieve", a_question("m"))
    assert refusal(reply) == (503, "store_unavailable", True)


def test_429_when_too_many_are_in_and_add_search_is_not_counted(held: Held, tmp_path: Path) -> None:
    config = replace(configure(tmp_path, dense=True), max_requests=2)
    with running(config, held.open) as live:
        held.model.break_down(Failure.HANG)
        waiting = [
            threading.Thread(target=live.post, args=("/v1/add", product_add(f"m{number}")))
            for number in range(2)
        ]
        for thread in waiting:
            thread.start()
        _until_memories(live, 2)
        refused = live.post("/v1/retrieve", a_question("m0"))
        assert refusal(refused) == (429, "too_many_requests", True)
        assert int(refused.headers["retry-after"]) > 0
        assert refusal(live.call("GET", "/v1/memories")) == (429, "too_many_requests", True)
        assert live.search("m0", "hello").status == 200
        assert live.call("GET", "/health").status == 200
        held.model.recover()
        for thread in waiting:
            thread.join()
        assert live.post("/v1/retrieve", a_question("m0")).status == 200


def _until_memories(live: Live, count: int) -> None:
    done = threading.Event()
    for _ in range(500):
        if len(live.service.list_memories("default").memories) == count:
            return
        done.wait(0.02)
    raise AssertionError("the adds did not come in")


def test_session_id_confines_the_hits(server: Live, user: str) -> None:
    for number in range(3):
        body = product_add(
            user, f"choir {number}", session_id=f"s{number}", request_id=f"r{number}"
        )
        server.post("/v1/add", body)
    found = server.post("/v1/retrieve", a_question(user, "choir", session_id="s1", limit=1))
    answer = RetrievalAnswer.model_validate(found.json())
    assert [(hit.session_id, hit.content) for hit in answer.hits] == [("s1", "choir 1")]
    assert answer.trace.candidates == 1
    none = server.post("/v1/retrieve", a_question(user, "choir", session_id="s9"))
    assert RetrievalAnswer.model_validate(none.json()).hits == []


def test_memories_are_listed_in_pages(server: Live) -> None:
    ids = ["a", "b/c d", "深圳?x=1"]
    for memory_id in ids:
        server.post("/v1/add", product_add(memory_id), X_Tenant_ID="lister")
    seen, after = [], ""
    while True:
        page = server.call("GET", f"/v1/memories?limit=1{after}", headers={"X-Tenant-ID": "lister"})
        answer = MemoriesAnswer.model_validate(page.json())
        seen += [memory.memory_id for memory in answer.memories]
        if answer.next_after is None:
            break
        after = f"&after={quote(answer.next_after, safe='')}"
    assert seen == ids
    for memory_id in ids:
        path = f"/v1/memories/{quote(memory_id)}"
        shown = server.call("GET", path, headers={"X-Tenant-ID": "lister"})
        assert StatusAnswer.model_validate(shown.json()).memory_id == memory_id


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("limit=0", "limit: must be a whole number from 1 to 1,000"),
        ("limit=x", "limit: must be a whole number"),
        ("limit=1&limit=2", "limit: must be sent once"),
        ("limitt=1", "limitt: unknown parameter; the nearest known one is limit"),
        ("after=%20", "after: must not be blank"),
    ],
)
def test_400_for_a_wrong_parameter(server: Live, query: str, said: str) -> None:
    reply = server.call("GET", f"/v1/memories?{query}")
    assert refusal(reply) == (400, "invalid", False)
    assert message_of(reply) == said


def test_a_rebuild_answers_with_its_report(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user, "choir"))
    before = server.post("/v1/retrieve", a_question(user, "choir")).json()
    reply = server.post("/v1/rebuild", {"memory_id": user})
    report = RebuildAnswer.model_validate(reply.json())
    assert (report.memories, report.reindexed) == (1, 1)
    after = server.post("/v1/retrieve", a_question(user, "choir")).json()
    assert after["hits"] == before["hits"]


def test_text_beyond_ascii_is_written_as_it_is(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user, "去里斯本"))
    found = server.post("/v1/retrieve", a_question(user, "里斯本"))
    assert "去里斯本".encode() in found.body
