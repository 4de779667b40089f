"""Deletions come to their end in the background: no byte of a deleted text is left, then it is said."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typing_extensions import override

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.errors import StoreFullError, StoreUnavailableError
from graphmem.providers.embedding import cached
from graphmem.service import erasing
from graphmem.service.erasing import Erasing
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.sqlite import erase as sqlite_erase
from tests.service.conftest import StillClock, says
from tests.service.test_forgetting import dense_service
from tests.stores.test_erasure import left_in, pinned

SECRETS = ("SecretOfTheChoir is zanzibarquux", "合唱团的秘密是什么")
WAIT = 20.0


@pytest.fixture(autouse=True)
def _at_leisure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is erased unless a test asks for it."""
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 600.0)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[MemoryService]:
    config = replace(ServiceConfig(), dense_retrieval=False, data_dir=tmp_path)
    with MemoryService.open(config=config) as opened:
        yield opened


def put(service: MemoryService) -> tuple[str, ...]:
    service.add("t", "m", "s", says("this one stays"))
    ids: tuple[str, ...] = ()
    for number in range(30):
        ids += service.add("t", "m", "s", says(*SECRETS, f"{SECRETS[0]} {number}")).turn_ids
    return ids


DELETIONS: dict[str, Callable[[MemoryService, Sequence[str]], object]] = {
    "turns": lambda service, ids: service.delete_messages("t", "m", ids),
    "session": lambda service, _: service.delete_session("t", "m", "s"),
    "memory": lambda service, _: service.delete_memory("t", "m"),
    "tenant": lambda service, _: service.delete_tenant("t"),
}


@pytest.mark.parametrize("how", DELETIONS)
def test_no_byte_of_the_text_is_left(service: MemoryService, tmp_path: Path, how: str) -> None:
    ids = put(service)
    service.retrieve("t", "m", "zanzibarquux 秘密")
    DELETIONS[how](service, ids)
    assert [receipt.erased_at for receipt in service.erasures("t", "m")] == [None]
    assert left_in(tmp_path)
    assert service.erase(WAIT)
    assert left_in(tmp_path) == []
    # The index keeps words on their own: stemmed, folded, and Chinese ones in pairs.
    words = [form.encode() for form in ("zanzibarquux", "secretofthechoir", "秘密", "合唱")]
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    assert not [word for word in words if any(word in data for data in files)]
    assert all(receipt.erased_at for receipt in service.erasures("t", "m"))


def test_it_comes_by_itself(
    service: MemoryService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 0.1)
    ids = put(service)
    assert service.erase(WAIT)
    service.delete_messages("t", "m", ids)
    assert _becomes(lambda: service.erasures("t", "m")[0].erased_at is not None)
    assert left_in(tmp_path) == []


def _becomes(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + WAIT
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def test_it_waits_for_a_reader_and_goes_on_by_itself(
    service: MemoryService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_erase, "_READERS_SECONDS", 0.05)
    monkeypatch.setattr(erasing, "FIRST_PAUSE_SECONDS", 0.05)
    ids = put(service)
    with pinned(tmp_path):
        service.delete_messages("t", "m", ids)
        assert not service.erase(0.5)
        assert service.erasures("t", "m")[0].erased_at is None
        service.add("t", "m", "s", says("others go on"))
    assert _becomes(lambda: service.erasures("t", "m")[0].erased_at is not None)
    assert left_in(tmp_path) == []


def test_closing_does_not_wait_for_a_reader(tmp_path: Path) -> None:
    config = replace(ServiceConfig(), dense_retrieval=False, data_dir=tmp_path)
    service = MemoryService.open(config=config)
    service.delete_messages("t", "m", put(service))
    with pinned(tmp_path):
        assert not service.erase(0.3)
        assert service.statistics().waiting_erasures == 1
        began = time.monotonic()
        service.close()
        assert time.monotonic() - began < 10.0  # and not half a minute
    with MemoryService.open(config=config) as again:
        assert again.erase(WAIT)
        assert again.statistics().waiting_erasures == 0
        assert left_in(tmp_path) == []


def test_what_a_process_left_is_erased_by_the_next(tmp_path: Path) -> None:
    config = replace(ServiceConfig(), dense_retrieval=False, data_dir=tmp_path)
    with MemoryService.open(config=config) as service:
        service.delete_messages("t", "m", put(service))
    with MemoryService.open(config=config) as service:
        assert service.erasures("t", "m")[0].erased_at is None
        assert service.erase(WAIT)
        assert left_in(tmp_path) == []


class CountingStore(MemoryStore):
    """Fails as often as it is told to, and counts."""

    def __init__(self, failures: Sequence[Exception] = ()) -> None:
        super().__init__()
        self.failures = list(failures)
        self.erasures = 0
        self.entered = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    @override
    def erase(self, now_us: Callable[[], int]) -> int:
        self.erasures += 1
        self.entered.set()
        self.may_go_on.wait(WAIT)
        if self.failures:
            raise self.failures.pop()
        return super().erase(now_us)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "FIRST_PAUSE_SECONDS", 0.01)


@pytest.mark.usefixtures("quick")
def test_failures_are_tried_again() -> None:
    failures = [StoreFullError("full"), StoreUnavailableError("a reader"), StoreFullError("full")]
    store = CountingStore(failures)
    worker = Erasing(store, StillClock())
    worker.start()
    assert worker.wait(WAIT)
    assert store.erasures == 4
    worker.close()


def test_many_deletions_are_one_erasure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 0.2)
    store = CountingStore()
    worker = Erasing(store, StillClock())
    worker.start()
    for _ in range(500):
        worker.wake()
    assert worker.wait(WAIT)
    assert store.erasures == 1
    worker.close()


def test_a_deletion_during_an_erasure_waits_for_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 0.0)
    store = CountingStore()
    store.may_go_on.clear()
    worker = Erasing(store, StillClock())
    worker.start()
    assert store.entered.wait(WAIT)
    worker.wake()
    assert not worker.wait(0.05)
    store.may_go_on.set()
    assert worker.wait(WAIT)
    assert store.erasures == 2
    worker.close()


def test_a_costly_erasure_rests_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers may wait for it, so that it takes a tenth of the time at most."""
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 0.0)
    store = CountingStore()
    store.may_go_on.clear()
    worker = Erasing(store, StillClock())
    worker.start()
    threading.Timer(0.1, store.may_go_on.set).start()
    assert worker.wait(WAIT)
    worker.wake()
    time.sleep(0.2)
    assert store.erasures == 1
    assert worker.wait(WAIT)
    worker.close()


def test_a_closed_worker_ends_at_once() -> None:
    worker = Erasing(MemoryStore(), StillClock())
    worker.start()
    began = time.monotonic()
    worker.close()
    assert time.monotonic() - began < 1.0


def test_vectors_of_deleted_texts_leave_the_cache_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "vectors.sqlite"
    config = replace(
        ServiceConfig(), data_dir=tmp_path / "data", dense=DenseConfig(disk_cache=str(path))
    )
    with MemoryService.open(config=config) as service:
        ids = service.add("t", "m", "s", says("this stays", "this goes")).turn_ids
        known = _passages(path)
        service.delete_messages("t", "m", ids[1:])
        assert known - _passages(path) == {cached._digest("this goes")}
        assert cached._digest("this stays") in _passages(path)
        service.delete_memory("t", "m")
        assert cached._digest("this stays") not in _passages(path)


def _passages(path: Path) -> set[bytes]:
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT digest FROM vector WHERE kind = 'passage'").fetchall()
    return {digest for (digest,) in rows}


def test_a_damaged_cache_on_disk_stops_no_deletion(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"no database" * 500)
    cached.forget_passages(path, ["a text"])
    assert "delete the file" in caplog.text
    assert "a text" not in caplog.text
    cached.forget_passages(tmp_path / "absent.sqlite", ["a text"])
    assert not (tmp_path / "absent.sqlite").exists()


def test_queries_of_a_memory_are_remembered_no_longer() -> None:
    with dense_service(MemoryStore()) as service:
        for memory in ("m", "m2"):
            service.add("t", memory, "s", says("the choir sings"))
            service.retrieve("t", memory, "what sings?")
        assert service._dense is not None
        known = service._dense._cache._items
        assert len(known) == 2
        service.delete_memory("t", "m")
        assert [scope.memory_id for scope, _ in known] == ["m2"]
        assert service.statistics().cache.memories == 1
