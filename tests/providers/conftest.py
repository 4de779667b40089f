from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.providers.server import EmbeddingServer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddingServer]:
    """A loopback server, reached directly whatever proxy the machine is behind."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with EmbeddingServer() as running:
        yield running
