"""The dense half on a model that can be slowed, hung, killed and made to answer garbage."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typing_extensions import override

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.domain.scope import Scope
from graphmem.errors import ConfigError, EmbeddingError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service import catchup, dense as dense_module, rewriting
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from graphmem.service.rebuild import RebuildProgress
from graphmem.stores.memory.store import MemoryStore
from tests.service.conftest import (
    STORES,
    CountingIdentity,
    LenientService,
    StillClock,
    make_service,
    make_store,
    says,
)

SCOPE = Scope(tenant_id="t", memory_id="m")
PATIENCE = 30.0


@dataclass
class Rig:
    """A service on a store with a model that tests hold in their hands."""

    store: Store
    model: FakeEmbedder
    service: MemoryService

    def waiting(self) -> int:
        with self.store.read(SCOPE) as snapshot:
            return sum(span.turns for span in snapshot.pending(self.model.model.fingerprint))

    def landed(self) -> int:
        with self.store.read(SCOPE) as snapshot:
            return sum(span.turns for span in snapshot.vector_spans(self.model.model.fingerprint))


def make_rig(
    store: Store, *, in_call_seconds: float = 5.0, model: FakeEmbedder | None = None
) -> Rig:
    model = model or FakeEmbedder()
    fingerprint = model.model.fingerprint
    parts = Parts(
        store=store,
        embeddings=EmbeddingPool(lambda: model, fingerprint=fingerprint, max_batch=4),
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
    )
    config = replace(ServiceConfig(), dense=DenseConfig(in_call_seconds=in_call_seconds))
    service = LenientService(parts, config)
    service.start()
    return Rig(store, model, service)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catchup, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(catchup, "LONGEST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(dense_module, "QUERY_SECONDS", 0.3)


@pytest.fixture
def rig(store: Store) -> Iterator[Rig]:
    made = make_rig(store)
    yield made
    made.model.recover()
    made.service.close()


def test_vectors_are_stored_with_their_turns(rig: Rig) -> None:
    receipt = rig.service.add("t", "m", "s", says("I adopted a kitten", "We bake bread"))
    assert receipt.version == 1
    assert (rig.landed(), rig.waiting()) == (2, 0)
    found = rig.service.retrieve("t", "m", "kittens")
    assert (found.trace.dense, found.trace.vectors, found.trace.passages) == (True, 2, 2)


def test_meaning_finds_what_words_do_not(rig: Rig) -> None:
    rig.service.add("t", "m", "s1", says("photographers"))
    rig.service.add("t", "m", "s2", says("breadmaking"))
    hit = rig.service.retrieve("t", "m", "unphotographable", explain=True).hits[0]
    assert hit.content == "photographers"
    assert hit.shares is not None
    assert hit.shares["lexical"] == 0.0
    assert hit.shares["dense"] > 0.0


def test_a_killed_model_loses_nothing_and_is_caught_up(rig: Rig) -> None:
    rig.model.break_down(Failure.DOWN)
    rig.service.add("t", "m", "s", says("I adopted a kitten", "We bake bread"))
    assert (rig.landed(), rig.waiting()) == (0, 2)
    found = rig.service.retrieve("t", "m", "kitten")
    assert found.hits[0].content == "I adopted a kitten"
    assert not found.trace.dense
    assert not rig.service.statistics().model_is_well
    rig.model.recover()
    assert rig.service.catch_up(PATIENCE)
    assert (rig.landed(), rig.waiting()) == (2, 0)
    assert rig.service.retrieve("t", "m", "kitten").trace.dense
    assert rig.service.statistics().model_is_well


def test_a_model_that_failed_a_search_is_tried_again_without_any_add(rig: Rig) -> None:
    rig.service.add("t", "m", "s", says("I adopted a kitten"))
    assert rig.service.catch_up(PATIENCE)
    rig.model.break_down(Failure.DOWN)
    assert not rig.service.retrieve("t", "m", "kitten").trace.dense
    assert not rig.service.retrieve("t", "m", "another").trace.dense
    assert not rig.service.statistics().model_is_well
    rig.model.recover()
    _until(lambda: rig.service.statistics().model_is_well)
    assert rig.service.retrieve("t", "m", "a third").trace.dense


@pytest.mark.parametrize("failure", [Failure.NAN, Failure.WRONG_DIMENSION, Failure.WRONG_COUNT])
def test_garbage_is_never_stored_and_is_caught_up(rig: Rig, failure: Failure) -> None:
    rig.model.break_down(failure)
    rig.service.add("t", "m", "s", says("I adopted a kitten"))
    assert rig.service.retrieve("t", "m", "kitten").hits[0].content == "I adopted a kitten"
    assert (rig.landed(), rig.waiting()) == (0, 1)
    rig.model.recover()
    assert rig.service.catch_up(PATIENCE)
    assert rig.landed() == 1


def test_a_hanging_model_holds_an_add_up_to_its_time_only_once(store: Store) -> None:
    rig = make_rig(store, in_call_seconds=0.1)
    rig.model.break_down(Failure.HANG)
    for number in range(5):
        rig.service.add("t", "m", "s", says(f"kitten {number}"))
    assert rig.service.retrieve("t", "m", "kitten").hits
    assert rig.waiting() == 5
    rig.model.recover()
    assert rig.service.catch_up(PATIENCE)
    assert rig.landed() == 5
    rig.service.close()


def test_a_slow_model_embeds_what_it_can_and_the_rest_later(store: Store) -> None:
    rig = make_rig(store, in_call_seconds=0.25, model=FakeEmbedder(seconds_per_text=0.02))
    rig.service.add("t", "m", "s", says(*[f"word {n}" for n in range(40)]))
    assert 0 < rig.landed() < 40
    assert rig.landed() + rig.waiting() == 40
    assert rig.service.catch_up(PATIENCE)
    assert (rig.landed(), rig.waiting()) == (40, 0)
    rig.service.close()


def test_catching_up_goes_on_after_a_restart(store: Store) -> None:
    first = make_rig(store)
    first.model.break_down(Failure.DOWN)
    first.service.add("t", "m", "s", says("I adopted a kitten"))
    _close_but_for_the_store(first)
    second = make_rig(store)
    assert second.service.catch_up(PATIENCE)
    assert second.landed() == 1
    _close_but_for_the_store(second)


def test_late_vectors_publish_a_new_version(rig: Rig) -> None:
    rig.model.break_down(Failure.DOWN)
    rig.service.add("t", "m", "s", says("I adopted a kitten"))
    assert rig.service.retrieve("t", "m", "kitten").trace.version == 1
    rig.model.recover()
    assert rig.service.catch_up(PATIENCE)
    trace = rig.service.retrieve("t", "m", "kitten").trace
    assert (trace.version, trace.vectors) == (2, 1)


def test_a_refused_text_keeps_no_other_from_landing(store: Store) -> None:
    rig = make_rig(store, model=FakeEmbedder(poison=("cursed",)))
    rig.service.add("t", "m", "s", says("one fine text", "a cursed text", "another fine text"))
    _until(lambda: rig.landed() == 2)
    assert rig.waiting() == 1
    assert rig.service.retrieve("t", "m", "cursed").hits[0].content == "a cursed text"
    rig.model.poison = ()
    assert rig.service.catch_up(PATIENCE)
    assert (rig.landed(), rig.waiting()) == (3, 0)
    rig.service.close()


def test_what_landed_late_ranks_like_what_landed_in_time() -> None:
    texts = [f"{word} number {n}" for n in range(8) for word in ("kitten", "bread", "river")]
    prompt, late = make_rig(MemoryStore()), make_rig(MemoryStore())
    late.model.break_down(Failure.DOWN)
    for rig in (prompt, late):
        rig.service.add("t", "m", "s", says(*texts), request_id="r")
    late.model.recover()
    assert late.service.catch_up(PATIENCE)
    answers = [
        rig.service.retrieve("t", "m", "kittens and rivers", limit=100, explain=True).hits
        for rig in (prompt, late)
    ]
    assert answers[0] == answers[1]
    for rig in (prompt, late):
        rig.service.close()


def test_same_vectors_and_query_give_the_same_bytes_on_every_store(tmp_path: Path) -> None:
    texts = [f"{word} number {n}" for n in range(30) for word in ("kitten", "bread", "河边")]
    answers = set()
    for kind in STORES:
        for size in (1, 7, 90):  # in batches, and warm or cold
            store = make_store(kind, tmp_path / f"{kind}{size}")
            rig = make_rig(store)
            for at in range(0, 90, size):
                rig.service.add("t", "m", "s", says(*texts[at : at + size]), request_id=f"r{at}")
                rig.service.retrieve("t", "m", "kittens 河")
            found = rig.service.retrieve("t", "m", "kittens 河", limit=90, explain=True)
            shown = [(hit.content, hit.score, dict(hit.shares or {})) for hit in found.hits]
            answers.add(repr(sorted(shown, key=lambda each: (-each[1], each[0]))))
            rig.service.close()
    assert len(answers) == 1


def test_queries_are_remembered(rig: Rig) -> None:
    rig.service.add("t", "m", "s", says("I adopted a kitten"))
    rig.service.retrieve("t", "m", "kitten")
    calls = rig.model.calls
    rig.service.retrieve("t", "m", "kitten")
    assert rig.model.calls == calls
    rig.service.add("t", "other", "s", says("I adopted a kitten"))
    rig.service.retrieve("t", "other", "kitten")
    assert rig.model.calls == calls + 2


def test_a_lone_surrogate_in_a_query_harms_nobody(rig: Rig) -> None:
    rig.service.add("t", "m", "s", says("I adopted a kitten"))
    assert rig.service.retrieve("t", "m", "\ud800 kitten", options=["\udfff x"]).hits
    assert rig.service.statistics().model_is_well
    assert rig.service.retrieve("t", "m", "another").trace.dense


def test_a_model_that_is_only_busy_with_a_long_text_is_not_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense_module, "SILENCE_SECONDS", 0.1)
    rig = make_rig(store, in_call_seconds=0.4, model=FakeEmbedder(seconds_per_text=0.01))
    rig.service.add("t", "m", "s", says("A long story goes on and on. " * 2000))
    assert rig.waiting() == 1
    assert rig.service.statistics().model_is_well
    rig.model.seconds_per_text = 0.0
    assert rig.service.catch_up(PATIENCE)
    rig.service.close()


def test_an_unknown_memory_costs_the_model_nothing(rig: Rig) -> None:
    with pytest.raises(Exception, match="no such memory"):
        rig.service.retrieve("t", "nobody", "kitten")
    assert rig.model.calls == 0


def test_many_adds_and_searches_at_once_lose_nothing(rig: Rig) -> None:
    rig.service.add("t", "m", "s", says("start"))
    stop = threading.Event()

    def search() -> None:
        while not stop.is_set():
            rig.service.retrieve("t", "m", "kitten")

    readers = [threading.Thread(target=search) for _ in range(3)]
    for reader in readers:
        reader.start()
    with ThreadPoolExecutor(8) as pool:
        for number in range(40):
            pool.submit(rig.service.add, "t", "m", f"s{number % 4}", says(f"kitten {number}"))
    stop.set()
    for reader in readers:
        reader.join()
    assert rig.service.catch_up(PATIENCE)
    assert (rig.landed(), rig.waiting()) == (41, 0)


def test_vectors_of_two_models_never_meet(store: Store) -> None:
    first = make_rig(store, model=FakeEmbedder(64))
    first.service.add("t", "m", "s", says("I adopted a kitten"))
    _close_but_for_the_store(first)
    second = make_rig(store, model=FakeEmbedder(32))
    found = second.service.retrieve("t", "m", "kitten")
    assert (found.trace.vectors, len(found.hits)) == (0, 1)
    second.service.add("t", "m", "s", says("We bake bread"), request_id="another")
    assert second.service.retrieve("t", "m", "kitten").trace.vectors == 1
    _close_but_for_the_store(second)


def _close_but_for_the_store(rig: Rig) -> None:
    """End a service's threads as a process that ends does, leaving the store open."""
    keep = rig.store.close
    rig.store.close = lambda: None  # type: ignore[method-assign]
    rig.model.recover() if rig.service.statistics().model_is_well else None
    rig.service.close()
    rig.store.close = keep  # type: ignore[method-assign]


def _until(holds: object) -> None:
    assert callable(holds)
    done = threading.Event()
    for _ in range(int(PATIENCE / 0.02)):
        if holds():
            return
        done.wait(0.02)
    raise AssertionError("it did not come about in time")


def test_reembed_moves_memories_to_the_model_in_force(store: Store) -> None:
    first = make_rig(store, model=FakeEmbedder(64))
    for memory in ("m", "n"):
        first.service.add("t", memory, "s", says("I adopted a kitten", "We bake bread"))
    _close_but_for_the_store(first)
    second = make_rig(store, model=FakeEmbedder(32))
    seen: list[tuple[int, int, int]] = []
    report = second.service.reembed(
        progress=lambda at: seen.append((at.memories_done, at.memories, at.turns_done))
    )
    assert (report.memories, report.turns, report.refused) == (2, 4, 0)
    assert seen[-1] == (2, 2, 4)
    assert (second.landed(), first.landed()) == (2, 0)
    assert second.service.retrieve("t", "n", "kitten").trace.vectors == 2
    assert second.service.reembed().turns == 0
    _close_but_for_the_store(second)


def test_an_interrupted_reembed_is_continued(store: Store) -> None:
    first = make_rig(store, model=FakeEmbedder(64))
    for number in range(3):
        first.service.add("t", f"m{number}", "s", says("I adopted a kitten"), request_id="r")
    _close_but_for_the_store(first)
    second = make_rig(store, model=FakeEmbedder(32))

    def stop(at: RebuildProgress) -> None:
        if at.turns_done == 2:
            second.model.break_down(Failure.DOWN)

    with pytest.raises(EmbeddingError):
        second.service.reembed(progress=stop)
    second.model.recover()
    assert second.service.catch_up(PATIENCE)
    second.service.reembed()
    statuses = second.service.list_memories("t").memories
    assert [(status.embedded_turns, status.waiting_turns) for status in statuses] == [(1, 0)] * 3
    _close_but_for_the_store(second)


def test_of_long_turns_what_was_embedded_stays_when_the_model_goes_out(store: Store) -> None:
    first = make_rig(store, model=FakeEmbedder(64))
    first.service.add("t", "m", "s", says(*["kitten " * 4_500] * 5), request_id="r")
    _close_but_for_the_store(first)
    second = make_rig(store, model=FakeEmbedder(32))
    told: list[int] = []

    def stop(at: RebuildProgress) -> None:
        told.append(at.turns_done)
        if at.turns_done == 2:
            second.model.break_down(Failure.DOWN)

    with pytest.raises(EmbeddingError):
        second.service.reembed(progress=stop)
    assert (told[0], second.landed(), second.waiting()) == (2, 2, 3)
    second.model.recover()
    assert second.service.catch_up(PATIENCE)
    assert second.landed() == 5
    _close_but_for_the_store(second)


def test_without_a_model_there_is_nothing_to_reembed(store: Store) -> None:
    with pytest.raises(ConfigError, match="embedding_model"):
        make_service(store).reembed()


def test_a_model_that_changes_its_dimension_is_refused(store: Store) -> None:
    first = make_rig(store, model=FakeEmbedder(64))
    first.service.add("t", "m", "s", says("I adopted a kitten"), request_id="r1")
    _close_but_for_the_store(first)
    second = make_rig(store, model=_Impostor(32))
    second.service.add("t", "m", "s", says("We bake bread"), request_id="r2")
    assert second.service.retrieve("t", "m", "bread").hits[0].content == "We bake bread"
    assert (second.landed(), second.waiting()) == (1, 1)
    _close_but_for_the_store(second)


class _Impostor(FakeEmbedder):
    """Claims to be the model of 64 components."""

    @property
    @override
    def model(self) -> EmbeddingModel:
        return EmbeddingModel(name="fake", dimension=32, fingerprint="fake:1:64")


def test_a_deletion_takes_late_turns_off_the_list(store: Store) -> None:
    rig = make_rig(store, in_call_seconds=0.0)
    rig.model.break_down(Failure.DOWN)
    ids = rig.service.add("t", "m", "s", says(*[f"choir {n}" for n in range(9)])).turn_ids
    assert rig.waiting() == 9
    rig.service.delete_messages("t", "m", [ids[0], ids[4], ids[5], ids[8]])
    assert rig.waiting() == 5
    rig.model.recover()
    assert rig.service.catch_up(PATIENCE)
    assert (rig.waiting(), rig.landed()) == (0, 5)
    rig.service.delete_session("t", "m", "s")
    assert (rig.waiting(), rig.landed()) == (0, 0)


def test_vectors_that_no_longer_fit_their_turns_are_made_anew(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = make_rig(store)
    ids = rig.service.add("t", "m", "s", says("choir", "garden", "river")).turn_ids
    monkeypatch.setattr(rewriting, "passage_texts", lambda _: ["one", "two"])
    rig.service.delete_messages("t", "m", ids[1:2])
    assert (rig.waiting(), rig.landed()) == (2, 0)


def test_reembedding_passes_over_what_was_deleted(store: Store) -> None:
    rig = make_rig(store)
    ids = rig.service.add("t", "m", "s", says(*[f"choir {n}" for n in range(9)])).turn_ids
    rig.service.delete_messages("t", "m", [ids[2], ids[8]])
    newer = make_rig(store, model=FakeEmbedder(32))
    report = newer.service.reembed()
    assert (report.turns, report.refused) == (7, 0)
    assert newer.landed() == 7
