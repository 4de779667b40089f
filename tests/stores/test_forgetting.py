"""The laws of deletions, graves and tombstones, on every store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graphmem.errors import StoreError
from graphmem.ports.store import Store, WriteTransaction
from tests.stores.rows import (
    MODEL,
    OTHER,
    SCOPE,
    add,
    contents,
    make_head,
    make_request,
    make_segment,
    make_session,
    make_turn,
    make_vectors,
)
from tests.stores.test_erasure import NOW, make_tombstone, now_us

GRAVE = replace(make_head(9), erased_turns=3, erased_sessions=1, generation=2)


def fill(store: Store) -> None:
    """A memory with a row of each kind."""
    add(store)
    with store.write(SCOPE) as transaction:
        transaction.put_request(make_request())
        transaction.put_model(MODEL)
        transaction.put_vectors([make_vectors()])
        transaction.put_pending(MODEL.fingerprint, transaction.segment_spans())


def bury(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.bury(GRAVE)
        transaction.put_tombstone(make_tombstone(9))


def test_a_buried_memory_is_not_there(store: Store) -> None:
    fill(store)
    bury(store)
    assert store.memories(SCOPE.tenant_id) == []
    assert store.scopes() == []
    assert store.pending_scopes(MODEL.fingerprint) == []
    assert store.stale_scopes("any") == []
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() is None
        assert snapshot.turn_nos() == []
        assert snapshot.segments(since=0) == []
        assert snapshot.vector_models() == []
        assert snapshot.session("s0") is None


def test_its_ledger_its_grave_and_its_tombstones_stay(store: Store) -> None:
    fill(store)
    bury(store)
    with store.read(SCOPE) as snapshot:
        assert snapshot.grave() == GRAVE
        assert snapshot.request("addsearch", "r1") == make_request()
        assert snapshot.tombstones() == [make_tombstone(9)]


def test_a_memory_is_made_anew_on_its_grave(store: Store) -> None:
    fill(store)
    bury(store)
    with store.write(SCOPE) as transaction:
        transaction.create(make_head(10))
        transaction.put_session(make_session())
        transaction.put_turns([make_turn(0, "anew")])
        assert transaction.grave() is None
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() == make_head(10)
        assert [turn.content for turn in snapshot.turns([0])] == ["anew"]
        assert snapshot.request("addsearch", "r1") == make_request()
        assert snapshot.tombstones() == [make_tombstone(9)]


def test_a_grave_of_one_memory_is_none_of_another(store: Store) -> None:
    fill(store)
    add(store, OTHER, "of Bob")
    bury(store)
    with store.read(OTHER) as snapshot:
        assert snapshot.grave() is None
        assert snapshot.tombstones() == []
    assert contents(store, OTHER) == ["of Bob"]


Change = Callable[[WriteTransaction], None]
REFUSED: dict[str, Change] = {
    "a turn in a buried memory": lambda tx: tx.put_turns([make_turn(5)]),
    "a head for a buried memory": lambda tx: tx.set_head(make_head(5)),
    "a second burial": lambda tx: tx.bury(GRAVE),
    "a second tombstone of a version": lambda tx: tx.put_tombstone(make_tombstone(9)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_buried_memory_takes_nothing(store: Store, name: str) -> None:
    fill(store)
    bury(store)
    with pytest.raises(StoreError), store.write(SCOPE) as transaction:
        REFUSED[name](transaction)
    with store.read(SCOPE) as snapshot:
        assert snapshot.grave() == GRAVE


def test_a_session_with_turns_stays(store: Store) -> None:
    fill(store)
    with pytest.raises(StoreError), store.write(SCOPE) as transaction:
        transaction.delete_sessions([0])
    with store.write(SCOPE) as transaction:
        transaction.delete_turns([0, 7])
        transaction.delete_sessions([0, 7])
        assert transaction.session("s0") is None
    assert contents(store) == []


def test_a_deletion_that_fails_deletes_nothing(store: Store) -> None:
    fill(store)

    def fail() -> None:
        with store.write(SCOPE) as transaction:
            transaction.bury(GRAVE)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert contents(store) == ["hello"]
    with store.read(SCOPE) as snapshot:
        assert snapshot.grave() is None


def test_a_snapshot_outlives_a_deletion(store: Store) -> None:
    fill(store)
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() is not None
        bury(store)
        assert [turn.content for turn in snapshot.turns([0])] == ["hello"]


@pytest.mark.parametrize(
    ("asked", "firsts"),
    [([], []), ([0], [0]), ([3], [0]), ([4, 9], [4]), ([2, 5, 2], [0, 4]), ([-1], [])],
)
def test_segments_around_turns_are_the_last_that_begin_before_them(
    store: Store, asked: list[int], firsts: list[int]
) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_model(MODEL)
        for first in (0, 4):
            transaction.put_segment(make_segment(first))
            transaction.put_vectors([make_vectors(first)])
    with store.read(SCOPE) as snapshot:
        assert [row.first_turn for row in snapshot.segments_around(asked)] == firsts
        found = snapshot.vectors_around(MODEL.fingerprint, asked)
        assert [row.first_turn for row in found] == firsts


def test_an_erasure_closes_the_tombstones_of_all_memories(store: Store) -> None:
    fill(store)
    add(store, OTHER)
    bury(store)
    with store.write(OTHER) as transaction:
        transaction.put_tombstone(make_tombstone(1))
    assert store.unerased() == 2
    assert store.erase(now_us) == 2
    assert store.erase(now_us) == 0
    for scope in (SCOPE, OTHER):
        with store.read(scope) as snapshot:
            assert [row.erased_us for row in snapshot.tombstones()] == [NOW]
