"""What holds while many threads use one store."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.domain.scope import Scope
from graphmem.errors import ServiceClosedError
from graphmem.ports.store import Store
from tests.stores.rows import OTHER, SCOPE, add, add_turn, contents, make_head, make_turn

WAIT = 20.0


def run(*calls: Callable[[], object]) -> None:
    """Run all calls at once, each in a thread; raise what one of them raised."""
    with ThreadPoolExecutor(len(calls)) as threads:
        for result in [threads.submit(call) for call in calls]:
            result.result(WAIT)


def test_a_snapshot_stays_as_it_was_while_a_write_commits(store: Store) -> None:
    add(store, content="old")
    with store.read(SCOPE) as snapshot:
        run(lambda: add(store, content="new"))
        assert snapshot.head() == make_head(1, turns=1, sessions=1)
        assert snapshot.turns([0, 1]) == [make_turn(0, "old")]
        assert len(snapshot.segments(since=0)) == 1
    assert contents(store) == ["old", "new"]


def test_a_snapshot_of_no_memory_stays_empty(store: Store) -> None:
    with store.read(SCOPE) as snapshot:
        run(lambda: add(store))
        assert snapshot.head() is None
        assert snapshot.turns([0]) == []


def test_a_read_neither_waits_for_an_open_write_nor_sees_it(store: Store) -> None:
    add(store, content="old")
    with store.write(SCOPE) as transaction:
        add_turn(transaction, "new")
        run(lambda: see_the_old_state(store))
    assert contents(store) == ["old", "new"]


def see_the_old_state(store: Store) -> None:
    assert contents(store) == ["old"]
    assert [row.head.version for row in store.memories(SCOPE.tenant_id)] == [1]
    store.ping()


def test_the_writing_thread_may_read_the_committed_state(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        add_turn(transaction)
        assert contents(store) == []


def test_write_transactions_of_one_thread_do_not_nest(store: Store) -> None:
    with store.write(SCOPE), pytest.raises(RuntimeError, match="nest"), store.write(OTHER):
        pass
    add(store)


def test_no_update_is_lost_between_writers_of_one_memory(store: Store) -> None:
    writers, each = 16, 5

    def write() -> None:
        for _ in range(each):
            add(store)

    run(*[write] * writers)
    with store.read(SCOPE) as snapshot:
        head = snapshot.head()
        assert head == make_head(writers * each, turns=writers * each, sessions=1)
        versions = [turn.version for turn in snapshot.turns(range(writers * each))]
    assert versions == list(range(1, writers * each + 1))


def test_many_readers_beside_many_writers_see_whole_states(store: Store) -> None:
    scopes = [Scope(tenant_id="t", memory_id=str(number)) for number in range(4)]

    def write(scope: Scope) -> None:
        with store.write(scope) as transaction:
            add_turn(transaction)
            add_turn(transaction)

    def read(scope: Scope) -> None:
        with store.read(scope) as snapshot:
            head = snapshot.head()
            turns = head.turns if head else 0
            assert turns % 2 == 0
            assert len(snapshot.turns(range(turns + 2))) == turns
            assert len(snapshot.segments(since=0)) == turns

    writes = [lambda scope=scope: write(scope) for scope in scopes * 16]
    reads = [lambda scope=scope: read(scope) for scope in scopes * 64]
    run(*writes, *reads)
    assert [row.head.turns for row in store.memories("t")] == [32] * 4


def test_writers_are_served_in_the_order_in_which_they_came(store: Store) -> None:
    served: list[int] = []

    def write(number: int) -> None:
        with store.write(SCOPE):
            served.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    with store.write(SCOPE):
        for thread in threads:
            thread.start()
            time.sleep(0.02)  # there is no sign by which to tell that a thread waits
    for thread in threads:
        thread.join(WAIT)
    assert served == [0, 1, 2, 3, 4]


def test_a_transaction_may_be_used_from_another_thread(store: Store) -> None:
    add(store)
    with store.read(SCOPE) as snapshot:
        run(lambda: snapshot.turns([0]))
    with store.write(SCOPE) as transaction:
        run(lambda: add_turn(transaction))
    assert len(contents(store)) == 2


def test_close_waits_for_what_runs_and_refuses_what_comes(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        closing = threading.Thread(target=store.close)
        closing.start()
        closing.join(0.05)
        assert closing.is_alive()
        add_turn(transaction)
    closing.join(WAIT)
    assert not closing.is_alive()


def test_a_closed_store_answers_nothing(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(ServiceClosedError), store.read(SCOPE):
        pass
    with pytest.raises(ServiceClosedError), store.write(SCOPE):
        pass
    with pytest.raises(ServiceClosedError):
        store.memories("t")
    with pytest.raises(ServiceClosedError):
        store.ping()
