"""A full disk refuses writes with a reason, keeps what was acknowledged, and passes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import StoreFullError
from graphmem.service.factory import restore
from graphmem.service.memory import MemoryService
from tests.faults.disk import fill, small_disk
from tests.faults.serving import number_of, serving

pytestmark = pytest.mark.slow

LARGE = "x" * 400_000


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk", size="8m") as mounted:
        yield mounted


def test_a_server_outlives_a_full_disk_and_loses_nothing(disk: Path) -> None:
    with serving(disk / "data") as served:
        assert served.add("ann", 0) == 200
        fill(disk / "ballast")
        assert {served.add("ann", number, LARGE) for number in range(1, 5)} == {503}
        assert served.found("ann") == (200, {0})
        (disk / "ballast").unlink()
        while served.add("ann", number := len(served.acknowledged), LARGE) == 200:
            assert number < 60
        assert len(served.acknowledged) > 3
        assert served.found("ann") == (200, served.acknowledged)
        assert served.is_alive
    config = ServiceConfig(data_dir=disk / "data", dense_retrieval=False)
    with MemoryService.open(config=config, read_only=True) as service:
        hits = service.retrieve("default", "ann", "number", limit=1000).hits
    assert sorted(number_of(hit.content) for hit in hits) == sorted(served.acknowledged)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[MemoryService]:
    config = ServiceConfig(data_dir=tmp_path / "data", dense_retrieval=False)
    with MemoryService.open(config=config) as opened:
        for number in range(30):
            opened.add("t", "m", "s", [Message(role="user", content=f"{number} {LARGE}")])
        yield opened


def test_a_backup_that_finds_no_room_leaves_nothing(service: MemoryService, disk: Path) -> None:
    with pytest.raises(StoreFullError, match="full"):
        service.backup(disk / "b.sqlite")
    assert list(disk.iterdir()) == []
    assert service.status("t", "m").turns == 30


def test_a_restore_that_finds_no_room_leaves_nothing(
    service: MemoryService, tmp_path: Path, disk: Path
) -> None:
    service.backup(tmp_path / "b.sqlite")
    with pytest.raises(StoreFullError, match="full"):
        restore(tmp_path / "b.sqlite", disk / "new", lambda _: None)
    assert list(disk.iterdir()) == []
