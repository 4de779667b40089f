"""For all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.stores.server import Server, running_server

# How long a case takes is a figure, and those are measured in benchmarks/.
settings.register_profile("graphmem", deadline=None)
settings.load_profile("graphmem")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One PostgreSQL server for all tests; they are skipped where there is none."""
    with running_server() as running:
        yield running
