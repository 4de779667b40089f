"""A claim is seen by other processes while it is held, and keeps nobody from anything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from graphmem.stores.postgres import PostgresStore
from tests.stores.children import child
from tests.stores.rows import OTHER, SCOPE, add, contents
from tests.stores.server import Server
from tests.stores.test_concurrency import run
from tests.stores.test_postgres_store import _break_connections

CLAIM_AND_WAIT = """
import sys
from graphmem.stores.postgres import PostgresStore
from tests.stores.rows import SCOPE

store = PostgresStore.open(sys.argv[1])
store.claims.claim(SCOPE)
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def beside(server: Server, database: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(server.url(database))) as opened:
        yield opened


def test_a_claim_is_seen_by_others_and_not_by_who_holds_it(
    postgres: PostgresStore, beside: PostgresStore
) -> None:
    assert not beside.claims.is_claimed(SCOPE)
    postgres.claims.claim(SCOPE)
    assert beside.claims.is_claimed(SCOPE)
    assert not postgres.claims.is_claimed(SCOPE)
    assert not beside.claims.is_claimed(OTHER)
    postgres.claims.release(SCOPE)
    assert not beside.claims.is_claimed(SCOPE)


def test_it_is_held_until_the_last_of_several_is_released(
    postgres: PostgresStore, beside: PostgresStore
) -> None:
    for store in (postgres, postgres, beside):
        store.claims.claim(SCOPE)
    postgres.claims.release(SCOPE)
    assert beside.claims.is_claimed(SCOPE)
    postgres.claims.release(SCOPE)
    assert not beside.claims.is_claimed(SCOPE)
    assert postgres.claims.is_claimed(SCOPE)


def test_it_keeps_nobody_from_writing(postgres: PostgresStore, beside: PostgresStore) -> None:
    postgres.claims.claim(SCOPE)
    run(lambda: add(beside), lambda: beside.claims.claim(SCOPE))
    assert contents(postgres) == ["hello"]


def test_it_ends_with_its_process(postgres: PostgresStore, server: Server, database: str) -> None:
    with child(CLAIM_AND_WAIT, server.url(database)) as process:
        assert postgres.claims.is_claimed(SCOPE)
        process.kill()
        process.wait()
    for _ in range(1000):
        if not postgres.claims.is_claimed(SCOPE):
            return
    pytest.fail("a dead process claims it still")


def test_a_lost_connection_is_replaced_with_all_that_it_held(
    postgres: PostgresStore, beside: PostgresStore, server: Server, database: str
) -> None:
    postgres.claims.claim(SCOPE)
    _break_connections(server, database)
    assert not beside.claims.is_claimed(SCOPE)
    postgres.claims.claim(OTHER)
    assert beside.claims.is_claimed(SCOPE)
    assert beside.claims.is_claimed(OTHER)
    postgres.claims.release(SCOPE)
    assert not beside.claims.is_claimed(SCOPE)


def test_without_a_server_nothing_is_claimed_and_nothing_fails(
    postgres: PostgresStore, beside: PostgresStore, server: Server
) -> None:
    postgres.claims.claim(SCOPE)
    server.kill()
    try:
        postgres.claims.claim(OTHER)
        assert not beside.claims.is_claimed(SCOPE)
        postgres.claims.release(SCOPE)
    finally:
        server.start()
    postgres.claims.claim(SCOPE)
    assert beside.claims.is_claimed(SCOPE)
    assert beside.claims.is_claimed(OTHER)


def test_a_closed_store_claims_nothing(
    server: Server, database: str, beside: PostgresStore
) -> None:
    store = PostgresStore.open(server.url(database))
    store.claims.claim(SCOPE)
    store.close()
    store.claims.claim(OTHER)
    assert not store.claims.is_claimed(SCOPE)
    for _ in range(1000):
        if not (beside.claims.is_claimed(SCOPE) or beside.claims.is_claimed(OTHER)):
            return
    pytest.fail("a closed store claims them still")
