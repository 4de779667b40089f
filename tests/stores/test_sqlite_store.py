"""What the SQLite store promises beyond the port: files, death and readers beside."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from graphmem.errors import ServiceClosedError, StoreUnavailableError
from graphmem.stores.sqlite import SqliteStore, connection
from tests.stores.rows import SCOPE, add, contents, full_turn, make_head, put_whole


def test_what_was_written_is_there_after_reopening(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path)
    put_whole(store, full_turn())
    store.close()
    store = SqliteStore.open(tmp_path)
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() == make_head()
        assert snapshot.turns([0]) == [full_turn()]
    store.close()


def test_closing_leaves_one_database_file(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path)
    add(store)
    contents(store)
    store.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory.lock", "memory.sqlite"]


@pytest.mark.parametrize("name", ["a b", "a?mode=memory", "a#b%41", "数据", "-x"])
def test_any_directory_name_will_do(tmp_path: Path, name: str) -> None:
    store = SqliteStore.open(tmp_path / name)
    add(store)
    store.close()
    assert (tmp_path / name / "memory.sqlite").stat().st_size > 0


def test_a_reader_makes_nothing_where_there_is_no_database(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for directory in (missing, tmp_path):
        with pytest.raises(StoreUnavailableError, match="no memory database"):
            SqliteStore.open(directory, read_only=True)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_refuses_to_write(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    store = SqliteStore.open(tmp_path, read_only=True)
    with pytest.raises(StoreUnavailableError, match="read-only"), store.write(SCOPE):
        pass
    store.announce("127.0.0.1:1")
    assert not (tmp_path / "memory.holder.json").exists()
    store.close()


def test_an_announcement_after_closing_is_refused(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path)
    store.close()
    with pytest.raises(ServiceClosedError):
        store.announce("127.0.0.1:1")
    assert not (tmp_path / "memory.holder.json").exists()


def test_the_holder_may_close_while_a_reader_beside_keeps_its_snapshot(tmp_path: Path) -> None:
    holder = SqliteStore.open(tmp_path)
    add(holder, content="old")
    beside = SqliteStore.open(tmp_path, read_only=True)
    with beside.read(SCOPE) as snapshot:
        add(holder, content="new")
        holder.close()
        assert snapshot.head() == make_head(1, turns=1, sessions=1)
    assert contents(beside) == ["old", "new"]
    beside.close()


def test_an_old_library_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 0))
    with pytest.raises(StoreUnavailableError, match=r"3\.37"):
        SqliteStore.open(tmp_path)
    assert connection.LEAST_SQLITE == (3, 37, 0)


def test_the_writer_is_as_durable_as_promised(sqlite: SqliteStore) -> None:
    assert sqlite._writer is not None
    with sqlite._writer.lend() as writer:
        assert writer.row("PRAGMA synchronous") == (2,)
        assert writer.row("PRAGMA foreign_keys") == (1,)
        assert writer.row("PRAGMA journal_mode") == ("wal",)
