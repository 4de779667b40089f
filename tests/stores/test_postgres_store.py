"""What the PostgreSQL store promises beyond the port: many processes, and servers that go away."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from graphmem.domain.scope import Scope
from graphmem.errors import ConfigError, StoreError, StoreUnavailableError
from graphmem.ports.store import Store
from graphmem.stores.postgres import PostgresStore, queries
from tests.stores.children import child, run_child
from tests.stores.rows import MODEL, OTHER, SCOPE, add, add_turn, contents, make_head, open_head
from tests.stores.server import Server
from tests.stores.test_concurrency import run

WRITERS_OF_ANOTHER_PROCESS = """
import sys
from graphmem.stores.postgres import PostgresStore
from tests.stores.rows import add

store = PostgresStore.open(sys.argv[1])
for _ in range(25):
    add(store)
store.close()
"""

DIE_IN_A_WRITE = """
import sys
from graphmem.stores.postgres import PostgresStore
from tests.stores.rows import SCOPE, add, add_turn

store = PostgresStore.open(sys.argv[1])
add(store, content="acknowledged")
with store.write(SCOPE) as transaction:
    add_turn(transaction, "not acknowledged" * 1000)
    print("in the middle", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def beside(server: Server, database: str) -> Iterator[PostgresStore]:
    """A second store on the database, as another process has it."""
    with closing(PostgresStore.open(server.url(database))) as opened:
        yield opened


def test_writers_of_different_memories_do_not_wait_for_each_other(
    postgres: PostgresStore, beside: PostgresStore
) -> None:
    with postgres.write(SCOPE) as transaction:
        add_turn(transaction)
        run(lambda: add(postgres, OTHER), lambda: add(beside, Scope(tenant_id="t", memory_id="m")))
    assert contents(postgres) == contents(postgres, OTHER) == ["hello"]


def test_models_that_are_known_keep_nobody_waiting(postgres: PostgresStore) -> None:
    def put_model(scope: Scope) -> None:
        with postgres.write(scope) as transaction:
            open_head(transaction)
            transaction.put_model(MODEL)

    put_model(SCOPE)
    with postgres.write(SCOPE) as transaction:
        transaction.put_model(MODEL)
        run(lambda: put_model(OTHER))


def test_waiting_writers_leave_connections_to_others(server: Server, database: str) -> None:
    with closing(PostgresStore.open(server.url(database), max_connections=4)) as store:
        threads = [threading.Thread(target=add, args=(store,)) for _ in range(12)]
        with store.write(SCOPE) as transaction:
            add_turn(transaction)
            for thread in threads:
                thread.start()
            run(lambda: add(store, OTHER), lambda: contents(store), store.ping)
        for thread in threads:
            thread.join(20)
        assert len(contents(store)) == 13


def test_two_stores_see_each_others_writes(postgres: PostgresStore, beside: PostgresStore) -> None:
    for number, store in enumerate([postgres, beside] * 3, 1):
        assert add(store) == number
        assert len(contents(postgres)) == len(contents(beside)) == number


def test_versions_stay_without_a_gap_between_two_stores(
    postgres: PostgresStore, beside: PostgresStore
) -> None:
    def write(store: Store) -> None:
        for _ in range(10):
            add(store)

    run(*[lambda store=store: write(store) for store in (postgres, beside) * 4])
    with postgres.read(SCOPE) as snapshot:
        assert snapshot.head() == make_head(80, turns=80, sessions=1)
        versions = [turn.version for turn in snapshot.turns(range(80))]
    assert versions == list(range(1, 81))


def test_two_processes_write_one_memory(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    def others() -> None:
        run_child(WRITERS_OF_ANOTHER_PROCESS, server.url(database))

    def own() -> None:
        for _ in range(25):
            add(postgres)

    run(others, own)
    with postgres.read(SCOPE) as snapshot:
        turns = snapshot.turns(range(60))
    assert [turn.version for turn in turns] == list(range(1, 51))


def test_a_writer_waits_for_one_of_another_store(
    postgres: PostgresStore, beside: PostgresStore
) -> None:
    with postgres.write(SCOPE) as transaction:
        add_turn(transaction, "first")
        thread = threading.Thread(target=add, args=(beside, SCOPE, "second"))
        thread.start()
        thread.join(0.1)
        assert thread.is_alive()
    thread.join(20)
    assert contents(postgres) == ["first", "second"]


def test_a_kill_in_a_write_leaves_nothing_of_it(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    with child(DIE_IN_A_WRITE, server.url(database)) as process:
        process.kill()
        process.wait()
    add(postgres, content="next")
    assert contents(postgres) == ["acknowledged", "next"]


def _break_connections(server: Server, database: str) -> None:
    server.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        database=database,
    )


def _count_connections(server: Server, database: str) -> int:
    found = server.execute(
        "SELECT pid FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        database=database,
    )
    return len(found)


def _require_no_connection(server: Server, database: str) -> None:
    """The server notices a moment later that a client left."""
    end = time.monotonic() + 20
    while _count_connections(server, database):
        assert time.monotonic() < end, "a connection was not given back"
        time.sleep(0.01)


def test_idle_connections_that_were_lost_are_replaced_without_a_word(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    add(postgres)
    contents(postgres)
    _break_connections(server, database)
    add(postgres)
    assert len(contents(postgres)) == 2


def test_a_connection_lost_in_a_write_undoes_it(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    add(postgres, content="old")

    def write() -> None:
        with postgres.write(SCOPE) as transaction:
            add_turn(transaction, "lost")
            _break_connections(server, database)

    with pytest.raises(StoreUnavailableError, match="same request again"):
        write()
    assert contents(postgres) == ["old"]
    add(postgres, content="next")
    assert contents(postgres) == ["old", "next"]


def test_a_connection_lost_in_a_read_is_told(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    add(postgres)
    with postgres.read(SCOPE) as snapshot:
        _break_connections(server, database)
        with pytest.raises(StoreUnavailableError):
            snapshot.turns([0])
        with pytest.raises(StoreUnavailableError):
            snapshot.head()
    assert contents(postgres) == ["hello"]


def test_a_server_that_dies_and_comes_back(
    postgres: PostgresStore, server: Server, database: str
) -> None:
    add(postgres, content="old")

    def write() -> None:
        with postgres.write(SCOPE) as transaction:
            add_turn(transaction, "lost")
            server.kill()

    with pytest.raises(StoreUnavailableError):
        write()
    try:
        with pytest.raises(StoreUnavailableError, match="check that the server runs"):
            postgres.ping()
        with pytest.raises(StoreUnavailableError):
            PostgresStore.open(server.url(database))
    finally:
        server.start()
    assert contents(postgres) == ["old"]
    add(postgres, content="next")
    assert contents(postgres) == ["old", "next"]


def test_a_statement_that_takes_too_long_is_ended(
    postgres: PostgresStore, beside: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = queries.PREPARE_SESSION.replace("'30s'", "'100ms'")
    monkeypatch.setattr(queries, "PREPARE_SESSION", soon)
    with postgres.write(SCOPE) as transaction:
        add_turn(transaction)
        # Its connection is opened now, with the short time.
        with beside._writers.lend() as old:
            old.close()
        with pytest.raises(StoreUnavailableError, match="57014"):
            run(lambda: add(beside))
    assert contents(beside) == ["hello"]


def test_commits_are_durable_even_where_the_database_is_set_otherwise(
    server: Server, database: str
) -> None:
    server.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    with closing(PostgresStore.open(server.url(database))) as store:
        for pool in (store._readers, store._writers):
            with pool.lend() as connection:
                assert connection.row("SHOW synchronous_commit") == ("on",)


def test_no_more_connections_than_allowed(server: Server, database: str) -> None:
    with closing(PostgresStore.open(server.url(database), max_connections=3)) as store:
        scopes = [Scope(tenant_id="t", memory_id=str(number)) for number in range(8)]
        run(*[lambda scope=scope: add(store, scope) for scope in scopes])
        run(*[lambda scope=scope: contents(store, scope) for scope in scopes])
        assert 1 <= _count_connections(server, database) <= 3
    _require_no_connection(server, database)


def test_too_few_connections_are_refused() -> None:
    with pytest.raises(ConfigError, match="2 or more"):
        PostgresStore.open("postgresql://localhost/x", max_connections=1)


WITHOUT_THE_DRIVER = """
import sys
sys.modules["psycopg"] = None
from graphmem.errors import ConfigError
from graphmem.stores.postgres import PostgresStore

try:
    PostgresStore.open("postgresql://localhost/x")
except ConfigError as error:
    assert "graphmem[postgres]" in str(error)
else:
    sys.exit("it opened")
"""


def test_without_its_driver_the_error_names_the_extra() -> None:
    run_child(WITHOUT_THE_DRIVER)


def test_a_role_that_may_only_read_reads_and_is_told_so_when_it_writes(
    server: Server, postgres: PostgresStore, database: str
) -> None:
    add(postgres)
    role = f"reader_of_{database}"
    grants = (
        "CREATE ROLE {0} LOGIN; GRANT USAGE ON SCHEMA graphmem TO {0};"
        "GRANT SELECT ON ALL TABLES IN SCHEMA graphmem TO {0}"
    )
    server.execute(grants.format(role), database=database)
    url = server.url(database).replace("//postgres:", f"//{role}:")
    with closing(PostgresStore.open(url)) as store:
        assert contents(store) == ["hello"]
        with pytest.raises(StoreUnavailableError, match="42501"):
            add(store)


def test_a_memory_is_not_read_under_the_number_of_another(postgres: PostgresStore) -> None:
    add(postgres)
    with postgres._writers.lend() as connection:
        connection.run("UPDATE graphmem.memories SET memory_id = 'another'")
    assert contents(postgres) == []
    with pytest.raises(StoreError, match="undone"):
        add(postgres)
