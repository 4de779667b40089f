"""The product's policy: a memory is read whole or not at all, and nothing that was stored is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import NoReturn

import pytest

from graphmem.domain.receipt import AddReceipt
from graphmem.errors import (
    BuildFailedError,
    EmbeddingError,
    MemoryPendingError,
    RequestConflictError,
    StoreError,
)
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.service import builder as builder_module, catchup, dense
from graphmem.service.dense import Dense
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH
from tests.service.conftest import lent_store, make_service, says
from tests.service.rig import PATIENCE, StrictRig, strict_rig, until

KITTEN = says("I adopted a kitten", "We bake bread")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with lent_store(request.param, request) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catchup, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(catchup, "LONGEST_PAUSE_SECONDS", 0.05)


@pytest.fixture
def rig(store: Store) -> Iterator[StrictRig]:
    with strict_rig(store) as made:
        yield made


def add(service: MemoryService, request_id: str = "r") -> AddReceipt:
    return service.add("t", "m", "s", KITTEN, request_id=request_id)


def find(service: MemoryService, query: str = "kitten") -> list[str]:
    return [hit.content for hit in service.retrieve("t", "m", query).hits]


def assert_pending(rig: StrictRig, *, turns: int = 2) -> None:
    status = rig.service.status("t", "m")
    assert (status.state, status.turns, status.waiting_turns) == ("pending", turns, turns)
    assert (status.version, status.ready_version) == (1, 0)
    with pytest.raises(MemoryPendingError) as caught:
        find(rig.service)
    assert not caught.value.needs_rebuild
    assert rig.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH).hits == ()


def assert_complete(rig: StrictRig) -> None:
    status = rig.service.status("t", "m")
    assert (status.state, status.turns, status.embedded_turns) == ("ready", 2, 2)
    assert (status.version, status.ready_version) == (1, 1)
    found = rig.service.retrieve("t", "m", "kitten")
    assert found.hits[0].content == "I adopted a kitten"
    assert (found.trace.version, found.trace.vectors) == (1, 2)


def test_an_add_is_answered_when_its_memory_is_whole(rig: StrictRig) -> None:
    receipt = add(rig.service)
    assert (receipt.version, receipt.ready_version, receipt.state) == (1, 1, "ready")
    assert_complete(rig)


@pytest.mark.parametrize("failure", [Failure.DOWN, Failure.HANG, Failure.NAN])
def test_a_failed_model_leaves_the_turns_and_a_pending_memory(
    rig: StrictRig, failure: Failure
) -> None:
    rig.model.break_down(failure)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    assert_pending(rig)


def test_the_same_request_completes_it(rig: StrictRig) -> None:
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    rig.model.recover()
    receipt = add(rig.service)
    assert (receipt.replayed, receipt.state) == (True, "ready")
    assert (receipt.version, receipt.ready_version) == (1, 1)
    assert_complete(rig)
    assert add(rig.service) == receipt


def test_a_rebuild_completes_it(rig: StrictRig) -> None:
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    with pytest.raises(EmbeddingError):
        rig.service.rebuild("t", "m")
    rig.model.recover()
    report = rig.service.rebuild("t", "m")
    assert (report.turns, report.refused) == (2, 0)
    assert_complete(rig)


def test_the_background_completes_it(store: Store) -> None:
    with strict_rig(store, background=True) as rig:
        rig.model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            add(rig.service)
        assert_pending(rig)
        rig.model.recover()
        assert rig.service.catch_up(PATIENCE)
        assert_complete(rig)


def test_a_restart_keeps_it_pending_and_the_same_request_completes_it(store: Store) -> None:
    with strict_rig(store) as first:
        first.model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            add(first.service)
    with strict_rig(store) as second:
        assert_pending(second)
        assert add(second.service).replayed
        assert_complete(second)


def test_a_restart_completes_it_in_the_background(store: Store) -> None:
    with strict_rig(store) as first:
        first.model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            add(first.service)
    with strict_rig(store, background=True) as second:
        assert second.service.catch_up(PATIENCE)
        assert_complete(second)


def test_a_call_that_is_killed_while_it_waits_for_the_model_has_stored_its_turns(
    rig: StrictRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Dense, "embed_in_full", killed)
        with pytest.raises(KeyboardInterrupt):
            add(rig.service)
    assert_pending(rig)
    assert add(rig.service).replayed
    assert_complete(rig)


def test_a_failure_to_publish_leaves_it_pending(
    rig: StrictRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> NoReturn:
        raise StoreError("the disk went away")

    with monkeypatch.context() as patch:
        patch.setattr(builder_module, "publish", fail)
        with pytest.raises(BuildFailedError):
            add(rig.service)
    assert_pending(rig)
    assert add(rig.service).replayed
    assert_complete(rig)


def test_another_payload_is_refused_while_it_is_pending_too(rig: StrictRig) -> None:
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    calls = rig.model.calls
    with pytest.raises(RequestConflictError):
        rig.service.add("t", "m", "s", says("another"), request_id="r")
    assert rig.model.calls == calls
    assert_pending(rig)


def test_a_replay_of_a_complete_request_needs_no_model(rig: StrictRig) -> None:
    first = add(rig.service)
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        rig.service.add("t", "m", "s", says("more"), request_id="r2")
    again = add(rig.service)
    assert (again.replayed, again.version, again.turn_ids) == (True, 1, first.turn_ids)
    assert again.state == "ready"


def test_the_next_add_completes_what_an_earlier_one_left(rig: StrictRig) -> None:
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    rig.model.recover()
    receipt = rig.service.add("t", "m", "s", says("The river rose"), request_id="r2")
    assert (receipt.version, receipt.ready_version, receipt.state) == (2, 2, "ready")
    assert rig.landed() == 3
    assert find(rig.service, "river")[0] == "The river rose"


def test_versions_are_published_in_order_up_to_the_first_that_waits(store: Store) -> None:
    with strict_rig(store, model=FakeEmbedder(poison=("cursed",))) as rig:
        rig.service.add("t", "m", "s", says("kitten one"), request_id="r1")
        for number, text in enumerate(["kitten two", "cursed kitten", "kitten four"], start=2):
            with pytest.raises(BuildFailedError):
                rig.service.add(
                    "t", "m", "s", says(text, f"cursed {text}"), request_id=f"r{number}"
                )
        assert (rig.head().version, rig.head().ready_version) == (4, 1)
        rig.model.poison = ("four",)
        again = says("kitten two", "cursed kitten two")
        assert rig.service.add("t", "m", "s", again, request_id="r2").state == "ready"
        assert (rig.head().version, rig.head().ready_version) == (4, 3)
        found = rig.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH)
        assert {hit.content for hit in found.hits} >= {"kitten one", "kitten two", "cursed kitten"}
        assert "kitten four" not in {hit.content for hit in found.hits}
        assert (found.trace.version, found.trace.vectors) == (3, 5)


def test_add_search_publishes_what_a_product_add_left(rig: StrictRig) -> None:
    rig.model.break_down(Failure.DOWN)
    with pytest.raises(BuildFailedError):
        add(rig.service)
    rig.service.add("t", "m", "s", says("The river rose"), request_id="q", policy=ADD_SEARCH)
    found = rig.service.retrieve("t", "m", "kitten river", policy=ADD_SEARCH)
    assert {hit.content for hit in found.hits} >= {"I adopted a kitten", "The river rose"}
    with pytest.raises(MemoryPendingError):
        find(rig.service)
    rig.model.recover()
    assert add(rig.service).state == "ready"
    assert rig.landed() == 3
    assert find(rig.service)[0] == "I adopted a kitten"


def test_it_waits_for_all_vectors_while_the_model_makes_progress(store: Store) -> None:
    slow = FakeEmbedder(seconds_per_text=0.02)
    with strict_rig(store, model=slow, silence_seconds=1.0) as rig:
        texts = [f"word {number}" for number in range(40)]
        receipt = rig.service.add("t", "m", "s", says(*texts))
        assert (receipt.state, rig.landed()) == ("ready", 40)


def test_it_waits_no_longer_than_model_timeout_seconds_and_keeps_what_came(store: Store) -> None:
    slow = FakeEmbedder(seconds_per_text=0.02)
    with strict_rig(store, model=slow, silence_seconds=5.0, model_timeout_seconds=0.3) as rig:
        with pytest.raises(BuildFailedError, match="needs more time"):
            rig.service.add("t", "m", "s", says(*[f"word {n}" for n in range(60)]))
        assert 0 < rig.landed() < 60
        assert rig.service.statistics().model_is_well


def test_a_model_in_this_process_is_waited_for_however_busy_it_is(store: Store) -> None:
    slow = FakeEmbedder(seconds_per_text=0.02)
    with strict_rig(store, model=slow, model_timeout_seconds=0.3, is_local=True) as rig:
        texts = [f"word {number}" for number in range(60)]
        assert rig.service.add("t", "m", "s", says(*texts)).state == "ready"
        assert rig.landed() == 60


def test_adds_to_one_memory_wait_for_each_other_however_long_a_model_in_this_process_takes(
    store: Store,
) -> None:
    slow = FakeEmbedder(seconds_per_text=0.02)
    with (
        strict_rig(store, model=slow, model_timeout_seconds=0.1, is_local=True) as rig,
        ThreadPoolExecutor(3) as pool,
    ):
        said = [says(*[f"word {n} {k}" for k in range(20)]) for n in range(3)]
        adding = [pool.submit(rig.service.add, "t", "m", "s", each) for each in said]
        assert {one.result(PATIENCE).state for one in adding} == {"ready"}


def test_a_busy_model_in_this_process_is_not_taken_for_one_that_is_out(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "QUERY_SECONDS", 0.2)
    with strict_rig(store, is_local=True) as rig:
        add(rig.service)
        rig.model.break_down(Failure.HANG)
        before = rig.model.calls
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(rig.service.add, "t", "m2", "s", says("A kitten"))
            until(lambda: rig.model.calls > before)
            assert rig.service.retrieve("t", "m", "kitten").hits  # by its words
            assert lexical_only(rig) == 1
            assert rig.service.statistics().model_is_well
            rig.model.recover()
            assert adding.result(PATIENCE).state == "ready"
        rig.service.retrieve("t", "m", "kitten")
        assert lexical_only(rig) == 1


def lexical_only(rig: StrictRig) -> int:
    statistics = rig.service.statistics().dense
    assert statistics is not None
    return statistics.counts.lexical_only_queries


def test_queries_go_before_a_large_add(store: Store) -> None:
    slow = FakeEmbedder(seconds_per_text=0.01)
    with strict_rig(store, model=slow, is_local=True) as rig, ThreadPoolExecutor(1) as pool:
        rig.service.add("t", "m", "s", says("I adopted a kitten"))
        before = slow.texts
        adding = pool.submit(rig.service.add, "t", "m2", "s", says(*[f"n {n}" for n in range(250)]))
        until(lambda: slow.texts > before)
        for number in range(3):
            assert rig.service.retrieve("t", "m", f"a kitten {number}").hits
            assert not adding.done()
        assert lexical_only(rig) == 0
        assert adding.result(PATIENCE).state == "ready"


def test_a_silent_model_is_given_up(rig: StrictRig) -> None:
    rig.model.break_down(Failure.HANG)
    with pytest.raises(BuildFailedError, match="does not answer"):
        add(rig.service)
    assert not rig.service.statistics().model_is_well


def test_a_refused_text_keeps_its_memory_pending(store: Store) -> None:
    with strict_rig(store, model=FakeEmbedder(poison=("cursed",))) as rig:
        with pytest.raises(BuildFailedError, match="refused"):
            rig.service.add("t", "m", "s", says("fine", "cursed"), request_id="r")
        assert rig.landed() == 1
        rig.model.poison = ()
        receipt = rig.service.add("t", "m", "s", says("fine", "cursed"), request_id="r")
        assert (receipt.replayed, receipt.state, rig.landed()) == (True, "ready", 2)


def test_while_a_build_is_under_way_the_last_version_is_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dense, "SILENCE_SECONDS", 0.2)  # what each query waits for the model
    with strict_rig(store, silence_seconds=PATIENCE) as rig:
        add(rig.service)
        rig.model.break_down(Failure.HANG)
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(rig.service.add, "t", "m", "s", says("A kitten again"))
            until(lambda: rig.head().version == 2)
            assert find(rig.service, "kitten") == find(rig.service, "kitten")
            assert "A kitten again" not in find(rig.service)
            rig.model.recover()
            assert adding.result().ready_version == 2
        assert "A kitten again" in find(rig.service)


def test_a_new_memory_is_not_read_before_its_first_version_is_whole(store: Store) -> None:
    with strict_rig(store, silence_seconds=PATIENCE) as rig:
        rig.model.break_down(Failure.HANG)
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(add, rig.service)
            until(lambda: bool(rig.service.list_memories("t").memories))
            with pytest.raises(MemoryPendingError):
                find(rig.service)
            rig.model.recover()
            assert adding.result().state == "ready"


def test_without_a_model_an_add_is_one_transaction(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = _count_writes(store, monkeypatch)
    receipt = make_service(store).add("t", "m", "s", KITTEN)
    assert (len(writes), receipt.state, receipt.ready_version) == (1, "ready", 1)


def test_with_a_model_there_is_one_before_it_and_one_that_publishes(
    rig: StrictRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = _count_writes(rig.store, monkeypatch)
    add(rig.service)
    heads = [changed for changed in writes if changed]
    assert len(heads) == 2


def _count_writes(store: Store, monkeypatch: pytest.MonkeyPatch) -> Sequence[bool]:
    """Tells of each write transaction whether it changed the memory."""
    writes: list[bool] = []
    plain = store.write

    @contextmanager
    def counted(scope: object) -> Iterator[object]:
        with plain(scope) as tx:  # type: ignore[arg-type]
            before = tx.head()
            yield tx
            writes.append(tx.head() != before)

    monkeypatch.setattr(store, "write", counted)
    return writes


def test_without_its_model_the_raw_turns_are_published(store: Store) -> None:
    with strict_rig(store) as rig:
        rig.model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            add(rig.service)
    plain = make_service(store)
    plain.start()
    assert plain.catch_up(PATIENCE)
    assert find(plain)[0] == "I adopted a kitten"
    plain._background.close()
    with strict_rig(store) as back:
        assert add(back.service).state == "ready"
        assert back.landed() == 2


def test_one_request_from_many_threads_is_stored_once_and_all_are_answered(rig: StrictRig) -> None:
    with ThreadPoolExecutor(8) as pool:
        receipts = list(pool.map(lambda _: add(rig.service), range(16)))
    assert {receipt.turn_ids for receipt in receipts} == {receipts[0].turn_ids}
    assert {receipt.state for receipt in receipts} == {"ready"}
    assert sum(not receipt.replayed for receipt in receipts) == 1
    assert_complete(rig)


def test_adds_and_reads_of_a_memory_side_by_side_meet_no_error(store: Store) -> None:
    model = FakeEmbedder(seconds_per_text=0.001)
    with strict_rig(store, model=model, background=True, silence_seconds=5.0) as rig:
        add(rig.service)
        stop = threading.Event()
        found: list[int] = []

        def read() -> None:
            while not stop.is_set():
                found.append(rig.service.retrieve("t", "m", "kitten").trace.version)

        with ThreadPoolExecutor(8) as pool:
            readers = [pool.submit(read)]
            adders = [
                pool.submit(rig.service.add, "t", "m", f"s{n % 3}", says(f"kitten {n}"))
                for n in range(30)
            ]
            wait(adders)
            stop.set()
            receipts = [adder.result() for adder in adders]
            for reader in readers:
                reader.result()
        assert {receipt.state for receipt in receipts} == {"ready"}
        hits = rig.service.retrieve("t", "m", "kitten", limit=100).hits
        assert {hit.content for hit in hits} >= {f"kitten {number}" for number in range(30)}
        assert rig.landed() == 32
        assert found == sorted(found)


def test_the_version_that_an_add_is_answered_with_is_the_one_that_is_read(rig: StrictRig) -> None:
    for number in range(5):
        receipt = rig.service.add("t", "m", "s", says(f"kitten {number}"))
        assert receipt.version == receipt.ready_version == number + 1
        trace = rig.service.retrieve("t", "m", "kitten").trace
        assert (trace.version, trace.vectors) == (number + 1, number + 1)


def test_what_is_not_published_is_in_no_view(rig: StrictRig) -> None:
    add(rig.service)
    warm = rig.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH)
    rig.model.poison = ("cursed",)
    with pytest.raises(BuildFailedError):
        rig.service.add("t", "m", "s", says("kitten two", "cursed kitten"), request_id="r2")
    assert rig.landed() == 3
    again = rig.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH)
    assert again == warm
    with strict_rig(rig.store) as cold:
        found = cold.service.retrieve("t", "m", "kitten", policy=ADD_SEARCH)
        assert (found.hits, replace(found.trace)) == (warm.hits, warm.trace)
