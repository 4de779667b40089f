"""Memories and tenants are apart, whatever their ids; listings show one tenant's, in order."""

from __future__ import annotations

from random import Random

import pytest

from graphmem.domain.scope import Scope
from graphmem.ports.store import Store
from tests.stores.rows import (
    OTHER,
    SCOPE,
    add,
    contents,
    make_head,
    make_request,
    make_segment,
    make_session,
)


def test_scopes_never_see_each_other(store: Store) -> None:
    add(store, SCOPE, "of Ann")
    add(store, OTHER, "of Bob")
    with store.write(OTHER) as transaction:
        transaction.put_request(make_request())
        transaction.put_session(make_session(1, "of Bob"))
        transaction.put_segment(make_segment(8))
    with store.write(SCOPE) as transaction:
        assert transaction.session("of Bob") is None
        assert [span.first_turn for span in transaction.segment_spans()] == [0]
        assert transaction.request("addsearch", "r1") is None
        transaction.delete_segments([8])
        with pytest.raises(KeyError):
            transaction.segment(8)
    assert contents(store, SCOPE) == ["of Ann"]
    assert contents(store, OTHER) == ["of Bob"]
    with store.read(OTHER) as snapshot:
        assert [row.first_turn for row in snapshot.segments(since=0)] == [0, 8]


CRAFTED = [
    ("a", "bc"),
    ("ab", "c"),
    ("", "abc"),
    ("abc", ""),
    ("a\x00", "bc"),
    ("a", "\x00bc"),
    ("A", "bc"),
    ("a ", "bc"),
    ("a", "bc "),
    ("é", "x"),
    ("e\u0301", "x"),
    ("ａ", "bc"),
    ("🙂", "🙃"),
    ("長" * 1024, "記" * 1024),
    ("長" * 1024, "記" * 1023 + "己"),
]


def test_ids_are_compared_byte_for_byte(store: Store) -> None:
    scopes = [Scope(tenant_id=tenant, memory_id=memory) for tenant, memory in CRAFTED]
    for number, scope in enumerate(scopes):
        add(store, scope, f"of {number}")
    for number, scope in enumerate(scopes):
        assert contents(store, scope) == [f"of {number}"]
        assert scope in [row.scope for row in store.memories(scope.tenant_id)]


def test_long_ids_that_do_not_compress_are_ids_too(store: Store) -> None:
    # Keys of databases hold some thousand bytes, after compression.
    letters = Random(1)  # noqa: S311 - no secret
    long = "".join(chr(letters.randrange(0x4E00, 0x9FFF)) for _ in range(2000))
    scopes = [Scope(tenant_id=long, memory_id=long + end) for end in ("", "a", "b")]
    for scope in scopes:
        add(store, scope)
        with store.write(scope) as transaction:
            transaction.put_session(make_session(1, long))
            transaction.put_request(make_request(long))
    assert [row.scope for row in store.memories(long)] == scopes
    assert [row.scope for row in store.memories(long, after=long)] == scopes[1:]
    assert store.scopes(after=scopes[0]) == scopes[1:]
    with store.read(scopes[0]) as snapshot:
        assert snapshot.request("addsearch", long) == make_request(long)


def test_memories_are_listed_by_the_bytes_of_their_ids(store: Store) -> None:
    ids = ["b", "a", "", "ab", "\x00", "Z", "é", "中", "\uffff", "🙂"]
    for memory_id in ids:
        add(store, Scope(tenant_id="t", memory_id=memory_id))
    listed = [row.scope.memory_id for row in store.memories("t")]
    # U+FFFF sorts before an emoji in UTF-8, but behind it in UTF-16.
    assert listed == sorted(ids, key=str.encode)
    assert listed[-2:] == ["\uffff", "🙂"]


def test_memories_are_listed_page_by_page(store: Store) -> None:
    ids = sorted((f"m{number}" for number in range(7)), key=str.encode)
    for memory_id in ids:
        add(store, Scope(tenant_id="t", memory_id=memory_id))
    pages, after = [], None
    while page := store.memories("t", after=after, limit=3):
        pages.append([row.scope.memory_id for row in page])
        after = page[-1].scope.memory_id
    assert pages == [ids[:3], ids[3:6], ids[6:]]


def test_a_page_may_begin_behind_an_id_that_is_not_there(store: Store) -> None:
    for memory_id in ("a", "c"):
        add(store, Scope(tenant_id="t", memory_id=memory_id))
    assert [row.scope.memory_id for row in store.memories("t", after="b")] == ["c"]
    assert store.memories("t", limit=0) == []


def test_a_listing_shows_the_heads_of_one_tenant_only(store: Store) -> None:
    add(store, Scope(tenant_id="t", memory_id="m"))
    add(store, Scope(tenant_id="u", memory_id="n"))
    (row,) = store.memories("t")
    assert row.scope == Scope(tenant_id="t", memory_id="m")
    assert row.head == make_head(1, turns=1, sessions=1)


SCATTERED = [("t", "b"), ("s", "z"), ("t", ""), ("", "y"), ("長" * 900, "a"), ("t", "\uffff")]
SCATTERED += [("t", "🙂"), ("長" * 900, "記" * 900), ("長" * 900 + "x", ""), ("t\x00", "a")]


def test_all_memories_are_listed_by_tenant_and_id_page_by_page(store: Store) -> None:
    scopes = [Scope(tenant_id=tenant, memory_id=memory) for tenant, memory in SCATTERED]
    for scope in scopes:
        add(store, scope)
    ordered = sorted(scopes, key=lambda scope: (scope.tenant_id.encode(), scope.memory_id.encode()))
    assert store.scopes() == ordered
    for size in (1, 3):
        listed: list[Scope] = []
        while page := store.scopes(after=listed[-1] if listed else None, limit=size):
            assert len(page) <= size
            listed += page
        assert listed == ordered


def test_all_memories_may_be_listed_behind_one_that_is_not_there(store: Store) -> None:
    add(store, SCOPE)
    add(store, OTHER)
    between = Scope(tenant_id=SCOPE.tenant_id, memory_id=SCOPE.memory_id + "\x00")
    assert store.scopes(after=between) == [OTHER]
    assert store.scopes(limit=0) == []
