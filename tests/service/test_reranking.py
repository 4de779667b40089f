"""A reranking model orders the head of what the channels find; while it fails nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from graphmem.config import ServiceConfig
from graphmem.domain.hit import Hit, Reranked
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.errors import (
    ConfigError,
    RerankRefusedError,
    RerankResponseError,
    RerankUnavailableError,
)
from graphmem.ports.stage import Stage, recorded_by
from graphmem.ports.store import Store
from graphmem.retrieval.recipe import DEFAULT
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from graphmem.service.reranking import PAUSE_SECONDS, Reranking
from graphmem.stores.memory.store import MemoryStore
from tests.providers.pairs import build_cross_encoder
from tests.service.conftest import STORES, CountingIdentity, StillClock, make_store, says
from tests.service.reranker import FakeReranker

# The first has the words, the last the answer; the model likes the word "very" of the query.
TURNS = ["who is it that likes tea", "she likes tea", "he likes very very very strong tea"]
QUESTION = "who likes very"

Make = Callable[..., MemoryService]


class Stages:
    """A recorder that notes which stages there were."""

    def __init__(self) -> None:
        self.names: list[Stage] = []

    @contextmanager
    def stage(self, name: Stage) -> Iterator[None]:
        self.names.append(name)
        yield


@pytest.fixture
def model() -> FakeReranker:
    return FakeReranker()


@pytest.fixture
def make(store: Store) -> Make:
    def made(model: FakeReranker | None = None, **runtime: object) -> MemoryService:
        return _open(store, model, **runtime)

    return made


def _open(store: Store, model: FakeReranker | None, **runtime: object) -> MemoryService:
    parts = Parts(
        store=store,
        embeddings=None,
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
        reranker=model,
    )
    return MemoryService(
        parts, ServiceConfig(dense_retrieval=False, runtime_overrides={"retrieval": runtime})
    )


def _filled(service: MemoryService, *texts: str) -> MemoryService:
    service.add("t", "m", "s", says(*(texts or TURNS)), request_id="r")
    return service


def _many(count: int) -> list[str]:
    return [f"tea number {n}" + " likes" * (n % 7) for n in range(count)]


def _said(service: MemoryService, query: str = QUESTION, **options: object) -> list[str]:
    found = service.retrieve("t", "m", query, **options)  # type: ignore[arg-type]
    return [hit.content for hit in found.hits]


def test_the_model_reorders_what_the_channels_found(make: Make, model: FakeReranker) -> None:
    plain = _said(_filled(make()))
    service = make(model, rerank=100.0)
    assert sorted(_said(service)) == sorted(plain)
    assert _said(service)[0] == TURNS[2]
    assert model.asked[0] == (QUESTION, tuple(plain))


def test_the_trace_says_which_model_read_how_many(make: Make, model: FakeReranker) -> None:
    trace = _filled(make(model)).retrieve("t", "m", QUESTION).trace
    assert trace.reranked == Reranked(model="fake-reranker", turns=3)
    assert trace.to_dict()["reranked"] == {"model": "fake-reranker", "turns": 3, "failure": None}


def test_its_share_is_shown_and_shares_make_the_score(make: Make, model: FakeReranker) -> None:
    service = _filled(make(model, rerank_top=2))
    hits = service.retrieve("t", "m", QUESTION, explain=True).hits
    assert [dict(hit.shares or {})["rerank"] for hit in hits] == [1.5, 0.0, 0.0]
    for hit in hits:
        assert sum((hit.shares or {}).values()) == pytest.approx(hit.score, abs=1e-5)
    assert service.retrieve("t", "m", QUESTION).hits[0].shares is None


def test_a_speaker_is_told_and_a_label_not_twice(make: Make, model: FakeReranker) -> None:
    service = make(model)
    service.add("t", "m", "s", says("I like tea", speaker="Ann"))
    service.add("t", "m", "s", says("Bob: I like tea"))
    service.retrieve("t", "m", "tea")
    assert sorted(model.asked[0][1]) == ["Ann: I like tea", "Bob: I like tea"]


def test_what_is_behind_the_head_stays_where_it_is(make: Make, model: FakeReranker) -> None:
    plain = _said(_filled(make(), *_many(40)), "tea likes", limit=40)
    found = _said(make(model, rerank=5.0, rerank_top=10), "tea likes", limit=40)
    assert found[10:] == plain[10:]
    assert sorted(found[:10]) == sorted(plain[:10])


def test_the_first_hits_do_not_depend_on_how_many_are_wanted(
    make: Make, model: FakeReranker
) -> None:
    service = _filled(make(model, rerank=5.0, rerank_top=20), *_many(40))
    whole = service.retrieve("t", "m", "tea likes", limit=40)
    for limit in (1, 5, 20, 30):
        found = service.retrieve("t", "m", "tea likes", limit=limit)
        assert found.hits == whole.hits[:limit]
        assert found.trace == whole.trace


def test_prompts_and_searches_of_messages_are_ordered_by_it_too(
    make: Make, model: FakeReranker
) -> None:
    service = _filled(make(model, rerank=100.0))
    ready = service.prepare("t", "m", QUESTION)
    assert ready.trace.retrieval.reranked == Reranked(model="fake-reranker", turns=3)
    best = max(ready.evidence, key=lambda one: one.score)
    assert best.text == TURNS[2]
    messages = service.search_messages("t", "m", QUESTION).messages
    assert messages[0].content == TURNS[2]
    assert all(0.0 <= (one.score or 0.0) <= 1.0 for one in messages)


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (RerankResponseError("NaN"), "failed"),
        (RerankUnavailableError("gone"), "failed"),
        (RerankRefusedError("long"), "query_too_long"),
    ],
)
def test_a_search_goes_on_without_a_model_that_fails_and_says_so(
    make: Make, model: FakeReranker, failure: RerankResponseError, told: str
) -> None:
    plain = _filled(make()).retrieve("t", "m", QUESTION, limit=10)
    service = make(model)
    model.failure = failure
    found = service.retrieve("t", "m", QUESTION, limit=10)
    assert found.hits == plain.hits
    assert found.trace.reranked == Reranked(model="fake-reranker", turns=0, failure=told)  # type: ignore[arg-type]
    counts = service.statistics().reranking
    assert counts is not None
    assert getattr(counts, told) == 1
    assert counts.is_well is (told == "query_too_long")
    assert [one.part for one in service.readiness().degraded] == (
        [] if counts.is_well else ["rerank"]
    )


def test_a_model_that_works_again_is_well_again(make: Make, model: FakeReranker) -> None:
    service = _filled(make(model))
    model.failure = RerankResponseError("NaN")
    service.retrieve("t", "m", QUESTION)
    model.failure = None
    assert service.retrieve("t", "m", QUESTION).trace.reranked == Reranked(
        model="fake-reranker", turns=3
    )
    counts = service.statistics().reranking
    assert counts is not None
    assert (counts.failed, counts.reranked, counts.is_well) == (1, 1, True)


def test_a_model_that_does_not_load_is_tried_again_after_a_pause(model: FakeReranker) -> None:
    now = [0.0]
    tried = Reranking(model, lambda: now[0])
    hits = [_hit(0, 2.0), _hit(1, 1.0)]
    model.failure = RerankUnavailableError("gone")
    for _ in range(3):
        assert tried.order(Query(text="turn"), hits, DEFAULT).trace.failure == "failed"
    assert (len(model.asked), tried.counts().failed) == (1, 3)
    model.failure = None
    now[0] += PAUSE_SECONDS
    assert tried.order(Query(text="turn"), hits, DEFAULT).trace.failure is None


def test_a_model_without_weight_is_asked_nothing(make: Make, model: FakeReranker) -> None:
    plain = _filled(make()).retrieve("t", "m", QUESTION, explain=True)
    assert make(model, rerank=0.0).retrieve("t", "m", QUESTION, explain=True) == plain
    assert make(model).retrieve("t", "m", QUESTION, recipe=replace(DEFAULT, rerank=0.0)).trace == (
        plain.trace
    )
    assert model.asked == []


def test_one_hit_or_none_need_no_model(make: Make, model: FakeReranker) -> None:
    service = _filled(make(model), "tea")
    for query in ("tea", "nothing"):
        trace = service.retrieve("t", "m", query).trace
        assert trace.reranked == Reranked(model="fake-reranker", turns=0)
    assert model.asked == []


def test_off_is_the_default_and_answers_as_if_there_were_no_such_thing(tmp_path: Path) -> None:
    assert ServiceConfig().rerank_model == ""
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        found = _filled(service).retrieve("t", "m", QUESTION, explain=True)
        assert service.statistics().reranking is None
    told = json.dumps(found.to_dict())
    assert "rerank" not in told


def test_same_memory_and_query_give_the_same_bytes_on_every_store(tmp_path: Path) -> None:
    answers = set()
    for kind in STORES:
        for is_warm in (False, True):
            service = _open(make_store(kind, tmp_path / f"{kind}{is_warm}"), FakeReranker())
            for at in range(0, 40, 8):
                texts = _many(40)[at : at + 8]
                service.add("t", "m", "s", says(*texts), request_id=f"r{at}")
                if is_warm:
                    _said(service, "tea likes")
            found = service.retrieve("t", "m", "tea likes", limit=40, explain=True)
            answers.add(json.dumps(found.to_dict()))
            service.close()
    assert len(answers) == 1


def test_many_searches_at_once_get_one_answer(make: Make, model: FakeReranker) -> None:
    service = _filled(make(model), *_many(40))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: _said(service, "tea likes"), range(40)))
    assert all(one == found[0] for one in found)
    counts = service.statistics().reranking
    assert counts is not None
    assert counts.reranked == 40


def test_the_time_that_the_model_takes_is_a_stage(make: Make, model: FakeReranker) -> None:
    stages = Stages()
    service = _filled(make(model))
    with recorded_by(stages):
        service.retrieve("t", "m", QUESTION, limit=3)
    assert set(stages.names) == {"store", "rank", "rerank"}


def test_it_is_closed_with_the_service(model: FakeReranker) -> None:
    service = _open(MemoryStore(), model)
    service.close()
    assert model.is_closed


def test_it_is_a_setting_of_queries_and_no_memory_waits_for_a_rebuild(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path / "data", dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        before = _filled(service, "who love coffee", "love tea", "tea tea who").status("t", "m")
    name = build_cross_encoder(tmp_path / "tiny")
    runtime = {"retrieval": {"rerank_top": 50, "rerank": 3.0}}
    changed = replace(config, rerank_model=f"onnx:{name}", runtime_overrides=runtime)
    with MemoryService.open(config=changed) as service:
        assert service.status("t", "m") == before
        assert service.backlog().pending_memories == 0
        found = service.retrieve("t", "m", "who love tea")
        assert found.trace.reranked == Reranked(model="tiny", turns=3)
        assert found.hits[0].content == "tea tea who"


def test_a_model_that_is_not_there_ends_the_start_before_anything_is_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with pytest.raises(ConfigError, match=r"rerank_model: the directory .* holds no model"):
        MemoryService.open(
            data_dir=data, config=ServiceConfig(rerank_model=f"onnx:{tmp_path / 'nowhere'}")
        )
    assert not data.exists()


@given(
    channels=st.lists(st.floats(0.001, 5.0), min_size=0, max_size=12),
    judged=st.lists(st.floats(-1e30, 1e30), min_size=12, max_size=12),
    top=st.integers(1, 12),
    limit=st.integers(1, 12),
    weight=st.floats(0.0, 100.0),
)
def test_a_new_order_keeps_its_laws(
    channels: list[float], judged: list[float], top: int, limit: int, weight: float
) -> None:
    hits = [_hit(n, score) for n, score in enumerate(sorted(channels, reverse=True))]
    model = FakeReranker()
    model.score = lambda _, texts: tuple(judged[: len(texts)])  # type: ignore[method-assign, assignment]
    recipe = replace(DEFAULT, rerank=weight, rerank_top=top)
    order = Reranking(model).order(Query(text="q", limit=limit, explain=True), hits, recipe)
    wide = Reranking(model).order(Query(text="q", limit=12, explain=True), hits, recipe)
    assert order.hits == wide.hits[:limit]
    assert sorted(wide.places) == list(range(len(hits)))
    assert wide.places[top:] == tuple(range(top, len(hits)))
    scores = [hit.score for hit in wide.hits]
    assert scores == sorted(scores, reverse=True)
    for hit, place in zip(wide.hits, wide.places, strict=True):
        assert hit.id == hits[place].id
        gain = (hit.shares or {})["rerank"]
        assert 0.0 <= gain <= weight + 1e-6
        assert hit.score == pytest.approx(hits[place].score + gain, abs=1e-5)
    for (one, above), (other, below) in pairwise(zip(wide.hits, wide.places, strict=True)):
        assert above < below or one.score > other.score


def _hit(number: int, score: float) -> Hit:
    return Hit(
        id=f"t_{number}",
        kind="turn",
        content=f"turn {number}",
        score=round(score, 6),
        role="user",
        speaker=None,
        body_start=0,
        session_id="s",
        turn_ids=(f"t_{number}",),
        occurred=None,
        recorded=Moment(us=0),
        shares={"lexical": score},
    )
