"""On a full disk a write fails whole, reads go on, and space that is freed is used again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from graphmem.errors import StoreFullError
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import SCOPE, add, add_turn, contents, make_head

LARGE = "x" * 3_000_000


# They let SQLite run into SQLITE_FULL without filling a disk.
FEW_PAGES = "PRAGMA max_page_count = 40"
MANY_PAGES = "PRAGMA max_page_count = 100000"


def _tell_writer(store: SqliteStore, pragma: str) -> None:
    assert store._writer is not None
    with store._writer.lend() as connection:
        connection.run(pragma)


def test_a_write_that_finds_no_room_is_undone_whole(sqlite: SqliteStore) -> None:
    add(sqlite, content="old")
    _tell_writer(sqlite, FEW_PAGES)
    with pytest.raises(StoreFullError, match="free some space"):
        add(sqlite, content=LARGE)
    assert contents(sqlite) == ["old"]
    _tell_writer(sqlite, MANY_PAGES)
    add(sqlite, content="next")
    assert contents(sqlite) == ["old", "next"]


def _swallow_the_failure(store: SqliteStore) -> None:
    with store.write(SCOPE) as transaction:
        with suppress(StoreFullError):
            add_turn(transaction, LARGE)
        transaction.set_head(make_head(99))


def test_what_follows_a_swallowed_failure_is_not_kept(sqlite: SqliteStore) -> None:
    add(sqlite, content="old")
    _tell_writer(sqlite, FEW_PAGES)
    with pytest.raises(StoreFullError):
        _swallow_the_failure(sqlite)
    assert [row.head.version for row in sqlite.memories(SCOPE.tenant_id)] == [1]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", disk], check=False)
    if mounted.returncode != 0:
        pytest.skip("this machine lets nobody mount a file system")
    yield disk
    subprocess.run(["umount", "--lazy", disk], check=True)


def test_a_store_outlives_a_full_disk(small_disk: Path) -> None:
    with closing(SqliteStore.open(small_disk)) as store:
        add(store, content="old")
        _fill(small_disk / "ballast")
        with pytest.raises(StoreFullError):
            add(store, content=LARGE)
        assert contents(store) == ["old"]
        (small_disk / "ballast").unlink()
        add(store, content="next")
        assert contents(store) == ["old", "next"]


def test_a_store_closes_and_opens_on_a_full_disk_with_all_it_had(small_disk: Path) -> None:
    with closing(SqliteStore.open(small_disk)) as store:
        add(store, content="old")
        _fill(small_disk / "ballast")
    _fill(small_disk / "more ballast")
    with closing(SqliteStore.open(small_disk, read_only=True)) as store:
        assert contents(store) == ["old"]


def test_opening_a_new_store_on_a_full_disk_says_so(small_disk: Path) -> None:
    _fill(small_disk / "ballast")
    with pytest.raises(StoreFullError):
        SqliteStore.open(small_disk)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            return
