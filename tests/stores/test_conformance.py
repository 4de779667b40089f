"""The laws of the store port, one per test, on every store."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from graphmem.domain.moment import FIRST_US, LAST_US, Moment
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.store import Span, Store, WriteTransaction
from tests.stores.rows import (
    OTHER,
    SCOPE,
    add,
    add_turn,
    contents,
    full_turn,
    make_head,
    make_request,
    make_segment,
    make_session,
    make_turn,
    put_whole,
)

Change = Callable[[WriteTransaction], None]


def test_an_unknown_memory_reads_as_empty(store: Store) -> None:
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() is None
        assert snapshot.turns([0, 1]) == []
        assert snapshot.segments(since=0) == []
        assert snapshot.request("addsearch", "r1") is None


def test_a_read_creates_nothing(store: Store) -> None:
    with store.read(SCOPE):
        pass
    assert store.memories(SCOPE.tenant_id) == []


def test_a_write_without_create_leaves_no_memory(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        assert transaction.head() is None
        assert transaction.session("s0") is None
        assert transaction.segment_spans() == []
    assert store.memories(SCOPE.tenant_id) == []


def test_a_head_comes_back_field_by_field(store: Store) -> None:
    head = replace(
        make_head(),
        version=9,
        ready_version=8,
        turns=7,
        sessions=6,
        created_us=-5,
        updated_us=2**60,
    )
    with store.write(SCOPE) as transaction:
        transaction.create(head)
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() == head


def test_set_head_replaces_the_head(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head(1))
        transaction.set_head(make_head(2, turns=3))
        assert transaction.head() == make_head(2, turns=3)
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() == make_head(2, turns=3)


def test_a_turn_with_all_fields_comes_back_the_same(store: Store) -> None:
    put_whole(store, full_turn())
    with store.read(SCOPE) as snapshot:
        assert snapshot.turns([0]) == [full_turn()]


def test_a_turn_without_optional_fields_comes_back_the_same(store: Store) -> None:
    put_whole(store, make_turn())
    with store.read(SCOPE) as snapshot:
        assert snapshot.turns([0]) == [make_turn()]


@pytest.mark.parametrize("us", [FIRST_US, -1, 0, 1, LAST_US])
@pytest.mark.parametrize("offset", [-1439, 0, 330, 1439])
def test_moments_of_all_years_and_offsets_come_back(store: Store, us: int, offset: int) -> None:
    turn = replace(make_turn(), occurred=Moment(us=us, offset_minutes=offset))
    put_whole(store, turn)
    with store.read(SCOPE) as snapshot:
        assert snapshot.turns([0]) == [turn]


@pytest.mark.parametrize(
    "content", ["", "\x00", "a\x00b", "\r\n\u2028 \u3000", "👩‍👩‍👧‍👦", "e\u0301 é"]
)
def test_text_comes_back_verbatim(store: Store, content: str) -> None:
    put_whole(store, make_turn(content=content))
    assert [row.content for row in _turns(store, [0])] == [content]


def test_a_large_turn_comes_back(store: Store) -> None:
    content = "长" * (2**20)
    put_whole(store, make_turn(content=content))
    assert _turns(store, [0])[0].content == content


def test_turns_come_in_the_order_asked(store: Store) -> None:
    for number in range(5):
        add(store, content=f"turn {number}")
    assert [turn.turn_no for turn in _turns(store, [3, 0, 4, 1])] == [3, 0, 4, 1]


def test_a_number_asked_twice_comes_twice(store: Store) -> None:
    add(store)
    assert len(_turns(store, [0, 0])) == 2


def test_unknown_turns_are_left_out(store: Store) -> None:
    add(store)
    assert [turn.turn_no for turn in _turns(store, [7, 0, -1, 2**40])] == [0]


def test_no_turns_asked_gives_none(store: Store) -> None:
    add(store)
    assert _turns(store, []) == []


def test_many_turns_can_be_asked_at_once(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_session(make_session())
        transaction.put_turns([make_turn(number) for number in range(3000)])
    asked = list(range(2999, -1, -1))
    assert [turn.turn_no for turn in _turns(store, asked)] == asked


def test_segments_since_a_version_come_by_first_turn(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        for first, version in ((4, 2), (0, 3), (2, 1)):
            transaction.put_segment(make_segment(first, version=version))
    with store.read(SCOPE) as snapshot:
        assert [row.first_turn for row in snapshot.segments(since=0)] == [0, 2, 4]
        assert [row.first_turn for row in snapshot.segments(since=1)] == [0, 4]
        assert [row.first_turn for row in snapshot.segments(since=2)] == [0]
        assert snapshot.segments(since=3) == []


@pytest.mark.parametrize("data", [b"", b"\x00", bytes(range(256)) * 5000])
def test_a_segment_comes_back_byte_for_byte(store: Store, data: bytes) -> None:
    segment = make_segment(3, 17, version=5, data=data)
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_segment(segment)
        assert transaction.segment(3) == segment
    with store.read(SCOPE) as snapshot:
        assert snapshot.segments(since=4) == [segment]


def test_segments_merge_by_delete_and_put(store: Store) -> None:
    add(store)
    add(store)
    merged = make_segment(0, 2, version=3)
    with store.write(SCOPE) as transaction:
        transaction.delete_segments([0, 1])
        transaction.put_segment(merged)
        assert transaction.segment_spans() == [Span(first_turn=0, turns=2)]
    with store.read(SCOPE) as snapshot:
        assert snapshot.segments(since=2) == [merged]


def test_spans_come_by_first_turn(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        for first in (10, 0, 5):
            transaction.put_segment(make_segment(first, 5))
        assert [span.first_turn for span in transaction.segment_spans()] == [0, 5, 10]


def test_deleting_no_segment_changes_nothing(store: Store) -> None:
    add(store)
    with store.write(SCOPE) as transaction:
        transaction.delete_segments([])
        transaction.delete_segments([99])
        assert len(transaction.segment_spans()) == 1


def test_an_unknown_segment_is_a_key_error_that_spoils_nothing(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        add_turn(transaction)
        with pytest.raises(KeyError):
            transaction.segment(1)
    assert contents(store) == ["hello"]


def test_a_session_is_found_by_its_id_and_replaced_by_its_number(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_session(make_session(0, "x", turns=1))
        transaction.put_session(make_session(0, "x", turns=4))
        transaction.put_session(make_session(1, "y", turns=2))
        assert transaction.session("x") == make_session(0, "x", turns=4)
        assert transaction.session("y") == make_session(1, "y", turns=2)
        assert transaction.session("z") is None


def test_the_ledger_keeps_requests_apart_by_surface(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_request(make_request("r", "addsearch", version=1))
        transaction.put_request(make_request("r", "product", version=2))
    with store.read(SCOPE) as snapshot:
        assert snapshot.request("addsearch", "r") == make_request("r", "addsearch", version=1)
        assert snapshot.request("product", "r") == make_request("r", "product", version=2)
        assert snapshot.request("atomic", "r") is None
        assert snapshot.request("addsearch", "R") is None


def test_a_transaction_reads_its_own_writes(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        add_turn(transaction, "mine")
        transaction.put_request(make_request())
        assert [turn.content for turn in transaction.turns([0])] == ["mine"]
        assert transaction.request("addsearch", "r1") == make_request()
        assert len(transaction.segments(since=0)) == 1


def test_a_read_sees_every_write_that_had_ended(store: Store) -> None:
    for number in range(1, 4):
        add(store)
        assert len(contents(store)) == number


def _abandon(store: Store, error: BaseException) -> None:
    with store.write(SCOPE) as transaction:
        add_turn(transaction, "new")
        transaction.put_request(make_request())
        transaction.delete_segments([0])
        raise error


def test_an_exception_leaves_nothing_of_a_new_memory(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        _abandon(store, ZeroDivisionError())
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() is None
    assert store.memories(SCOPE.tenant_id) == []


def test_an_exception_leaves_an_old_memory_as_it_was(store: Store) -> None:
    add(store, content="old")
    with pytest.raises(ZeroDivisionError):
        _abandon(store, ZeroDivisionError())
    with store.read(SCOPE) as snapshot:
        assert snapshot.head() == make_head(1, turns=1, sessions=1)
        assert [turn.content for turn in snapshot.turns([0, 1])] == ["old"]
        assert [row.first_turn for row in snapshot.segments(since=0)] == [0]
        assert snapshot.request("addsearch", "r1") is None


def test_even_a_keyboard_interrupt_leaves_nothing(store: Store) -> None:
    with pytest.raises(KeyboardInterrupt):
        _abandon(store, KeyboardInterrupt())
    add(store, content="next")
    assert contents(store) == ["next"]


def test_an_exception_of_the_caller_passes_unchanged(store: Store) -> None:
    error = OSError(28, "the caller's own")
    with pytest.raises(OSError, match="own") as caught, store.write(SCOPE):
        raise error
    assert caught.value is error


def _swallow_a_failure(store: Store) -> None:
    with store.write(SCOPE) as transaction:
        add_turn(transaction, "new")
        with suppress(StoreError):
            transaction.put_turns([make_turn(0)])


def test_a_swallowed_failure_still_undoes_the_whole_write(store: Store) -> None:
    add(store, content="old")
    with pytest.raises(StoreError, match="undone"):
        _swallow_a_failure(store)
    assert contents(store) == ["old"]
    add(store, content="next")
    assert contents(store) == ["old", "next"]


def _create_twice(transaction: WriteTransaction) -> None:
    transaction.create(make_head())


def _take_turn_number(transaction: WriteTransaction) -> None:
    transaction.put_turns([replace(make_turn(0), turn_id="t_new")])


def _take_turn_id(transaction: WriteTransaction) -> None:
    transaction.put_turns([replace(make_turn(9), turn_id="t_0")])


def _repeat_turn_in_batch(transaction: WriteTransaction) -> None:
    transaction.put_turns([make_turn(5), make_turn(5)])


def _put_turn_of_no_session(transaction: WriteTransaction) -> None:
    transaction.put_turns([replace(make_turn(5), session_no=9)])


def _take_session_id(transaction: WriteTransaction) -> None:
    transaction.put_session(make_session(1, "s0"))


def _repeat_request(transaction: WriteTransaction) -> None:
    transaction.put_request(make_request())
    transaction.put_request(make_request(version=2))


def _take_segment_place(transaction: WriteTransaction) -> None:
    transaction.put_segment(make_segment(0, 5))


@pytest.mark.parametrize(
    "breach",
    [
        _create_twice,
        _take_turn_number,
        _take_turn_id,
        _repeat_turn_in_batch,
        _put_turn_of_no_session,
        _take_session_id,
        _repeat_request,
        _take_segment_place,
    ],
)
def test_a_row_that_contradicts_others_is_refused(store: Store, breach: Change) -> None:
    add(store)
    with pytest.raises(StoreError, match="undone"), store.write(SCOPE) as transaction:
        breach(transaction)
    assert contents(store) == ["hello"]


def _put_session(transaction: WriteTransaction) -> None:
    transaction.put_session(make_session())


def _put_turns(transaction: WriteTransaction) -> None:
    transaction.put_turns([])


def _put_request(transaction: WriteTransaction) -> None:
    transaction.put_request(make_request())


def _put_segment(transaction: WriteTransaction) -> None:
    transaction.put_segment(make_segment())


def _delete_segments(transaction: WriteTransaction) -> None:
    transaction.delete_segments([0])


def _set_head(transaction: WriteTransaction) -> None:
    transaction.set_head(make_head())


@pytest.mark.parametrize(
    "change", [_put_session, _put_turns, _put_request, _put_segment, _delete_segments, _set_head]
)
def test_a_memory_is_created_before_anything_is_put(store: Store, change: Change) -> None:
    with pytest.raises(StoreError, match="created"), store.write(SCOPE) as transaction:
        change(transaction)
    assert store.memories(SCOPE.tenant_id) == []


def test_a_transaction_that_ended_answers_nothing(store: Store) -> None:
    with store.read(SCOPE) as snapshot, store.read(OTHER):
        pass
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
    for ended in (snapshot, transaction):
        with pytest.raises(StoreError, match="ended"):
            ended.head()
    with pytest.raises(StoreError, match="ended"):
        transaction.put_session(make_session())


@pytest.mark.parametrize("text", ["", "\x00", "a\x00", " ", "🙂", "會" * 1024])
def test_session_and_request_ids_may_be_any_text(store: Store, text: str) -> None:
    with store.write(SCOPE) as transaction:
        transaction.create(make_head())
        transaction.put_session(make_session(0, text))
        transaction.put_session(make_session(1, text + "x"))
        transaction.put_request(make_request(text))
        transaction.put_request(make_request(text + "\x00", version=2))
        assert transaction.session(text) == make_session(0, text)
        assert transaction.request("addsearch", text) == make_request(text)


def test_ping_answers(store: Store) -> None:
    store.ping()


def _turns(store: Store, numbers: list[int]) -> list[Turn]:
    with store.read(SCOPE) as snapshot:
        return snapshot.turns(numbers)
