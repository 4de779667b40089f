from __future__ import annotations

from hypothesis import given, strategies as st

from graphmem.bench.batches import batched, content_bytes, policy_for
from graphmem.domain.message import Message
from graphmem.service.policy import ADD_SEARCH, PRODUCT

MEBIBYTE = 1024 * 1024


def said(content: str, role: str = "user") -> Message:
    return Message(role=role, content=content)


def itself(message: Message) -> Message:
    return message


@given(st.lists(st.integers(1, 700_000), max_size=6), st.integers(0, 600))
def test_batches_keep_order_and_limits(sizes: list[int], short: int) -> None:
    messages = [said("x" * size) for size in sizes] + [said("y")] * short
    batches = list(batched(messages, itself))
    assert [message for batch in batches for message in batch] == messages
    assert all(len(batch) <= 256 for batch in batches)
    assert all(sum(map(content_bytes, batch)) <= MEBIBYTE for batch in batches)


def test_bytes_are_counted_not_characters() -> None:
    assert len(list(batched([said("中" * 200_000)] * 2, itself))) == 2


def test_a_message_too_large_alone_comes_alone_under_the_policy_that_takes_it() -> None:
    large = said("x" * (MEBIBYTE + 1))
    batches = list(batched([said("a"), large, said("b")], itself))
    assert [len(batch) for batch in batches] == [1, 1, 1]
    assert [policy_for(batch) for batch in batches] == [PRODUCT, ADD_SEARCH, PRODUCT]


def test_a_role_of_another_kind_needs_the_policy_that_takes_it() -> None:
    assert policy_for([said("a", role="narrator")]) is ADD_SEARCH
