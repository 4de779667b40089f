"""Services on every store, with a clock that tests can hold still."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partialmethod
from itertools import count
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.ports.store import Store
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.postgres.store import PostgresStore
from graphmem.stores.sqlite.store import SqliteStore
from tests.stores.server import Server

STORES = ["memory", "sqlite"]


@dataclass
class StillClock:
    us: int = 1_700_000_000_000_000

    def now_us(self) -> int:
        return self.us


class CountingIdentity:
    def __init__(self) -> None:
        self._numbers = count()

    def new_request_id(self) -> str:
        return f"auto-{next(self._numbers)}"

    def random_bytes(self, count: int) -> bytes:
        return next(self._numbers).to_bytes(count, "big")


def make_store(kind: str, directory: Path) -> Store:
    return MemoryStore() if kind == "memory" else SqliteStore.open(directory)


def make_service(store: Store, *, cache_bytes: int | None = None) -> MemoryService:
    config = ServiceConfig()
    if cache_bytes is not None:
        config = replace(config, cache_bytes=cache_bytes)
    parts = Parts(
        store=store,
        embeddings=None,
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
    )
    return MemoryService(parts, config)


class LenientService(MemoryService):
    """A service whose calls are made as those of Add / Search."""

    add = partialmethod(MemoryService.add, policy=ADD_SEARCH)
    retrieve = partialmethod(MemoryService.retrieve, policy=ADD_SEARCH)


@contextmanager
def lent_store(kind: str, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An empty store of any kind; a test of PostgreSQL is skipped where there is no server."""
    if kind == "postgres":
        server: Server = request.getfixturevalue("postgres_server")
        with server.lent() as name:
            opened: Store = PostgresStore.open(server.url(name))
            yield opened
            opened.close()
        return
    opened = make_store(kind, request.getfixturevalue("tmp_path"))
    yield opened
    opened.close()


@pytest.fixture(params=[*STORES, pytest.param("postgres", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with lent_store(request.param, request) as opened:
        yield opened


@pytest.fixture
def service(store: Store) -> MemoryService:
    return make_service(store)


def says(*texts: str, role: str = "user", speaker: str | None = None) -> list[Message]:
    return [Message(role=role, content=text, speaker=speaker) for text in texts]
