from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import graphmem
from graphmem import AsyncMemoryService, MemoryService, Message, ServiceConfig
from graphmem.errors import MemoryNotFoundError, ServiceClosedError, StoreLockedError
from tests.service.conftest import says

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
