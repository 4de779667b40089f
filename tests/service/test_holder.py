from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.holder import Holder
from graphmem.service import factory
from graphmem.service.memory import MemoryService

LEXICAL = ServiceConfig(dense_retrieval=False)


def find_holder(directory: Path) -> Holder | None:
    return factory.find_holder(ServiceConfig(data_dir=directory))


def test_the_holder_is_found_while_it_holds(tmp_path: Path) -> None:
    assert find_holder(tmp_path) is None
    with MemoryService.open(data_dir=tmp_path, config=LEXICAL) as service:
        service.announce("http://127.0.0.1:9")
        assert find_holder(tmp_path) == Holder(pid=os.getpid(), address="http://127.0.0.1:9")
    assert find_holder(tmp_path) is None


def test_looking_makes_no_file(tmp_path: Path) -> None:
    assert find_holder(tmp_path / "nowhere") is None
    assert find_holder(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_the_note_of_a_process_that_died_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "memory.lock").touch()
    (tmp_path / "memory.holder.json").write_text('{"pid": 1, "address": null}', "utf-8")
    assert find_holder(tmp_path) is None


@pytest.mark.parametrize("note", ["", "[]", '{"pid": "x"}', '{"pid": 1, "address": 2}'])
def test_a_note_that_makes_no_sense_leaves_the_holder_unknown(tmp_path: Path, note: str) -> None:
    with MemoryService.open(data_dir=tmp_path, config=LEXICAL):
        (tmp_path / "memory.holder.json").write_text(note, "utf-8")
        assert find_holder(tmp_path) == Holder()


def test_looking_disturbs_no_later_holder(tmp_path: Path) -> None:
    MemoryService.open(data_dir=tmp_path, config=LEXICAL).close()
    for _ in range(3):
        assert find_holder(tmp_path) is None
    MemoryService.open(data_dir=tmp_path, config=LEXICAL).close()
