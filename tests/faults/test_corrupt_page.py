"""A page that the disk gave back wrong costs what stands on it, and nothing else."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import StoreFormatError
from graphmem.service.factory import back_up, check_pages
from graphmem.service.memory import MemoryService
from tests.faults.serving import serving


@pytest.fixture
def config(tmp_path: Path) -> ServiceConfig:
    """Two memories; the pages of the large texts of one of them are damaged."""
    config = ServiceConfig(data_dir=tmp_path / "data", dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        for user in ("sound", "hurt"):
            for number in range(3):
                text = f"number {number} " + ("x" * 30_000 if user == "hurt" else "")
                message = Message(role="user", content=text)
                service.add("default", user, "s", [message], request_id=f"q{number}")
    database = config.data_dir / "memory.sqlite"
    data = bytearray(database.read_bytes())
    with closing(sqlite3.connect(database)) as raw:
        (size,) = raw.execute("PRAGMA page_size").fetchone()
    filler = b"x" * (size // 2)
    hurt = [at for at in range(0, len(data), size) if filler in data[at : at + size]]
    assert hurt
    for at in hurt:
        data[at : at + 8] = b"\xff" * 8  # where the number of the next overflow page stands
    database.write_bytes(data)
    return config


def test_a_server_refuses_the_damaged_memory_and_serves_the_others(config: ServiceConfig) -> None:
    with serving(config.data_dir) as served:
        status, body = served.post("/search", {"query": "number", "user_id": "hurt", "top_k": 9})
        assert (status, "doctor --deep" in body["detail"]["reason"]) == (503, True)
        assert served.found("sound") == (200, {0, 1, 2})
        assert served.add("sound", 3) == 200
        assert served.found("sound") == (200, {0, 1, 2, 3})
        assert served.is_alive


def test_the_check_of_all_pages_names_it(config: ServiceConfig) -> None:
    with pytest.raises(StoreFormatError, match="damaged"):
        check_pages(config)


def test_a_backup_of_it_is_refused(config: ServiceConfig, tmp_path: Path) -> None:
    with pytest.raises(StoreFormatError, match="damaged"):
        back_up(config, tmp_path / "b.sqlite", lambda _: None)
    assert [path.name for path in tmp_path.iterdir() if path.name != "data"] == []
