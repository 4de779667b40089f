from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.service.atoms.makers import service_on

from graphmem.ports.store import Store
from graphmem.service.memory import MemoryService


@pytest.fixture
def service(store: Store) -> Iterator[MemoryService]:
    with service_on(store) as opened:
        yield opened
