"""A pool lends a bounded number of connections and mends itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from graphmem.errors import StoreUnavailableError
from graphmem.stores.pool import Pool
from graphmem.stores.sqlite.connection import Connection, open_writer
from graphmem.stores.sqlite.place import Place


class Counted:
    """Opens connections and keeps count."""

    def __init__(self, place: Place) -> None:
        self.opened: list[Connection] = []
        self._open = partial(open_writer, place)

    def __call__(self) -> Connection:
        self.opened.append(self._open())
        return self.opened[-1]


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    place = Place(directory=tmp_path)
    place.make_database()
    return Counted(place)


@pytest.fixture
def pool(counted: Counted) -> Iterator[Pool[Connection]]:
    made = Pool(counted, size=3)
    yield made
    made.close()


def test_connections_are_opened_when_first_needed(pool: Pool[Connection], counted: Counted) -> None:
    assert counted.opened == []
    with ExitStack() as loans:
        for number in range(1, 4):
            loans.enter_context(pool.lend())
            assert len(counted.opened) == number


def test_the_last_one_given_back_is_lent_first(pool: Pool[Connection], counted: Counted) -> None:
    with pool.lend() as first, pool.lend():
        pass
    for _ in range(5):
        with pool.lend() as connection:
            assert connection is first
    assert len(counted.opened) == 2


def test_a_transaction_left_open_is_undone(pool: Pool[Connection]) -> None:
    with pool.lend() as connection:
        connection.run("BEGIN IMMEDIATE")
        connection.run("CREATE TABLE left_open (x)")
    with pool.lend() as connection:
        assert connection.rows("SELECT name FROM sqlite_schema") == []


def test_a_broken_connection_is_replaced(pool: Pool[Connection], counted: Counted) -> None:
    with pool.lend() as connection:
        connection.close()
    with pool.lend() as connection:
        assert connection.row("SELECT 1") == (1,)
    assert len(counted.opened) == 2


def test_a_failed_opening_takes_no_place(tmp_path: Path) -> None:
    pool = Pool(partial(open_writer, Place(directory=tmp_path / "missing")), size=1)
    for _ in range(3):
        with pytest.raises(StoreUnavailableError), pool.lend():
            pass
    pool.close()
