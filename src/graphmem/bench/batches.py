"""Cuts messages into adds that the product's limits allow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from graphmem.domain.message import Message
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy

_MAX_MESSAGES: Final = PRODUCT.max_messages or 256
_MAX_BYTES: Final = PRODUCT.max_bytes or 1024 * 1024

Item = TypeVar("Item")


def batched(items: Iterable[Item], message_of: Callable[[Item], Message]) -> Iterator[list[Item]]:
    """Runs of items within the product's limits, in order.

    A message that is too large alone comes alone (see `policy_for`).
    """
    batch: list[Item] = []
    held = 0
    for item in items:
        size = content_bytes(message_of(item))
        if batch and (len(batch) == _MAX_MESSAGES or held + size > _MAX_BYTES):
            yield batch
            batch, held = [], 0
        batch.append(item)
        held += size
    if batch:
        yield batch


def policy_for(messages: Sequence[Message]) -> Policy:
    """The product's rules, or Add / Search's for what only those accept (size, free roles)."""
    roles = PRODUCT.roles
    fits = sum(map(content_bytes, messages)) <= _MAX_BYTES
    known = roles is None or all(message.role in roles for message in messages)
    return PRODUCT if fits and known else ADD_SEARCH


def content_bytes(message: Message) -> int:
    """The size of the text in UTF-8."""
    return len(message.content.encode("utf-8", "surrogatepass"))
