"""Keys are kept beside the memories, on every store, and never removed."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.domain.access import EVERYTHING, Grant
from graphmem.errors import ServiceClosedError, StoreError, StoreUnavailableError
from graphmem.ports.keys import KeyRow
from graphmem.ports.store import Store
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import add, contents

BOUND = Grant(
    tenants=frozenset({"acme", "長\x00", "🙂"}),
    memories=frozenset({"user-7", '"]'}),
    rights=frozenset({"write", "read"}),
)


def make_key(key_id: str = "k1", *, created_us: int = 1, grant: Grant = BOUND) -> KeyRow:
    return KeyRow(
        key_id=key_id,
        name="测试 \x00",
        grant=grant,
        salt=b"\x00salt",
        digest=b"digest\xff",
        created_us=created_us,
    )


@pytest.mark.parametrize(
    "grant",
    [BOUND, EVERYTHING, Grant(tenants=frozenset(), memories=frozenset(), rights=frozenset())],
    ids=["bound", "everything", "nothing"],
)
def test_a_key_comes_back_field_by_field(store: Store, grant: Grant) -> None:
    store.put_key(make_key(grant=grant))
    assert store.access_keys() == [make_key(grant=grant)]


def test_keys_are_ordered_by_creation_then_id(store: Store) -> None:
    for key_id, created_us in (("b", 2), ("a", 2), ("c", 1)):
        store.put_key(make_key(key_id, created_us=created_us))
    assert [key.key_id for key in store.access_keys()] == ["c", "a", "b"]


def test_an_id_is_used_once(store: Store) -> None:
    store.put_key(make_key())
    with pytest.raises(StoreError):
        store.put_key(make_key(created_us=9))
    assert store.access_keys() == [make_key()]


def test_a_key_is_revoked_once_and_stays_in_the_list(store: Store) -> None:
    store.put_key(make_key())
    store.put_key(make_key("k2", created_us=2))
    assert store.revoke_key("k1", 5)
    assert not store.revoke_key("k1", 6)
    assert not store.revoke_key("nobody", 6)
    assert store.access_keys() == [replace(make_key(), revoked_us=5), make_key("k2", created_us=2)]


def test_keys_and_memories_do_not_touch_each_other(store: Store) -> None:
    add(store)
    store.put_key(make_key())
    assert contents(store) == ["hello"]
    assert len(store.scopes()) == 1


def test_a_closed_store_has_no_keys_to_give(store: Store) -> None:
    store.close()
    with pytest.raises(ServiceClosedError):
        store.access_keys()
    with pytest.raises(ServiceClosedError):
        store.put_key(make_key())


def test_keys_survive_reopening(tmp_path: Path) -> None:
    with closing(SqliteStore.open(tmp_path)) as store:
        store.put_key(make_key())
        store.revoke_key("k1", 7)
    with closing(SqliteStore.open(tmp_path, read_only=True)) as reader:
        assert reader.access_keys() == [replace(make_key(), revoked_us=7)]
        with pytest.raises(StoreUnavailableError):
            reader.put_key(make_key("k2"))
