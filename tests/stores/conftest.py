"""Every store under test, opened in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphmem.ports.store import Store
from graphmem.stores.memory import MemoryStore
from graphmem.stores.sqlite import SqliteStore


def _open_memory(directory: Path) -> Store:
    return MemoryStore()


# A new backend joins the conformance suite with one line.
BACKENDS: dict[str, Callable[[Path], Store]] = {
    "memory": _open_memory,
    "sqlite": SqliteStore.open,
}


@pytest.fixture(params=sorted(BACKENDS))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = BACKENDS[request.param](tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore.open(tmp_path)
    yield opened
    opened.close()
