"""Every store under test, opened in a directory or a database of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from graphmem.ports.store import Store
from graphmem.stores.memory import MemoryStore
from graphmem.stores.postgres import PostgresStore
from graphmem.stores.sqlite import SqliteStore
from tests.stores.server import Server


@pytest.fixture(scope="session")
def server(postgres_server: Server) -> Server:
    """The PostgreSQL server."""
    return postgres_server


@pytest.fixture
def database(server: Server) -> Iterator[str]:
    """The name of a fresh database with graphmem's tables."""
    with server.copied() as name:
        yield name


@contextmanager
def _memory(request: pytest.FixtureRequest) -> Iterator[Store]:
    store = MemoryStore()
    yield store
    store.close()


@contextmanager
def _sqlite(request: pytest.FixtureRequest) -> Iterator[Store]:
    directory: Path = request.getfixturevalue("tmp_path")
    store = SqliteStore.open(directory)
    yield store
    store.close()


@contextmanager
def _postgres(request: pytest.FixtureRequest) -> Iterator[Store]:
    server: Server = request.getfixturevalue("server")
    with server.lent() as name:
        store = PostgresStore.open(server.url(name))
        yield store
        store.close()


# A new backend joins the conformance suite with one line.
BACKENDS: dict[str, Callable[[pytest.FixtureRequest], AbstractContextManager[Store]]] = {
    "memory": _memory,
    "postgres": _postgres,
    "sqlite": _sqlite,
}


@pytest.fixture(params=sorted(BACKENDS))
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    with BACKENDS[request.param](request) as opened:
        yield opened


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def postgres(server: Server, database: str) -> Iterator[PostgresStore]:
    opened = PostgresStore.open(server.url(database))
    yield opened
    opened.close()
