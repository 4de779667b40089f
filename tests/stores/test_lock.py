"""One process holds a data directory, and says who it is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from graphmem.domain.holder import Holder
from graphmem.errors import StoreLockedError
from graphmem.stores.sqlite import SqliteStore
from graphmem.stores.sqlite.lock import read_note
from tests.stores.children import HOLD, child
from tests.stores.rows import add, contents

ADDRESS = "127.0.0.1:8420"


def test_a_second_process_is_refused_and_told_whom_to_ask(tmp_path: Path) -> None:
    with child(HOLD, tmp_path, ADDRESS) as process:
        with pytest.raises(StoreLockedError, match=rf"process {process.pid}.*{ADDRESS}") as caught:
            SqliteStore.open(tmp_path)
        assert caught.value.pid == process.pid
        assert caught.value.address == ADDRESS


def test_a_second_store_of_the_same_process_is_refused(sqlite: SqliteStore, tmp_path: Path) -> None:
    with pytest.raises(StoreLockedError) as caught:
        SqliteStore.open(tmp_path)
    assert caught.value.pid == os.getpid()
    assert caught.value.address is None
    add(sqlite)


def test_the_lock_knows_a_directory_under_another_name(sqlite: SqliteStore, tmp_path: Path) -> None:
    alias = tmp_path.parent / f"{tmp_path.name}-alias"
    alias.symlink_to(tmp_path)
    with pytest.raises(StoreLockedError):
        SqliteStore.open(alias)


def test_an_address_may_be_announced_later(sqlite: SqliteStore, tmp_path: Path) -> None:
    sqlite.announce(ADDRESS)
    with pytest.raises(StoreLockedError) as caught:
        SqliteStore.open(tmp_path)
    assert (caught.value.pid, caught.value.address) == (os.getpid(), ADDRESS)


def test_a_killed_holder_blocks_nobody(tmp_path: Path) -> None:
    with child(HOLD, tmp_path, ADDRESS) as process:
        process.kill()
        process.wait()
        assert read_note(tmp_path / "memory.holder.json").pid == process.pid
    store = SqliteStore.open(tmp_path)
    assert read_note(tmp_path / "memory.holder.json") == Holder(pid=os.getpid())
    store.close()


def test_closing_gives_the_directory_back_and_takes_the_note_away(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path, address=ADDRESS).close()
    assert not (tmp_path / "memory.holder.json").exists()
    SqliteStore.open(tmp_path).close()


def test_a_failed_opening_gives_the_directory_back(tmp_path: Path) -> None:
    (tmp_path / "memory.sqlite").mkdir()
    for _ in range(2):
        with pytest.raises(Exception, match="opened") as caught:
            SqliteStore.open(tmp_path)
        assert not isinstance(caught.value, StoreLockedError)
    (tmp_path / "memory.sqlite").rmdir()
    SqliteStore.open(tmp_path).close()


@pytest.mark.parametrize(
    "note", ["", "{", "[]", "null", '{"pid": "x", "address": 7}', json.dumps({"other": 1}), "\xff"]
)
def test_a_note_that_makes_no_sense_names_nobody(tmp_path: Path, note: str) -> None:
    path = tmp_path / "note"
    path.write_bytes(note.encode("latin-1"))
    assert read_note(path) == Holder()


def test_a_reader_opens_beside_the_holder_and_follows_it(
    sqlite: SqliteStore, tmp_path: Path
) -> None:
    add(sqlite, content="one")
    reader = SqliteStore.open(tmp_path, read_only=True)
    assert contents(reader) == ["one"]
    add(sqlite, content="two")
    assert contents(reader) == ["one", "two"]
    reader.close()
    with pytest.raises(StoreLockedError):
        SqliteStore.open(tmp_path)
