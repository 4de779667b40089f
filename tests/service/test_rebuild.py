"""Another build marks memories, and a rebuild gives what a fresh build gives."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.domain.hit import Hit
from graphmem.domain.scope import Scope
from graphmem.errors import (
    MemoryNotFoundError,
    MemoryPendingError,
    StoreFormatError,
    StoreUnavailableError,
)
from graphmem.index.codec import encode
from graphmem.index.merge import SEALED_TURNS
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.service.build import Build
from graphmem.service.builder import Builder
from graphmem.service.indexing import segment_of
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH
from graphmem.service.rebuild import RebuildProgress
from graphmem.stores.memory.store import MemoryStore
from tests.service.conftest import make_service, says
from tests.service.rig import PATIENCE, SCOPE, strict_rig

QUERIES = ["kitten", "river bread", "Ann said", "猫 火车"]
words = st.sampled_from(["kitten", "river", "bread", "Ann: kitten 7 May", "猫在火车上", "x " * 300])
batches = st.lists(
    st.tuples(st.sampled_from(["s1", "s2", "s3"]), st.lists(words, min_size=1, max_size=5)),
    min_size=1,
    max_size=12,
)


def answers(service: MemoryService, memory_id: str = "m") -> list[tuple[Hit, ...]]:
    return [
        service.retrieve("t", memory_id, query, limit=100, explain=True).hits for query in QUERIES
    ]


def make_old(store: Store, scope: Scope = SCOPE, index: str = "0") -> None:
    """Make a memory look as if an earlier release had built it, and built it otherwise."""
    with store.write(scope) as tx:
        head = tx.head()
        assert head is not None
        (first, *_) = tx.segment_spans()
        wrong = replace(tx.segment(first.first_turn), data=_segment_of_other_text(tx, first.turns))
        tx.delete_segments([first.first_turn])
        tx.put_segment(wrong)
        tx.set_head(replace(head, build=Build(index=index).to_text()))


def _segment_of_other_text(tx: object, turns: int) -> bytes:
    held = tx.turns(range(turns))  # type: ignore[attr-defined]
    return encode(segment_of([replace(turn, content="zebra") for turn in held]))


@pytest.fixture
def old(store: Store) -> Store:
    """A store with a memory whose index is of another version."""
    make_service(store).add("t", "m", "s", says("I adopted a kitten", "We bake bread"))
    make_old(store)
    return store


def test_an_index_of_another_version_is_not_read_by_the_product(old: Store) -> None:
    service = make_service(old)
    with pytest.raises(MemoryPendingError) as caught:
        service.retrieve("t", "m", "kitten")
    assert not caught.value.needs_rebuild
    assert service.status("t", "m").state == "pending"
    assert service.retrieve("t", "m", "zebra", policy=ADD_SEARCH).hits


def test_the_background_makes_it_anew(old: Store) -> None:
    service = make_service(old)
    service.start()
    assert service.catch_up(PATIENCE)
    assert service.retrieve("t", "m", "kitten").hits[0].content == "I adopted a kitten"
    assert service.retrieve("t", "m", "zebra").hits == ()
    assert service.status("t", "m").state == "ready"


def test_the_background_comes_back_to_a_memory_that_a_replay_had_in_use(store: Store) -> None:
    said = says("I adopted a kitten")
    make_service(store).add("t", "m", "s", said, request_id="r")
    make_old(store)
    service = make_service(store)
    with service._builder.locks.use(SCOPE):
        service.start()
        assert service.catch_up(PATIENCE)
    assert service.add("t", "m", "s", said, request_id="r").replayed
    assert service.catch_up(PATIENCE)
    assert service.status("t", "m").state == "ready"
    service.close()


def test_the_background_comes_back_to_a_memory_that_a_failed_rebuild_had_in_use(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_service(store).add("t", "m", "s", says("I adopted a kitten"))
    make_old(store)
    service = make_service(store)

    def fail(*_: object, **__: object) -> None:
        service.start()
        assert service.catch_up(PATIENCE)
        raise StoreUnavailableError("the disk")

    with monkeypatch.context() as patched:
        patched.setattr(service._builder, "make_index", fail)
        with pytest.raises(StoreUnavailableError):
            service.rebuild("t", "m")
    assert service.catch_up(PATIENCE)
    assert service.status("t", "m").state == "ready"
    service.close()


def test_a_view_that_was_compiled_of_the_former_index_is_given_up(old: Store) -> None:
    service = make_service(old)
    before = service.retrieve("t", "m", "zebra", policy=ADD_SEARCH)
    assert service.rebuild("t", "m").reindexed == 1
    after = service.retrieve("t", "m", "zebra", policy=ADD_SEARCH)
    assert (len(before.hits), len(after.hits)) == (2, 0)
    assert after.trace.version == before.trace.version + 1


def test_rebuild_all_makes_only_what_is_old(old: Store) -> None:
    service = make_service(old)
    service.add("t", "new", "s", says("kitten"))
    seen: list[tuple[int, int]] = []

    def tell(now: RebuildProgress) -> None:
        seen.append((now.memories_done, now.memories))

    report = service.rebuild_all(progress=tell)
    assert (report.memories, report.reindexed) == (2, 1)
    assert seen[-1] == (2, 2)
    assert service.rebuild_all().reindexed == 0


def test_one_damaged_memory_keeps_no_other_from_being_made_anew(
    old: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_service(old).add("t", "a", "s", says("kitten"))
    damaged = Scope(tenant_id="t", memory_id="a")
    make_old(old, damaged)
    plain = Builder.tidy

    def tidy(self: Builder, scope: Scope) -> None:
        if scope == damaged:
            raise StoreFormatError("damaged")
        plain(self, scope)

    monkeypatch.setattr(Builder, "tidy", tidy)
    service = make_service(old)
    service.start()
    done = threading.Event()
    for _ in range(1000):
        if service.status("t", "m").state == "ready":
            break
        done.wait(0.01)
    assert service.status("t", "m").state == "ready"
    assert service.status("t", "a").state == "pending"
    service._background.close()


def test_another_model_asks_for_a_rebuild(store: Store) -> None:
    with strict_rig(store, model=FakeEmbedder(64)) as first:
        first.service.add("t", "m", "s", says("I adopted a kitten", "We bake bread"))
    with strict_rig(store, model=FakeEmbedder(32), background=True) as second:
        assert second.service.catch_up(PATIENCE)
        with pytest.raises(MemoryPendingError, match="graphmem rebuild") as caught:
            second.service.retrieve("t", "m", "kitten")
        assert caught.value.needs_rebuild
        status = second.service.status("t", "m")
        assert (status.needs_rebuild, status.embedded_turns) == (True, 0)
        found = second.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH)
        assert found.hits[0].content == "I adopted a kitten"
        assert second.service.rebuild("t", "m").turns == 2
        assert not second.service.status("t", "m").needs_rebuild
        assert second.service.retrieve("t", "m", "kitten").trace.vectors == 2
        assert first.landed() == 0


def test_query_settings_and_the_loss_of_the_model_ask_for_nothing(store: Store) -> None:
    with strict_rig(store) as rig:
        rig.service.add("t", "m", "s", says("I adopted a kitten"))
    without = make_service(store)
    assert without.retrieve("t", "m", "kitten").hits
    with strict_rig(store) as back:
        assert back.service.retrieve("t", "m", "kitten").trace.vectors == 1


def test_turns_that_were_added_without_the_model_ask_for_a_rebuild(store: Store) -> None:
    with strict_rig(store) as rig:
        rig.service.add("t", "m", "s", says("I adopted a kitten"))
    make_service(store).add("t", "m", "s", says("We bake bread"), request_id="plain")
    with strict_rig(store) as back:
        with pytest.raises(MemoryPendingError):
            back.service.retrieve("t", "m", "kitten")
        assert back.service.rebuild_all().turns == 1
        assert back.service.retrieve("t", "m", "kitten").trace.vectors == 2


def test_turns_of_two_models_are_whole_by_neither(store: Store) -> None:
    with strict_rig(store, model=FakeEmbedder(64)) as first:
        first.service.add("t", "m", "s", says("I adopted a kitten"))
    with strict_rig(store, model=FakeEmbedder(32)) as second:
        more = says("We bake bread")
        second.service.add("t", "m", "s", more, request_id="q", policy=ADD_SEARCH)
    with strict_rig(store, model=FakeEmbedder(64)) as third:
        with pytest.raises(MemoryPendingError):
            third.service.retrieve("t", "m", "kitten")
        assert third.service.rebuild("t", "m").turns == 1


def test_an_add_to_a_memory_of_another_model_brings_it_up(store: Store) -> None:
    with strict_rig(store, model=FakeEmbedder(64)) as first:
        first.service.add("t", "m", "s", says("I adopted a kitten"))
    with strict_rig(store, model=FakeEmbedder(32)) as second:
        receipt = second.service.add("t", "m", "s", says("We bake bread"), request_id="q")
        assert (receipt.state, second.landed()) == ("ready", 2)


def test_a_rebuild_of_an_unknown_memory_is_an_error(store: Store) -> None:
    with pytest.raises(MemoryNotFoundError):
        make_service(store).rebuild("t", "nobody")


def _fill(service: MemoryService, said: list[tuple[str, list[str]]]) -> None:
    for number, (session, texts) in enumerate(said):
        service.add("t", "m", session, says(*texts), request_id=f"r{number}")


@settings(max_examples=60, deadline=None)
@given(batches)
def test_a_rebuilt_memory_answers_as_a_fresh_one(said: list[tuple[str, list[str]]]) -> None:
    fresh, rebuilt = make_service(MemoryStore()), make_service(MemoryStore())
    _fill(fresh, said)
    _fill(rebuilt, said)
    make_old(rebuilt._parts.store)
    assert rebuilt.rebuild("t", "m").reindexed == 1
    assert answers(rebuilt) == answers(fresh)
    cold = make_service(rebuilt._parts.store)
    assert answers(cold) == answers(fresh)


@settings(max_examples=20, deadline=None)
@given(batches, st.integers(0, 11))
def test_with_a_model_too_and_in_the_middle_of_its_growth(
    said: list[tuple[str, list[str]]], middle: int
) -> None:
    with strict_rig(MemoryStore()) as fresh, strict_rig(MemoryStore()) as rebuilt:
        _fill(fresh.service, said)
        _fill(rebuilt.service, said[:middle])
        if said[:middle]:
            make_old(rebuilt.store)
            rebuilt.service.rebuild("t", "m")
        _fill(rebuilt.service, said)
        assert answers(rebuilt.service) == answers(fresh.service)


@settings(max_examples=30, deadline=None)
@given(batches)
def test_a_rebuild_of_the_same_turns_gives_the_same_bytes(
    said: list[tuple[str, list[str]]],
) -> None:
    service = make_service(MemoryStore())
    _fill(service, said)
    seen = []
    for _ in range(2):
        service.rebuild("t", "m")
        with service._parts.store.read(SCOPE) as snapshot:
            seen.append([replace(row, version=0) for row in snapshot.segments(since=0)])
    assert seen[0] == seen[1]


def test_a_long_memory_is_made_anew_in_pieces(store: Store) -> None:
    service = make_service(store)
    count = SEALED_TURNS + 100
    service.add("t", "m", "s", says(*[f"word{n}" for n in range(count)]), policy=ADD_SEARCH)
    service.rebuild("t", "m")
    with store.write(SCOPE) as tx:
        assert [span.turns for span in tx.segment_spans()] == [SEALED_TURNS, 100]
    assert service.retrieve("t", "m", f"word{count - 1}").hits[0].content == f"word{count - 1}"


def test_adds_beside_a_rebuild_are_not_lost(store: Store) -> None:
    service = make_service(store)
    service.add("t", "m", "s", says(*[f"kitten {n}" for n in range(200)]), policy=ADD_SEARCH)
    stop = threading.Event()

    def rebuild() -> None:
        while not stop.is_set():
            service.rebuild("t", "m")

    worker = threading.Thread(target=rebuild)
    worker.start()
    for number in range(200, 260):
        service.add("t", "m", "s", says(f"kitten {number}"), request_id=f"q{number}")
        assert len(service.retrieve("t", "m", "kitten", limit=300).hits) == number + 1
    stop.set()
    worker.join()
    assert len(service.retrieve("t", "m", "kitten", limit=300).hits) == 260
