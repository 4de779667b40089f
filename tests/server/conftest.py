from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.live import Live, configure, new_user, running

KEY = "s3cret-key"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """An open server without an embedding model; tests keep apart by their user."""
    with running(configure(tmp_path_factory.mktemp("open"))) as live:
        yield live


@pytest.fixture(scope="session")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server that wants the key."""
    with running(configure(tmp_path_factory.mktemp("locked"), api_key=KEY)) as live:
        yield live


@pytest.fixture
def user() -> str:
    """A user no other test writes to."""
    return new_user()
