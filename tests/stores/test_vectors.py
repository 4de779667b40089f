"""The laws of vectors, of the work that waits for them, and of their models, on every store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from graphmem.domain.scope import Scope
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Span, Store, WriteTransaction
from tests.stores.rows import (
    MODEL,
    OTHER,
    SCOPE,
    add,
    add_turn,
    contents,
    make_head,
    make_vectors,
    open_head,
)

NEWER = EmbeddingModel(name="newer", dimension=8, fingerprint="f-newer")

Change = Callable[[WriteTransaction], None]


def put(store: Store, *firsts: int, model: EmbeddingModel = MODEL, scope: Scope = SCOPE) -> None:
    """Put vectors that begin at these turns, and as much work, of a model."""
    with store.write(scope) as transaction:
        open_head(transaction)
        transaction.put_model(model)
        transaction.put_vectors([make_vectors(first, model=model) for first in firsts])
        transaction.put_pending(model.fingerprint, [span(first) for first in firsts])


def span(first_turn: int, turns: int = 1) -> Span:
    return Span(first_turn=first_turn, turns=turns)


def test_an_unknown_memory_has_no_vectors_and_no_work(store: Store) -> None:
    with store.read(SCOPE) as snapshot:
        assert snapshot.vectors(MODEL.fingerprint, since=0) == []
        assert snapshot.vector_spans(MODEL.fingerprint) == []
        assert snapshot.pending(MODEL.fingerprint) == []
    assert store.models() == []
    assert store.scopes() == []
    assert store.pending_scopes(MODEL.fingerprint) == []


@pytest.mark.parametrize("data", [b"", b"\x00", bytes(range(256)) * 5000])
def test_vectors_come_back_byte_for_byte(store: Store, data: bytes) -> None:
    vectors = replace(make_vectors(3), turns=17, version=2**40, data=data)
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_model(MODEL)
        transaction.put_vectors([vectors])
        assert transaction.vectors(MODEL.fingerprint, since=0) == [vectors]
    with store.read(SCOPE) as snapshot:
        assert snapshot.vectors(MODEL.fingerprint, since=2**40 - 1) == [vectors]
        assert snapshot.vector_spans(MODEL.fingerprint) == [span(3, 17)]


def test_vectors_since_a_version_come_by_first_turn(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_model(MODEL)
        transaction.put_vectors(
            [make_vectors(first, version=version) for first, version in ((4, 2), (0, 3), (2, 1))]
        )
    with store.read(SCOPE) as snapshot:
        assert [row.first_turn for row in snapshot.vectors("f-model", since=0)] == [0, 2, 4]
        assert [row.first_turn for row in snapshot.vectors("f-model", since=1)] == [0, 4]
        assert [row.first_turn for row in snapshot.vectors("f-model", since=2)] == [0]
        assert snapshot.vectors("f-model", since=3) == []
        assert [place.first_turn for place in snapshot.vector_spans("f-model")] == [0, 2, 4]


def test_vectors_of_two_models_never_meet(store: Store) -> None:
    put(store, 0, 1)
    put(store, 0, model=NEWER)
    with store.read(SCOPE) as snapshot:
        assert snapshot.vectors(NEWER.fingerprint, since=0) == [make_vectors(0, model=NEWER)]
        assert snapshot.vector_spans(MODEL.fingerprint) == [span(0), span(1)]
        assert snapshot.pending(NEWER.fingerprint) == [span(0)]
        assert snapshot.vectors("f-none", since=0) == []


def test_vectors_of_two_memories_never_meet(store: Store) -> None:
    put(store, 0)
    put(store, 1, scope=OTHER)
    with store.write(OTHER) as transaction:
        transaction.delete_pending(MODEL.fingerprint, [0])
        transaction.delete_vectors(keep="f-none")
        assert transaction.vector_spans(MODEL.fingerprint) == []
    with store.read(SCOPE) as snapshot:
        assert snapshot.vector_spans(MODEL.fingerprint) == [span(0)]
        assert snapshot.pending(MODEL.fingerprint) == [span(0)]


def test_deleting_keeps_the_vectors_and_the_work_of_one_model(store: Store) -> None:
    put(store, 0, 1)
    put(store, 0, model=NEWER)
    with store.write(SCOPE) as transaction:
        transaction.put_pending("f-never-known", [span(5)])
        transaction.delete_vectors(keep=NEWER.fingerprint)
    with store.read(SCOPE) as snapshot:
        assert snapshot.vector_spans(NEWER.fingerprint) == [span(0)]
        assert snapshot.pending(NEWER.fingerprint) == [span(0)]
        for gone in (MODEL.fingerprint, "f-never-known"):
            assert snapshot.vector_spans(gone) == []
            assert snapshot.pending(gone) == []


def test_work_waits_by_first_turn_until_it_is_deleted(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_pending("f-unknown", [span(40, 20), span(0, 20)])
        transaction.put_pending("f-unknown", [span(20, 20)])
        assert transaction.pending("f-unknown") == [span(0, 20), span(20, 20), span(40, 20)]
    with store.write(SCOPE) as transaction:
        transaction.delete_pending("f-unknown", [20, 99])
        transaction.delete_pending("f-other", [0])
        transaction.put_pending("f-unknown", [span(20, 5)])
    with store.read(SCOPE) as snapshot:
        assert snapshot.pending("f-unknown") == [span(0, 20), span(20, 5), span(40, 20)]


def test_a_model_is_known_to_all_memories_and_stays_as_it_is(store: Store) -> None:
    put(store, model=NEWER)
    put(store, model=MODEL)
    put(store, model=replace(MODEL, name="renamed"), scope=OTHER)
    with store.write(OTHER) as transaction:
        transaction.put_vectors([make_vectors(0, model=NEWER)])
    assert store.models() == [MODEL, NEWER]


def test_models_are_ordered_by_the_bytes_of_their_fingerprints(store: Store) -> None:
    prints = ["b", "a", "\uffff", "🙂", "Z", "é"]
    for fingerprint in prints:
        put(store, model=replace(MODEL, fingerprint=fingerprint))
    assert [model.fingerprint for model in store.models()] == sorted(prints, key=str.encode)


def test_an_abandoned_write_leaves_no_model_no_vectors_and_no_work(store: Store) -> None:
    add(store)

    def abandon() -> None:
        with store.write(SCOPE) as transaction:
            transaction.put_model(MODEL)
            transaction.put_vectors([make_vectors(0)])
            transaction.put_pending(MODEL.fingerprint, [span(0)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        abandon()
    assert store.models() == []
    assert store.pending_scopes(MODEL.fingerprint) == []
    with store.read(SCOPE) as snapshot:
        assert snapshot.vector_spans(MODEL.fingerprint) == []


def test_a_snapshot_keeps_the_vectors_that_it_began_with(store: Store) -> None:
    put(store, 0)
    with store.read(SCOPE) as snapshot:
        put(store, 1)
        assert snapshot.vectors(MODEL.fingerprint, since=0) == [make_vectors(0)]
        assert snapshot.pending(MODEL.fingerprint) == [span(0)]


def _put_vectors_of_no_model(transaction: WriteTransaction) -> None:
    transaction.put_vectors([make_vectors(9, model=NEWER)])


def _take_vectors_place(transaction: WriteTransaction) -> None:
    transaction.put_vectors([make_vectors(0)])


def _repeat_vectors_in_batch(transaction: WriteTransaction) -> None:
    transaction.put_vectors([make_vectors(9), make_vectors(9)])


def _take_place_of_work(transaction: WriteTransaction) -> None:
    transaction.put_pending(MODEL.fingerprint, [span(0, 7)])


def _repeat_work_in_batch(transaction: WriteTransaction) -> None:
    transaction.put_pending(MODEL.fingerprint, [span(9), span(9)])


@pytest.mark.parametrize(
    "breach",
    [
        _put_vectors_of_no_model,
        _take_vectors_place,
        _repeat_vectors_in_batch,
        _take_place_of_work,
        _repeat_work_in_batch,
    ],
)
def test_vectors_and_work_that_contradict_others_are_refused(store: Store, breach: Change) -> None:
    put(store, 0)

    def write() -> None:
        with store.write(SCOPE) as transaction:
            add_turn(transaction)
            breach(transaction)

    with pytest.raises(StoreError, match="undone"):
        write()
    assert contents(store) == []


def _put_model(transaction: WriteTransaction) -> None:
    transaction.put_model(MODEL)


def _put_vectors(transaction: WriteTransaction) -> None:
    transaction.put_vectors([])


def _delete_vectors(transaction: WriteTransaction) -> None:
    transaction.delete_vectors(keep="")


def _put_pending(transaction: WriteTransaction) -> None:
    transaction.put_pending("f", [])


def _delete_pending(transaction: WriteTransaction) -> None:
    transaction.delete_pending("f", [])


@pytest.mark.parametrize(
    "change", [_put_model, _put_vectors, _delete_vectors, _put_pending, _delete_pending]
)
def test_a_memory_is_created_before_vectors_are_put(store: Store, change: Change) -> None:
    with pytest.raises(StoreError, match="created"), store.write(SCOPE) as transaction:
        change(transaction)
    assert store.models() == []


def test_scopes_in_which_work_waits_are_listed_over_all_tenants(store: Store) -> None:
    names = [("t", "b"), ("t", "a"), ("s", "z"), ("t", ""), ("", "x"), ("é", "a")]
    scopes = [Scope(tenant_id=tenant, memory_id=memory) for tenant, memory in names]
    for scope in scopes:
        put(store, 0, 1, scope=scope)
    put(store, 0, model=NEWER, scope=OTHER)
    with store.write(scopes[0]) as transaction:
        transaction.delete_pending(MODEL.fingerprint, [0])
    with store.write(scopes[1]) as transaction:
        transaction.delete_pending(MODEL.fingerprint, [0, 1])
    listed = [(scope.tenant_id, scope.memory_id) for scope in store.pending_scopes("f-model")]
    assert listed == [("", "x"), ("s", "z"), ("t", ""), ("t", "b"), ("é", "a")]
    assert store.pending_scopes(NEWER.fingerprint) == [OTHER]
