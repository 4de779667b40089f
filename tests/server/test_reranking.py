"""The reranking model over HTTP: the trace, the metrics and `/ready` say what it did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from graphmem.config import ServiceConfig
from graphmem.errors import RerankRefusedError, RerankResponseError
from graphmem.service.factory import build_parts
from graphmem.service.memory import MemoryService
from graphmem.wire.product import PreparedAnswer, RetrievalAnswer
from tests.server.live import JsonObject, Live, configure, running
from tests.server.test_metrics import moved, read
from tests.server.test_product import a_question, product_add
from tests.server.test_ready import parts as reasons
from tests.service.reranker import FakeReranker

TURNS = ("who is it that likes tea", "she likes tea", "he likes very very very strong tea")
QUESTION = "who likes very"


@contextmanager
def reranked(directory: Path) -> Iterator[tuple[Live, FakeReranker]]:
    """A server with a reranking model that can be broken, and a memory to ask."""
    model = FakeReranker()

    def open_service(*, config: ServiceConfig) -> MemoryService:
        made = replace(build_parts(config, read_only=False), reranker=model)
        service = MemoryService(made, config)
        service.start()
        return service

    config = replace(configure(directory), runtime_overrides={"retrieval": {"rerank": 100.0}})
    with running(config, open_service) as live:
        assert live.post("/v1/add", product_add("m", *TURNS)).status == 200
        yield live, model


def traced(live: Live) -> tuple[list[str], JsonObject]:
    """The texts that were found, and what the trace says of the model."""
    reply = live.post("/v1/retrieve", a_question("m", QUESTION))
    assert reply.status == 200
    found = RetrievalAnswer.model_validate_json(reply.body)
    assert found.trace.reranked is not None
    return [hit.content for hit in found.hits], found.trace.reranked.model_dump()


def test_the_answer_is_in_the_models_order_and_says_so(tmp_path: Path) -> None:
    with reranked(tmp_path) as (live, _):
        texts, told = traced(live)
        assert texts[0] == TURNS[2]
        assert told == {"model": "fake-reranker", "turns": 3, "failure": None}
        reply = live.post("/v1/retrieve", a_question("m", QUESTION, explain=True))
        shares = [hit.shares for hit in RetrievalAnswer.model_validate_json(reply.body).hits]
        assert [share and share["rerank"] for share in shares] == [100.0, 33.333333, 0.0]
        reply = live.post("/v1/prepare", {"memory_id": "m", "query": QUESTION})
        prepared = PreparedAnswer.model_validate_json(reply.body)
        assert prepared.trace.retrieval.reranked is not None


def test_a_failure_is_told_in_trace_metrics_and_readiness_and_loses_nothing(
    tmp_path: Path,
) -> None:
    with reranked(tmp_path) as (live, model):
        model.failure = RerankResponseError("NaN")
        texts, told = traced(live)
        assert sorted(texts) == sorted(TURNS)
        assert told == {"model": "fake-reranker", "turns": 0, "failure": "failed"}
        assert reasons(live, "degraded") == ["rerank"]
        assert live.call("GET", "/ready").status == 200
        assert read(live)["graphmem_rerank_model_up"] == 0
        model.failure = RerankRefusedError("long")
        assert traced(live)[1]["failure"] == "query_too_long"
        model.failure = None
        assert traced(live)[0][0] == TURNS[2]
        assert reasons(live, "degraded") == []
        shown = read(live)
    outcomes = {
        outcome: shown[f'graphmem_reranks_total{{outcome="{outcome}"}}']
        for outcome in ("reranked", "query_too_long", "failed")
    }
    assert outcomes == {"reranked": 1, "query_too_long": 1, "failed": 1}
    assert shown["graphmem_rerank_model_up"] == 1


def test_its_time_is_a_stage(tmp_path: Path) -> None:
    with reranked(tmp_path) as (live, _):
        changed = moved(live, lambda: traced(live))
    assert changed['graphmem_stage_seconds_count{route="/v1/retrieve",stage="rerank"}'] == 1


def test_without_a_model_no_answer_and_no_metric_speaks_of_it(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user, *TURNS))
    reply = server.post("/v1/retrieve", a_question(user, QUESTION, explain=True))
    assert reply.status == 200
    assert b"rerank" not in reply.body
    assert b"graphmem_rerank" not in server.call("GET", "/metrics").body
