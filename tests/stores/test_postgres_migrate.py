"""The schema is made once by numbered steps, and what is not ours is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from graphmem.errors import StoreFormatError, StoreUnavailableError
from graphmem.stores.migration import Migration
from graphmem.stores.postgres import PostgresStore, migrate, queries
from graphmem.stores.postgres.migrate import known_migrations
from tests.stores.children import child
from tests.stores.rows import add, contents
from tests.stores.server import Server
from tests.stores.test_concurrency import run
from tests.stores.test_queries import statements_of

OPEN = """
import sys
from graphmem.stores.postgres import PostgresStore

PostgresStore.open(sys.argv[1]).close()
print("opened", flush=True)
"""


@pytest.fixture
def empty(server: Server) -> Iterator[str]:
    """The name of an empty database."""
    with server.copied("template1") as name:
        yield name


def test_every_step_is_recorded(server: Server, database: str) -> None:
    found = server.execute(
        "SELECT number, convert_from(name, 'UTF8') FROM graphmem.migrations ORDER BY number",
        database=database,
    )
    assert found == [(step.number, step.name) for step in known_migrations()]


def test_the_steps_ship_with_the_package_and_are_numbered_without_a_gap() -> None:
    steps = known_migrations()
    assert steps
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))


def test_processes_that_open_at_once_apply_each_step_once(server: Server, empty: str) -> None:
    def open_and_close() -> None:
        with child(OPEN, server.url(empty)):
            pass

    run(open_and_close, open_and_close, open_and_close)
    ((number,),) = server.execute("SELECT count(*) FROM graphmem.migrations", database=empty)
    assert number == len(known_migrations())


def test_threads_that_open_at_once_apply_each_step_once(server: Server, empty: str) -> None:
    run(*[lambda: PostgresStore.open(server.url(empty)).close()] * 6)
    with closing(PostgresStore.open(server.url(empty))) as store:
        add(store)


def test_a_newer_schema_is_refused_with_a_remedy(server: Server, database: str) -> None:
    server.execute("INSERT INTO graphmem.migrations VALUES (99, '0099')", database=database)
    with pytest.raises(StoreFormatError, match="upgrade graphmem"):
        PostgresStore.open(server.url(database))


def test_a_later_step_is_applied_to_what_is_there(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(PostgresStore.open(server.url(database))) as store:
        add(store)
    later = Migration(
        number=len(known_migrations()) + 1,
        name="later.sql",
        script="CREATE TABLE graphmem.one (x int); CREATE TABLE graphmem.two (x int);",
    )
    steps = [*known_migrations(), later]
    monkeypatch.setattr(migrate, "known_migrations", lambda: steps)
    with closing(PostgresStore.open(server.url(database))) as store:
        assert contents(store) == ["hello"]
    assert server.execute("SELECT count(*) FROM graphmem.two", database=database) == [(0,)]


def test_a_step_that_fails_leaves_nothing(
    server: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = "CREATE TABLE graphmem.one (x int); CREATE TABLE graphmem.turns (x int);"
    broken = Migration(number=len(known_migrations()) + 1, name="broken.sql", script=script)
    steps = [*known_migrations(), broken]
    monkeypatch.setattr(migrate, "known_migrations", lambda: steps)
    with pytest.raises(StoreFormatError, match="42P07"):
        PostgresStore.open(server.url(database))
    assert server.execute("SELECT to_regclass('graphmem.one')", database=database) == [(None,)]


def test_a_schema_of_another_program_is_refused_and_left_as_it_was(
    server: Server, empty: str
) -> None:
    server.execute("CREATE SCHEMA graphmem CREATE TABLE graphmem.turns (x int)", database=empty)
    with pytest.raises(StoreFormatError, match="another database"):
        PostgresStore.open(server.url(empty))
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'graphmem'"
    assert server.execute(tables, database=empty) == [("turns",)]


def _as(role: str, url: str) -> str:
    return url.replace("//postgres:", f"//{role}:")


def test_a_role_that_may_make_nothing_uses_what_is_there(server: Server, database: str) -> None:
    role = f"user_of_{database}"
    server.execute(f"CREATE ROLE {role} LOGIN")
    grants = (
        "GRANT USAGE ON SCHEMA graphmem TO {0}; GRANT ALL ON ALL TABLES IN SCHEMA graphmem TO {0}"
    )
    server.execute(grants.format(role), database=database)
    with closing(PostgresStore.open(_as(role, server.url(database)))) as store:
        add(store)
        assert contents(store) == ["hello"]


def test_a_role_that_may_make_no_schema_is_told_so(server: Server, empty: str) -> None:
    role = f"user_of_{empty}"
    server.execute(f"CREATE ROLE {role} LOGIN")
    with pytest.raises(StoreUnavailableError, match="42501"):
        PostgresStore.open(_as(role, server.url(empty)))
    # Its owner may make the schema for it, and that is enough.
    server.execute(f"CREATE SCHEMA graphmem AUTHORIZATION {role}", database=empty)
    with closing(PostgresStore.open(_as(role, server.url(empty)))) as store:
        add(store)


LISTINGS = {"LIST_KEYS", "LIST_MODELS", "LIST_STALE_SCOPES", "PING", "LAST_MIGRATION", "VACUUM"}
STATEMENTS = {
    name: statement
    for name, statement in statements_of(queries).items()
    if "graphmem." in statement and name not in LISTINGS
}


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_no_statement_scans_a_table(postgres: PostgresStore, name: str) -> None:
    with postgres._writers.lend() as connection:
        # Small tables are scanned whatever their indexes, unless that is made to look dear.
        connection.run("SET enable_seqscan = off")
        statement = STATEMENTS[name].replace("substring(%s", "substring(NULL::bytea")
        statement = statement.replace("%s", "NULL")
        found = connection.rows("EXPLAIN (COSTS OFF) " + statement)
    steps = "\n".join(row[0] for row in found)
    assert "Seq Scan" not in steps, steps
