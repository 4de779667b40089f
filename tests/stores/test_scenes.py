"""The laws of scenes' rows, on every store."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from graphmem.errors import StoreError
from graphmem.ports.store import Store
from tests.stores.rows import OTHER, SCOPE, add, make_answer, make_head, make_scene


def put(store: Store) -> None:
    """Two memories with the same places and keys."""
    for scope, data in ((SCOPE, b"of Ann"), (OTHER, b"of Bob")):
        add(store, scope)
        with store.write(scope) as tx:
            tx.put_scenes([make_scene(1), make_scene(0, 1, told=3, key="k"), make_scene(0, 0)])
            tx.put_answer(make_answer("k", 0, 1, data=data))
            tx.put_answer(make_answer("old", 0, 1))
            tx.put_answer(make_answer("l", 1, 0))
            tx.add_chat_tokens(7)


def test_scenes_and_answers_come_back_field_by_field(store: Store) -> None:
    put(store)
    row = replace(make_scene(9, 2**40, told=1, key="茶"), turn_nos=(2**40, 2**41))
    answer = make_answer("茶", 9, 2**40, data=b"")
    with store.write(SCOPE) as tx:
        tx.put_scenes([row])
        tx.put_answer(answer)
    with store.read(SCOPE) as snapshot:
        assert snapshot.scenes_at([(9, 2**40), (9, 1), (9, 2**40)]) == [row]
        assert snapshot.answer("茶") == answer
        assert [each.place for each in snapshot.scenes()] == [(0, 0), (0, 1), (1, 0), (9, 2**40)]


def test_an_unknown_memory_has_no_scenes(store: Store) -> None:
    with store.read(SCOPE) as snapshot:
        assert snapshot.scenes() == snapshot.waiting_scenes() == snapshot.scenes_at([(0, 0)]) == []
        assert snapshot.answer("k") is None
        assert snapshot.chat_tokens() == 0


def test_what_waits_is_listed_for_a_memory_and_for_all(store: Store) -> None:
    put(store)
    with store.read(SCOPE) as snapshot:
        assert [row.place for row in snapshot.waiting_scenes()] == [(0, 0), (1, 0)]
    assert store.scene_scopes() == sorted([SCOPE, OTHER], key=lambda s: (s.tenant_id, s.memory_id))
    with store.write(SCOPE) as tx:
        tx.put_scenes([replace(row, told=3) for row in tx.waiting_scenes()])
        assert tx.waiting_scenes() == []
    assert store.scene_scopes() == [OTHER]


def test_a_scene_is_replaced_by_its_place_and_an_answer_by_its_key(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.put_scenes([make_scene(1, told=2)])
        tx.put_answer(make_answer("k", 1, 0, data=b"new"))
        assert tx.scenes_at([(1, 0)]) == [make_scene(1, told=2)]
        assert tx.answer("k") == make_answer("k", 1, 0, data=b"new")
        tx.delete_answers([(1, 0)])
        assert tx.answer("k") is None


def test_answers_go_with_their_scene_and_not_with_its_row(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.delete_scenes([(0, 1), (5, 5)])
        assert [row.place for row in tx.scenes()] == [(0, 0), (1, 0)]
        assert tx.answer("k") is not None
        tx.delete_answers([(0, 1)])
        assert tx.answer("k") is tx.answer("old") is None
        assert tx.answer("l") is not None


def test_tokens_are_counted_by_memory(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.add_chat_tokens(0)
        tx.add_chat_tokens(2**40)
        assert tx.chat_tokens() == 2**40 + 7
    with store.read(OTHER) as snapshot:
        assert snapshot.chat_tokens() == 7


def test_nothing_reaches_into_another_memory(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.delete_scenes([row.place for row in tx.scenes()])
        tx.delete_answers([(0, 1), (1, 0)])
    with store.read(OTHER) as snapshot:
        assert len(snapshot.scenes()) == 3
        answer = snapshot.answer("k")
        assert answer is not None
        assert answer.data == b"of Bob"


def test_a_buried_memory_has_none_and_begins_anew_without(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.bury(make_head(9))
    with store.read(SCOPE) as snapshot:
        assert snapshot.scenes() == []
        assert snapshot.answer("k") is None
    assert store.scene_scopes() == [OTHER]
    with store.write(SCOPE) as tx:
        tx.create(make_head(10))
        assert (tx.scenes(), tx.answer("k"), tx.chat_tokens()) == ([], None, 0)


def test_a_write_that_fails_leaves_nothing(store: Store) -> None:
    put(store)
    with suppress(RuntimeError), store.write(SCOPE) as tx:
        tx.put_scenes([make_scene(7)])
        tx.put_answer(make_answer("new"))
        tx.add_chat_tokens(1)
        raise RuntimeError
    with store.read(SCOPE) as snapshot:
        assert snapshot.scenes_at([(7, 0)]) == []
        assert (snapshot.answer("new"), snapshot.chat_tokens()) == (None, 7)


def test_without_a_memory_nothing_is_kept(store: Store) -> None:
    with pytest.raises(StoreError), store.write(SCOPE) as tx:
        tx.put_scenes([make_scene()])
