"""Each metric moves by its cause, and none by anybody's name."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.errors import StoreUnavailableError
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import build_parts
from graphmem.service.memory import MemoryService
from tests.server.live import Live, an_add, configure, encode, running

LINE = re.compile(r"([a-z_]+)(?:\{(.*)\})? (\S+)\Z")


def read(live: Live) -> dict[str, float]:
    reply = live.call("GET", "/metrics")
    assert reply.headers["content-type"].startswith("text/plain; version=")
    lines = [line for line in reply.body.decode().splitlines() if not line.startswith("#")]
    found = [LINE.match(line) for line in lines]
    assert all(found)
    return {m[1] + (f"{{{m[2]}}}" if m[2] else ""): float(m[3]) for m in found if m}


def test_metrics_count_what_happened(tmp_path: Path) -> None:
    with running(configure(tmp_path)) as live:
        for _ in range(2):
            live.add("u", "hello one", "hello two")
        live.search("u", "hello")
        live.post("/search", {})
        live.call("GET", "/whatever")
        shown = read(live)
    assert shown['graphmem_http_requests_total{route="/add",status="200"}'] == 2
    assert shown['graphmem_http_requests_total{route="/search",status="200"}'] == 1
    assert shown['graphmem_http_requests_total{route="/search",status="422"}'] == 1
    assert shown['graphmem_http_requests_total{route="unmatched",status="404"}'] == 1
    assert shown['graphmem_http_request_seconds_count{route="/add"}'] == 2
    assert shown["graphmem_added_turns_total"] == 2
    assert shown["graphmem_http_in_flight"] == 1
    assert shown['graphmem_calls_waiting{lane="add"}'] == 0
    assert shown['graphmem_calls_running{lane="search"}'] == 0
    assert shown["graphmem_cached_memories"] == 1
    assert shown['graphmem_cached_bytes{cache="views"}'] > 0


def test_turns_are_counted_on_every_surface_and_replays_on_none(tmp_path: Path) -> None:
    said = {"role": "user", "content": "hello"}
    product = {"request_id": "r", "memory_id": "m", "session_id": "s", "messages": [said]}
    atomic = {"request_id": "r", "messages": [said, said]}
    with running(configure(tmp_path)) as live:
        for _ in range(2):
            assert live.post("/v1/add", product).status == 200
            assert live.post("/v2/conversation/add", atomic).status == 200
        assert read(live)["graphmem_added_turns_total"] == 3


def test_two_servers_count_apart(tmp_path: Path, server: Live, user: str) -> None:
    server.add(user, "hello")
    with running(configure(tmp_path)) as live:
        assert read(live)["graphmem_added_turns_total"] == 0


def test_no_label_comes_from_a_user(server: Live, user: str) -> None:
    server.post("/add", an_add(user, "hello", request_id=f"{user}-request"))
    server.call("GET", f"/{user}-path")
    assert user.encode() not in server.call("GET", "/metrics").body


def test_every_series_has_a_meaning_and_known_labels(server: Live, user: str) -> None:
    server.add(user, "hello")
    server.search(user, "hello")
    text = server.call("GET", "/metrics").body.decode()
    told = set(re.findall(r"# HELP (\S+) \S", text))
    labels = {
        name for found in re.findall(r"\{(.*)\}", text) for name in re.findall(r"(\w+)=", found)
    }
    assert told == set(re.findall(r"# TYPE (\S+)", text))
    assert labels <= {"cache", "lane", "le", "purpose", "route", "stage", "status"}


@contextmanager
def modelled(
    directory: Path, *, in_call_seconds: float = 20.0
) -> Iterator[tuple[Live, FakeEmbedder]]:
    """A server with a model that can be broken."""
    model = FakeEmbedder()

    def open_service(*, config: ServiceConfig) -> MemoryService:
        parts = build_parts(replace(config, dense_retrieval=False), read_only=False)
        pool = EmbeddingPool(lambda: model, fingerprint=model.model.fingerprint)
        service = MemoryService(replace(parts, embeddings=pool), config)
        service.start()
        return service

    config = replace(
        configure(directory, dense=True), dense=DenseConfig(in_call_seconds=in_call_seconds)
    )
    with running(config, open_service) as live:
        yield live, model


def moved(live: Live, cause: Callable[[], object]) -> dict[str, float]:
    """What a cause changed."""
    before = read(live)
    cause()
    after = read(live)
    return {name: value - before.get(name, 0.0) for name, value in after.items()}


def await_value(live: Live, name: str, least: float) -> None:
    """Wait until a metric shows so much."""
    until = time.monotonic() + 4.0
    while read(live)[name] < least:
        assert time.monotonic() < until, name


def test_stages_are_measured_where_they_happen(tmp_path: Path) -> None:
    with modelled(tmp_path) as (live, _):
        added = moved(live, lambda: live.add("u", "hello one"))
        searched = moved(live, lambda: live.search("u", "hello"))

    def stages(found: dict[str, float], route: str) -> set[str]:
        count = re.compile(rf'graphmem_stage_seconds_count\{{route="{route}",stage="(\w+)"\}}')
        return {m[1] for name, value in found.items() if value == 1 and (m := count.match(name))}

    assert stages(added, "/add") == {"wait", "embed", "store"}
    assert stages(searched, "/search") == {"wait", "embed", "store", "rank", "render"}


def test_stages_of_atom_searches_are_measured_too(tmp_path: Path) -> None:
    route = "/v2/atomic/search"
    with modelled(tmp_path) as (live, _):
        live.add("u", "I like tea")
        query = {"user_id": "u", "query": "tea"}
        searched = moved(live, lambda: live.post(route, query))
    assert searched[f'graphmem_http_requests_total{{route="{route}",status="200"}}'] == 1
    for stage in ("wait", "embed", "store", "rank"):
        assert searched[f'graphmem_stage_seconds_count{{route="{route}",stage="{stage}"}}'] == 1


def test_model_calls_are_counted_by_what_for(tmp_path: Path) -> None:
    with modelled(tmp_path, in_call_seconds=0.0) as (live, _):
        late = moved(live, lambda: (live.add("u", "hello one"), live.service.catch_up(20)))
    with modelled(tmp_path) as (live, _):
        added = moved(live, lambda: live.add("u", "hello three", request_id="r-1"))
        live.search("u", "before")
        searched = moved(live, lambda: live.search("u", "hello"))
        again = moved(live, lambda: live.search("u", "hello"))

    def usage(found: dict[str, float], purpose: str) -> list[float]:
        return [
            found[f'graphmem_embedding_{what}_total{{purpose="{purpose}"}}']
            for what in ("calls", "texts", "characters")
        ]

    assert usage(late, "background")[1:] == [1, 9]
    assert usage(added, "add") == [1, 1, 11]
    assert usage(searched, "query") == [1, 1, 5]
    assert usage(again, "query") == [0, 0, 0]
    assert again['graphmem_cache_hits_total{cache="queries"}'] == 1
    assert searched['graphmem_cache_misses_total{cache="queries"}'] == 1
    assert searched['graphmem_cached_bytes{cache="queries"}'] > 0


def test_a_cold_view_is_a_miss_and_a_warm_one_a_hit(server: Live, user: str) -> None:
    server.add(user, "hello")
    cold = moved(server, lambda: server.search(user, "hello"))
    warm = moved(server, lambda: server.search(user, "hello"))
    assert cold['graphmem_cache_misses_total{cache="views"}'] == 1
    assert warm['graphmem_cache_hits_total{cache="views"}'] == 1


def test_a_model_that_is_out_degrades_adds_and_leaves_memories_pending(tmp_path: Path) -> None:
    with modelled(tmp_path) as (live, model):
        model.break_down(Failure.DOWN)
        out = moved(live, lambda: (live.add("u", "hello one", "two"), live.search("u", "hello")))
        assert out["graphmem_embedding_model_up"] == -1
        assert out["graphmem_degraded_adds_total"] == 1
        assert out["graphmem_deferred_turns_total"] == 2
        assert out["graphmem_lexical_only_searches_total"] == 1
        assert out["graphmem_embedding_failures_total"] >= 1
        assert out["graphmem_pending_memories"] == 1
        model.recover()
        back = moved(live, lambda: live.service.catch_up(30))
        assert (back["graphmem_pending_memories"], back["graphmem_embedding_model_up"]) == (-1, 1)


def test_a_deletion_is_pending_until_its_bytes_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(now_us: object) -> None:
        raise StoreUnavailableError("away")

    with running(configure(tmp_path)) as live:
        live.add("u", "hello")
        with monkeypatch.context() as patch:
            patch.setattr(live.service._parts.store, "erase", away)
            asked = moved(live, lambda: live.service.delete_memory("default", "u"))
        assert asked["graphmem_waiting_erasures"] == 1
        done = moved(live, lambda: live.service.erase(30))
        assert done["graphmem_waiting_erasures"] == -1


def test_work_before_a_hanging_model_is_counted(tmp_path: Path) -> None:
    with modelled(tmp_path, in_call_seconds=5.0) as (live, model):
        live.add("u", "hello")
        model.break_down(Failure.HANG, hang_seconds=30.0)
        threads = [
            threading.Thread(target=live.add, args=(f"u{i}", "hello"), daemon=True)
            for i in range(3)
        ]
        for thread in threads:
            thread.start()
        await_value(live, "graphmem_embedding_waiting", 1)
        await_value(live, 'graphmem_calls_running{lane="add"}', 3)
        model.recover()
        for thread in threads:
            thread.join(30)
        assert read(live)["graphmem_embedding_waiting"] == 0


def test_calls_that_wait_their_turn_are_counted(tmp_path: Path) -> None:
    with modelled(tmp_path, in_call_seconds=5.0) as (live, model):
        live.add("u", "hello")
        model.break_down(Failure.HANG, hang_seconds=30.0)
        threads = [
            threading.Thread(target=live.add, args=("u", "hello"), kwargs={"request_id": f"r{i}"})
            for i in range(3)
        ]
        for thread in threads:
            thread.start()
        await_value(live, 'graphmem_calls_waiting{lane="add"}', 2)
        model.recover()
        for thread in threads:
            thread.join(30)
        assert read(live)['graphmem_calls_waiting{lane="add"}'] == 0


def test_a_store_that_does_not_answer_hides_only_what_it_knows(tmp_path: Path) -> None:
    def gone(model: str) -> list[object]:
        raise StoreUnavailableError("away")

    with modelled(tmp_path) as (live, _), pytest.MonkeyPatch.context() as patch:
        assert read(live)["graphmem_store_up"] == 1
        patch.setattr(live.service._parts.store, "pending_scopes", gone)
        shown = read(live)
    assert shown["graphmem_store_up"] == 0
    assert "graphmem_pending_memories" not in shown
    assert "graphmem_http_in_flight" in shown


def test_refusals_are_counted_by_their_status(tmp_path: Path) -> None:
    with running(configure(tmp_path, api_key="k")) as live:
        master = {"X-Api-Key": "k"}
        live.call("POST", "/add", encode(an_add()))
        text = live.call("GET", "/metrics", headers=master).body
    assert b'graphmem_http_requests_total{route="/add",status="401"} 1.0' in text
