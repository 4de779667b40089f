"""The schema is made by numbered steps, and files that are not ours are left alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.domain.scope import Scope, digest_parts
from graphmem.errors import StoreFormatError
from graphmem.stores.sqlite import SqliteStore, migrate
from graphmem.stores.sqlite.migrate import APPLICATION_ID, known_migrations, statements
from tests.stores.rows import MODEL, OTHER, SCOPE, add, contents, make_head, make_vectors


@contextmanager
def raw(directory: Path) -> Iterator[sqlite3.Connection]:
    """The database without graphmem."""
    with closing(sqlite3.connect(directory / "memory.sqlite", isolation_level=None)) as connection:
        yield connection


def test_every_step_is_recorded(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    with raw(tmp_path) as connection:
        rows = connection.execute("SELECT number, name FROM migrations ORDER BY number").fetchall()
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert rows == [(step.number, step.name) for step in known_migrations()]


def test_the_steps_ship_with_the_package_and_are_numbered_without_a_gap() -> None:
    steps = known_migrations()
    assert steps
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_a_script_is_split_at_its_statements() -> None:
    script = "-- a; b\nSELECT 1;\nSELECT ';'\n;\n"
    assert list(statements(script)) == ["-- a; b\nSELECT 1;\n", "SELECT ';'\n;\n"]


def test_every_statement_of_every_script_ends() -> None:
    for step in known_migrations():
        assert "".join(statements(step.script)).strip() == step.script.strip()


def test_opening_again_changes_nothing(tmp_path: Path) -> None:
    store = SqliteStore.open(tmp_path)
    add(store)
    store.close()
    before = (tmp_path / "memory.sqlite").read_bytes()
    SqliteStore.open(tmp_path).close()
    assert (tmp_path / "memory.sqlite").read_bytes() == before


def test_a_file_left_empty_by_a_crash_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "memory.sqlite").touch()
    store = SqliteStore.open(tmp_path)
    add(store)
    store.close()


def test_a_newer_schema_is_refused_with_a_remedy(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    with raw(tmp_path) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, '0099_future.sql')")
    for read_only in (False, True):
        with pytest.raises(StoreFormatError, match="upgrade graphmem"):
            SqliteStore.open(tmp_path, read_only=read_only)


def test_an_older_schema_is_refused_when_it_may_not_be_changed(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    with raw(tmp_path) as connection:
        connection.execute("DELETE FROM migrations")
    with pytest.raises(StoreFormatError, match="for writing"):
        SqliteStore.open(tmp_path, read_only=True)


def test_a_file_that_was_cut_off_to_nothing_is_not_called_old(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    (tmp_path / "memory.sqlite").write_bytes(b"")
    with pytest.raises(StoreFormatError, match="restore a backup"):
        SqliteStore.open(tmp_path, read_only=True)


def test_a_database_of_the_first_schema_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = known_migrations()[:1]
    with monkeypatch.context() as patch:
        patch.setattr(migrate, "known_migrations", lambda: first)
        with closing(SqliteStore.open(tmp_path)) as store:
            pass
    with raw(tmp_path) as connection:
        for number, scope in enumerate([SCOPE, OTHER]):
            _add_by_the_first_schema(connection, scope, number, f"old {number}")
    with pytest.raises(StoreFormatError, match=r"older schema \(1 of"):
        SqliteStore.open(tmp_path, read_only=True)
    with closing(SqliteStore.open(tmp_path)) as store:
        with store.write(SCOPE) as transaction:
            head = replace(make_head(1, turns=1, sessions=1), ready_turns=1, build='{"index":"1"}')
            assert transaction.head() == head
            transaction.put_model(MODEL)
            transaction.put_vectors([make_vectors()])
        assert (contents(store), contents(store, OTHER)) == (["old 0"], ["old 1"])


def _add_by_the_first_schema(
    connection: sqlite3.Connection, scope: Scope, number: int, content: str
) -> None:
    head = make_head(1, turns=1, sessions=1)
    ids = (scope.digest, scope.tenant_id.encode(), scope.memory_id.encode())
    connection.execute(
        "INSERT INTO memories VALUES (?, ?, ?, ?, 1, 1, 1, 1, ?, ?, ?)",
        (number, *ids, head.content_bytes, head.created_us, head.updated_us),
    )
    session = (number, 0, digest_parts("s0"), b"s0", 1)
    connection.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?)", session)
    connection.execute(
        "INSERT INTO turns (ns, turn_no, turn_id, session_no, position, version, recorded_us,"
        " role, content) VALUES (?, 0, 't_0', 0, 0, 1, 0, 'user', ?)",
        (number, content),
    )


def test_a_step_that_fails_leaves_nothing(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    with raw(tmp_path) as connection:
        connection.execute("DROP TABLE segments")
        connection.execute("DROP TABLE migrations")
        connection.execute("CREATE TABLE migrations (number INTEGER, name TEXT)")
        before = connection.execute("SELECT * FROM sqlite_schema").fetchall()
    with pytest.raises(StoreFormatError, match="already exists"):
        SqliteStore.open(tmp_path)
    with raw(tmp_path) as connection:
        assert connection.execute("SELECT * FROM sqlite_schema").fetchall() == before


def test_a_database_of_another_program_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    with raw(tmp_path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = (tmp_path / "memory.sqlite").read_bytes()
    for read_only in (False, True):
        with pytest.raises(StoreFormatError, match="another program"):
            SqliteStore.open(tmp_path, read_only=read_only)
    assert (tmp_path / "memory.sqlite").read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    junk = b"not a database, whatever its name says" * 200
    (tmp_path / "memory.sqlite").write_bytes(junk)
    with pytest.raises(StoreFormatError, match="backup"):
        SqliteStore.open(tmp_path)
    assert (tmp_path / "memory.sqlite").read_bytes() == junk


def _damage(directory: Path, first_byte: int) -> None:
    path = directory / "memory.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[:first_byte] + bytes(len(data) - first_byte))


def test_a_database_without_its_tables_is_refused(tmp_path: Path) -> None:
    SqliteStore.open(tmp_path).close()
    _damage(tmp_path, 4096)
    with pytest.raises(StoreFormatError, match="backup"):
        SqliteStore.open(tmp_path)


def test_damage_is_reported_not_misread_and_spares_the_rest(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path)) as store:
        add(store, OTHER, "early")
        for number in range(50):
            add(store, content=f"{number} " * 500)
    _damage(tmp_path, (tmp_path / "memory.sqlite").stat().st_size * 3 // 4)
    with closing(SqliteStore.open(tmp_path)) as store:
        with pytest.raises(StoreFormatError, match="damaged"):
            contents(store)
        assert contents(store, OTHER) == ["early"]
