from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, NoReturn, Protocol

import pytest

import graphmem
from graphmem import AsyncMemoryService, MemoryService, Message, ServiceConfig
from graphmem.errors import (
    ConfigError,
    InvalidInputError,
    MemoryNotFoundError,
    ServiceClosedError,
    StoreLockedError,
    StoreUnavailableError,
)
from graphmem.stores.sqlite.store import SqliteStore
from tests.service.conftest import says


class Answer(Protocol):
    def to_dict(self) -> dict[str, object]: ...


ASYNC_ONLY = {"__aenter__", "__aexit__"}


def test_memories_survive_reopening(tmp_path: Path) -> None:
    with MemoryService.open(data_dir=tmp_path) as service:
        receipt = service.add("acme", "user-7", "s", says("I joined a choir"), request_id="r")
        before = service.retrieve("acme", "user-7", "choir")
    with MemoryService.open(data_dir=tmp_path) as service:
        assert service.retrieve("acme", "user-7", "choir") == before
        again = service.add("acme", "user-7", "s", says("I joined a choir"), request_id="r")
        assert again.replayed
        assert again.turn_ids == receipt.turn_ids


def test_a_directory_belongs_to_one_service(tmp_path: Path) -> None:
    with MemoryService.open(data_dir=tmp_path) as service:
        service.announce("http://127.0.0.1:1")
        with pytest.raises(StoreLockedError, match=r"127\.0\.0\.1:1"):
            MemoryService.open(data_dir=tmp_path)
    MemoryService.open(data_dir=tmp_path).close()


def test_reading_works_beside_the_holder(tmp_path: Path) -> None:
    with MemoryService.open(data_dir=tmp_path) as service:
        service.add("t", "m", "s", says("choir"))
        with MemoryService.open(data_dir=tmp_path, read_only=True) as reader:
            service.add("t", "m", "s", says("choir again"))
            assert len(reader.retrieve("t", "m", "choir").hits) == 2


def test_a_closed_service_says_so(tmp_path: Path) -> None:
    service = MemoryService.open(data_dir=tmp_path)
    service.close()
    service.close()
    with pytest.raises(ServiceClosedError):
        service.add("t", "m", "s", says("x"))
    with pytest.raises(ServiceClosedError):
        service.retrieve("t", "m", "x")


def test_status_counts_what_is_held(service: MemoryService) -> None:
    service.add("t", "m", "s1", says("one", "二"))
    service.add("t", "m", "s2", says("three"))
    status = service.status("t", "m")
    assert (status.turns, status.sessions, status.version, status.state) == (3, 2, 2, "ready")
    assert status.content_bytes == len("one二three".encode())
    assert status.created_at == "2023-11-14T22:13:20Z"


def test_the_status_of_an_unknown_memory_is_an_error(service: MemoryService) -> None:
    with pytest.raises(MemoryNotFoundError):
        service.status("t", "m")


def test_memories_are_listed_by_tenant_in_pages(service: MemoryService) -> None:
    for memory in ("b", "a", "c"):
        service.add("t", memory, "s", says("x"))
    service.add("t2", "z", "s", says("x"))
    assert [m.memory_id for m in service.list_memories("t").memories] == ["a", "b", "c"]
    assert [m.memory_id for m in service.list_memories("t", after="a", limit=1).memories] == ["b"]


async def test_the_async_service_answers_like_the_sync_one(tmp_path: Path) -> None:
    async with await AsyncMemoryService.open(data_dir=tmp_path) as service:
        message = Message(role="user", content="I joined a choir", timestamp="2023-05-08T13:56:00Z")
        receipt = await service.add("t", "m", "s", [message], request_id="r")
        found = await service.retrieve("t", "m", "choir", explain=True)
        status = await service.status("t", "m")
        await service.ping()
        assert [m.memory_id for m in (await service.list_memories("t")).memories] == ["m"]
        assert service.statistics().cache.memories == 1
    assert found.hits[0].turn_ids == receipt.turn_ids
    with MemoryService.open(data_dir=tmp_path) as sync:
        assert sync.retrieve("t", "m", "choir", explain=True) == found
        assert sync.status("t", "m") == status


async def test_a_closed_async_service_says_so(tmp_path: Path) -> None:
    service = await AsyncMemoryService.open(data_dir=tmp_path)
    await service.close()
    with pytest.raises(ServiceClosedError):
        await service.status("t", "m")


def _surface(kind: type) -> dict[str, inspect.Signature]:
    return {
        name: inspect.signature(member)
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_")
    }


def test_both_services_have_the_same_names_and_signatures() -> None:
    assert _surface(MemoryService) == _surface(AsyncMemoryService)


def test_public_names_are_sorted_and_importable() -> None:
    assert list(graphmem.__all__) == sorted(graphmem.__all__)
    assert all(getattr(graphmem, name) is not None for name in graphmem.__all__)


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError):
        _ = graphmem.NoSuchName


def test_a_service_takes_its_directory_from_the_settings(tmp_path: Path) -> None:
    with MemoryService.open(config=ServiceConfig(data_dir=tmp_path / "deep" / "er")) as service:
        service.add("t", "m", "s", says("x"))
    assert (tmp_path / "deep" / "er" / "memory.sqlite").exists()


def test_everything_that_a_call_answers_can_be_written_as_json(tmp_path: Path) -> None:
    with MemoryService.open(data_dir=tmp_path / "d") as service:
        receipt = service.add("t", "m", "s", says("I joined a choir"))
        answers: list[Answer] = [
            receipt,
            service.retrieve("t", "m", "choir", explain=True),
            service.status("t", "m"),
            service.list_memories("t"),
            service.rebuild("t", "m"),
            service.rebuild_all(),
            service.statistics(),
        ]
    for answer in answers:
        assert json.loads(json.dumps(answer.to_dict(), allow_nan=False)) == answer.to_dict()


def test_a_page_of_memories_says_where_the_next_one_begins(service: MemoryService) -> None:
    for memory in ("b", "a", "c"):
        service.add("t", memory, "s", says("x"))
    first = service.list_memories("t", limit=2)
    assert ([m.memory_id for m in first.memories], first.next_after) == (["a", "b"], "b")
    last = service.list_memories("t", after="b", limit=2)
    assert ([m.memory_id for m in last.memories], last.next_after) == (["c"], None)


@pytest.mark.parametrize("limit", [0, 1001, True, "5"])
def test_a_page_has_1_to_1000_memories(service: MemoryService, limit: int) -> None:
    with pytest.raises(InvalidInputError, match="limit"):
        service.list_memories("t", limit=limit)


@pytest.mark.parametrize(
    "wrong",
    [
        {"build_overrides": {"models": {"turns": 1}}},
        {"runtime_overrides": {"retrieval": {"lexicon": 1}}},
        {"llm_model": "m", "llm_base_url": "ftp://x", "require_exact_tokenizer": False},
    ],
)
def test_settings_that_can_t_be_used_make_and_hold_no_directory(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    config = ServiceConfig(data_dir=tmp_path / "new", dense_retrieval=False, **wrong)
    with pytest.raises(ConfigError):
        MemoryService.open(config=config)
    assert not config.data_dir.exists()


def test_a_service_that_can_t_be_made_gives_its_directory_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: SqliteStore) -> NoReturn:
        raise StoreUnavailableError("the disk is gone")

    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with monkeypatch.context() as broken:
        broken.setattr(SqliteStore, "access_keys", fail)
        with pytest.raises(StoreUnavailableError):
            MemoryService.open(config=config)
    MemoryService.open(config=config).close()
