"""The laws of atoms' rows, on every store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from graphmem.errors import StoreError
from graphmem.ports.store import Store, WriteTransaction
from tests.stores.rows import (
    OTHER,
    SCOPE,
    add,
    make_atom,
    make_edit,
    make_head,
    make_source,
)


def put(store: Store) -> None:
    """Two memories with the same numbers and ids of atoms."""
    for scope, text in ((SCOPE, b"of Ann"), (OTHER, b"of Bob")):
        add(store, scope)
        with store.write(scope) as tx:
            tx.put_atoms([make_atom(0, data=text), make_atom(1, version=2)])
            tx.put_atom_sources([make_source(0, 0), make_source(0, 3), make_source(1, 3, 9)])
            tx.put_atom_edits([make_edit(1, 2), make_edit(1, 1)])


def test_atoms_come_back_field_by_field(store: Store) -> None:
    put(store)
    row = make_atom(7, version=2**40, is_live=False, data=b"")
    with store.write(SCOPE) as tx:
        tx.put_atoms([row])
    with store.read(SCOPE) as snapshot:
        assert snapshot.atoms_at([7]) == [row]
        assert snapshot.atom_sources([1]) == [make_source(1, 3, 9)]
        assert snapshot.atom_edits(["a_1"]) == [make_edit(1, 1), make_edit(1, 2)]
        assert snapshot.next_atom() == 8


def test_an_unknown_memory_has_no_atoms(store: Store) -> None:
    with store.read(SCOPE) as snapshot:
        assert snapshot.atoms(since=0) == snapshot.find_atoms(["a_0"]) == []
        assert snapshot.sources_in([0]) == []
        assert snapshot.atom_edits(["a_0"]) == []
        assert snapshot.next_atom() == 0


def test_atoms_are_found_by_version_by_id_and_by_turn(store: Store) -> None:
    put(store)
    with store.read(SCOPE) as snapshot:
        assert [row.atom_no for row in snapshot.atoms(since=0)] == [0, 1]
        assert [row.atom_no for row in snapshot.atoms(since=1)] == [1]
        assert [row.atom_no for row in snapshot.find_atoms(["a_1", "a_9", "a_1"])] == [1]
        assert [row.atom_no for row in snapshot.sources_in([3, 4])] == [0, 1]


def test_an_atom_is_replaced_by_its_number(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.put_atoms([replace(make_atom(0, version=3), atom_id="a_new")])
        assert tx.find_atoms(["a_0"]) == []
        assert [row.version for row in tx.find_atoms(["a_new"])] == [3]


def test_no_two_atoms_have_one_id(store: Store) -> None:
    put(store)
    with pytest.raises(StoreError), store.write(SCOPE) as tx:
        tx.put_atoms([replace(make_atom(5), atom_id="a_0")])
    with store.read(SCOPE) as snapshot:
        assert snapshot.atoms_at([5]) == []


def test_an_atom_goes_with_its_sources(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.delete_atoms([0])
        tx.delete_atom_sources([make_source(1, 3, 9)])
        tx.delete_atom_edits(["a_1"])
    with store.read(SCOPE) as snapshot:
        assert [row.atom_no for row in snapshot.atoms(since=0)] == [1]
        assert snapshot.atom_sources([0, 1]) == []
        assert snapshot.atom_edits(["a_1"]) == []


def test_what_is_done_to_the_atoms_of_one_memory_leaves_others_alone(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.delete_atoms([0, 1])
        tx.delete_atom_sources([make_source(0, 3)])
        tx.delete_atom_edits(["a_1"])
    with store.read(OTHER) as snapshot:
        assert [row.data for row in snapshot.atoms_at([0])] == [b"of Bob"]
        assert len(snapshot.atom_sources([0, 1])) == 3
        assert len(snapshot.atom_edits(["a_1"])) == 2


def test_a_memory_that_is_deleted_takes_its_atoms_along(store: Store) -> None:
    put(store)
    with store.write(SCOPE) as tx:
        tx.bury(make_head(3))
    with store.write(SCOPE) as tx:
        tx.create(make_head(4))
        assert tx.atoms(since=0) == []
        assert tx.atom_sources([0, 1]) == []
        assert tx.atom_edits(["a_1"]) == []


def test_a_write_that_fails_leaves_no_atoms(store: Store) -> None:
    put(store)
    with suppress(ZeroDivisionError), store.write(SCOPE) as tx:
        tx.put_atoms([make_atom(0, data=b"changed")])
        raise ZeroDivisionError
    with store.read(SCOPE) as snapshot:
        assert [row.data for row in snapshot.atoms_at([0])] == [b"of Ann"]


@pytest.mark.parametrize(
    "call",
    [
        lambda tx: tx.put_atoms([]),
        lambda tx: tx.delete_atoms([]),
        lambda tx: tx.put_atom_sources([]),
        lambda tx: tx.delete_atom_sources([]),
        lambda tx: tx.put_atom_edits([]),
        lambda tx: tx.delete_atom_edits([]),
    ],
    ids=["put", "delete", "put sources", "delete sources", "put edits", "delete edits"],
)
def test_atoms_need_a_memory(store: Store, call: Callable[[WriteTransaction], None]) -> None:
    with pytest.raises(StoreError), store.write(SCOPE) as tx:
        call(tx)
