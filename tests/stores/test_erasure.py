"""After an erasure no byte of a deleted text is in the directory, and only then it says so."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from graphmem.domain.erasure import Tombstone
from graphmem.errors import ServiceClosedError, StoreFullError, StoreUnavailableError
from graphmem.ports.store import Store
from graphmem.stores.postgres import PostgresStore, erase as postgres_erase
from graphmem.stores.sqlite import SqliteStore, erase
from tests.stores.children import child
from tests.stores.rows import (
    OTHER,
    SCOPE,
    add,
    contents,
    make_head,
    make_segment,
    make_session,
    make_turn,
)
from tests.stores.server import Server
from tests.stores.test_full_disk import _fill, small_disk
from tests.stores.test_postgres_migrate import _as

__all__ = ["small_disk"]

MARKERS = ("SecretOfTheChoir", "合唱团的秘密")
NOW = 1_800_000_000_000_000


def now_us() -> int:
    return NOW


def put_and_delete(store: Store, *, turns: int = 40, keep: int = 40) -> None:
    """A memory of which only every second turn is left, and another one."""
    add(store, OTHER, "of Bob")
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_session(make_session(turns=1))
        secret = " ".join(MARKERS)
        for number in range(turns):
            transaction.put_turns(
                [make_turn(number, f"{secret} {number} " * (1 + number % 9 * 20))]
            )
            transaction.put_segment(make_segment(number, data=secret.encode() * 50))
        transaction.put_turns([make_turn(turns + n, f"stays {n} " * 99) for n in range(keep)])
    with store.write(SCOPE) as transaction:
        transaction.delete_turns(range(turns))
        transaction.delete_segments(range(turns))
        transaction.set_head(make_head(2, turns=keep, sessions=1))
        transaction.put_tombstone(make_tombstone(2))


def make_tombstone(version: int, *, erased_us: int | None = None) -> Tombstone:
    return Tombstone(
        version=version,
        kind="turns",
        session_id=None,
        turn_ids=("t_1",),
        turns=1,
        sessions=0,
        deleted_us=NOW - 1,
        erased_us=erased_us,
    )


def left_in(directory: Path) -> list[str]:
    """The files that hold a marker, in any encoding that SQLite knows."""
    forms = [m.encode(coding) for m in MARKERS for coding in ("utf-8", "utf-16-le", "utf-16-be")]
    return sorted(
        path.name
        for path in directory.rglob("*")
        if path.is_file() and any(form in path.read_bytes() for form in forms)
    )


def erased(store: Store) -> list[int | None]:
    with store.read(SCOPE) as snapshot:
        return [tombstone.erased_us for tombstone in snapshot.tombstones()]


def test_a_deletion_alone_leaves_bytes(sqlite: SqliteStore, tmp_path: Path) -> None:
    """Else the tests below would show nothing."""
    put_and_delete(sqlite)
    assert left_in(tmp_path)
    assert erased(sqlite) == [None]


def test_an_erasure_leaves_none(sqlite: SqliteStore, tmp_path: Path) -> None:
    put_and_delete(sqlite)
    assert sqlite.unerased() == 1
    assert sqlite.erase(now_us) == 1
    assert left_in(tmp_path) == []
    assert erased(sqlite) == [NOW]
    assert sqlite.unerased() == 0
    assert contents(sqlite, OTHER) == ["of Bob"]
    with sqlite.read(SCOPE) as snapshot:
        assert len(snapshot.turns(range(40, 80))) == 40


def test_many_deletions_take_one_rewriting(
    sqlite: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_and_delete(sqlite)
    with sqlite.write(SCOPE) as transaction:
        for version in range(3, 100):
            transaction.put_tombstone(make_tombstone(version))
    assert sqlite.erase(now_us) == 98
    monkeypatch.setattr(erase, "_require_room", pytest.fail)
    assert sqlite.erase(now_us) == 0


def test_a_deletion_that_comes_meanwhile_waits_for_the_next_erasure(
    sqlite: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_and_delete(sqlite)

    def note_late(*arguments: object) -> None:
        with sqlite._writer.lend() as connection:  # type: ignore[union-attr]
            connection.run(
                "INSERT INTO tombstones SELECT ns, 3, kind, NULL, NULL, 1, 0, 1, NULL FROM tombstones"
            )
        note(*arguments)  # type: ignore[arg-type]

    note = erase._note
    monkeypatch.setattr(erase, "_note", note_late)
    assert sqlite.erase(now_us) == 1
    assert erased(sqlite) == [NOW, None]


@contextmanager
def pinned(directory: Path) -> Iterator[None]:
    """Another program that holds an older state of the database."""
    with closing(sqlite3.connect(directory / "memory.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM turns").fetchone()
        yield


def test_a_reader_that_stays_keeps_the_bytes_and_the_receipt_open(
    sqlite: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erase, "_READERS_SECONDS", 0.3)
    add(sqlite, OTHER, "before")
    with pinned(tmp_path):
        put_and_delete(sqlite)
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="end the program that reads it"):
                sqlite.erase(now_us)
        assert left_in(tmp_path)
        assert erased(sqlite) == [None]
        add(sqlite, OTHER, "writers go on")
    assert sqlite.erase(now_us) == 1
    assert left_in(tmp_path) == []
    assert erased(sqlite) == [NOW]


def test_a_reader_that_stays_does_not_let_the_log_grow_with_every_try(
    sqlite: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erase, "_READERS_SECONDS", 0.0)
    put_and_delete(sqlite)
    log = tmp_path / "memory.sqlite-wal"
    with pinned(tmp_path):
        sizes = []
        for version in range(3, 9):
            with pytest.raises(StoreUnavailableError):
                sqlite.erase(now_us)
            with sqlite.write(SCOPE) as transaction:
                transaction.put_tombstone(make_tombstone(version))
            sizes.append(log.stat().st_size)
    assert sizes[-1] - sizes[0] < 200_000


def test_own_readers_and_writers_go_on_meanwhile(sqlite: SqliteStore, tmp_path: Path) -> None:
    put_and_delete(sqlite)
    stop, failures = threading.Event(), []

    def work(read: bool) -> None:
        try:
            while not stop.is_set():
                _ = contents(sqlite, OTHER) if read else [str(add(sqlite, OTHER))]
        except Exception as error:  # noqa: BLE001 - it is what the test looks for
            failures.append(error)

    threads = [threading.Thread(target=work, args=[number % 2 == 0]) for number in range(4)]
    for thread in threads:
        thread.start()
    assert sqlite.erase(now_us) == 1
    assert left_in(tmp_path) == []
    stop.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_erasure_that_finds_no_room_is_tried_again(small_disk: Path) -> None:
    with closing(SqliteStore.open(small_disk)) as store:
        put_and_delete(store)
        _fill(small_disk / "ballast")
        with pytest.raises(StoreFullError, match="nothing is lost"):
            store.erase(now_us)
        assert erased(store) == [None]
        (small_disk / "ballast").unlink()
        assert store.erase(now_us) == 1
        assert left_in(small_disk) == []


def test_a_store_that_is_closed_does_not_wait_for_readers(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path)
    put_and_delete(store)
    with pinned(tmp_path):
        ends: list[str] = []

        def run() -> None:
            with suppress(ServiceClosedError):
                store.erase(now_us)
            ends.append("ended")

        thread = threading.Thread(target=run)
        thread.start()
        thread.join(0.3)
        store.close()
        thread.join(5)
        assert ends == ["ended"]
    with closing(SqliteStore.open(tmp_path)) as again:
        assert again.erase(now_us) == 1
        assert left_in(tmp_path) == []


def test_a_store_that_only_reads_erases_nothing(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    store = SqliteStore.open(tmp_path, read_only=True)
    with closing(store), pytest.raises(StoreUnavailableError, match="read-only"):
        store.erase(now_us)


STOP_AT = """
import sys
from pathlib import Path
from graphmem.stores.sqlite import SqliteStore, erase
from graphmem.stores.sqlite.connection import Connection
from tests.stores.test_erasure import now_us, put_and_delete

def stop(*_):
    print("there", flush=True)
    sys.stdin.read()

run = Connection.run
def stop_in_vacuum(self, sql, parameters=()):
    if sql == "VACUUM":
        calls = [0]
        def count():
            calls[0] += 1
            if calls[0] == 20:
                stop()
        self._raw.set_progress_handler(count, 50)
    run(self, sql, parameters)

where = sys.argv[2]
if where == "vacuum":
    Connection.run = stop_in_vacuum
elif where == "before vacuum":
    erase._require_room = stop
elif where == "truncate":
    erase.Eraser._truncate_log = stop
else:
    erase._note = stop
store = SqliteStore.open(Path(sys.argv[1]))
put_and_delete(store)
store.erase(now_us)
"""


@pytest.mark.parametrize("where", ["before vacuum", "vacuum", "truncate", "note"])
def test_an_erasure_that_was_killed_is_done_by_the_next_process(tmp_path: Path, where: str) -> None:
    with child(STOP_AT, tmp_path, where) as process:
        process.kill()
        process.wait()
    with closing(SqliteStore.open(tmp_path)) as store:
        assert erased(store) == [None]
        with store.read(SCOPE) as snapshot:
            assert snapshot.turns(range(40)) == []
            assert len(snapshot.turns(range(40, 80))) == 40
        assert store.erase(now_us) == 1
        assert left_in(tmp_path) == []
        assert erased(store) == [NOW]


def test_erasing_on_postgres_frees_the_rows(postgres: PostgresStore, server: Server) -> None:
    put_and_delete(postgres)
    assert postgres.unerased() == 1
    assert postgres.erase(now_us) == 1
    assert erased(postgres) == [NOW]
    assert contents(postgres, OTHER) == ["of Bob"]
    name = str(postgres._rows("SELECT current_database()", ())[0][0])
    dead = server.execute(
        "SELECT n_dead_tup FROM pg_stat_user_tables WHERE relname = 'turns'", database=name
    )
    assert dead == [(0,)]


def test_a_snapshot_on_postgres_keeps_the_receipt_open(
    postgres: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_erase, "_READERS_SECONDS", 0.3)
    add(postgres, OTHER, "first")
    with postgres.read(OTHER):
        put_and_delete(postgres)
        with pytest.raises(StoreUnavailableError, match="older state"):
            postgres.erase(now_us)
        assert erased(postgres) == [None]
    assert postgres.erase(now_us) == 1


def test_closing_on_postgres_ends_an_erasure_that_waits_for_readers(
    postgres: PostgresStore, server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_erase, "_READERS_SECONDS", 3600.0)
    add(postgres, OTHER, "first")
    with postgres.read(OTHER):
        put_and_delete(postgres)
        closing_soon = PostgresStore.open(server.url(database))
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(closing_soon.erase, now_us)
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
            closing_soon.close()
            with pytest.raises(ServiceClosedError):
                waiting.result(20)
        assert erased(postgres) == [None]


def test_a_role_that_does_not_own_the_tables_is_told_so(server: Server, database: str) -> None:
    role = f"reader_of_{database}"
    server.execute(f"CREATE ROLE {role} LOGIN")
    server.execute(
        f"GRANT USAGE ON SCHEMA graphmem TO {role};"
        f"GRANT ALL ON ALL TABLES IN SCHEMA graphmem TO {role}",
        database=database,
    )
    with closing(PostgresStore.open(_as(role, server.url(database)))) as store:
        put_and_delete(store)
        with pytest.raises(StoreUnavailableError, match="owner"):
            store.erase(now_us)
        assert erased(store) == [None]
