"""A growing file of messages is added again and again, and each time only its new end is stored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from graphmem.bench.batches import content_bytes
from graphmem.errors import InvalidInputError, RequestConflictError
from graphmem.service.policy import PRODUCT

if TYPE_CHECKING:
    from graphmem.cli.remote import Writer
    from graphmem.domain.message import Message
    from graphmem.domain.receipt import AddReceipt

# What an earlier run added together at a place is found again by trying these sizes there, the
# largest first: a request of another size is refused by the ledger, and changes nothing.
SIZES: Final = (256, 64, 16, 4, 1)
_MOST_BYTES: Final = PRODUCT.max_bytes or 1024 * 1024


def base_of(memory: str, session: str, defaults: Message, messages: Sequence[Message]) -> str:
    """What the request ids of a file begin with: it is known by its place and its first message."""
    first = [_values(message) for message in messages[:1]]
    known = json.dumps([memory, session, _values(defaults), first])
    return f"file-{hashlib.blake2b(known.encode(), digest_size=12).hexdigest()}"


def add_growing(
    writer: Writer,
    place: tuple[str, str, str],
    messages: Sequence[Message],
    base: str,
    added: Callable[[int], None],
) -> list[AddReceipt]:
    """Add the messages of a file; those that an earlier run added are not stored again.

    Args:
        writer: where to.
        place: tenant, memory and session.
        messages: all that the file holds now.
        base: what its request ids begin with.
        added: told after each batch how many messages it had.

    Raises:
        InvalidInputError: the file does not begin with what was added from it before.
        GraphmemError: as `MemoryService.add` raises it.
    """
    receipts: list[AddReceipt] = []
    at = 0
    while at < len(messages):
        receipt = _add_at(writer, place, messages, at, base)
        receipts.append(receipt)
        at += len(receipt.turn_ids)
        added(len(receipt.turn_ids))
    return receipts


def _add_at(
    writer: Writer, place: tuple[str, str, str], messages: Sequence[Message], at: int, base: str
) -> AddReceipt:
    for batch in _batches_at(messages, at):
        try:
            return writer.add(*place, batch, request_id=f"{base}-{at}")
        except RequestConflictError:
            continue
    raise InvalidInputError(
        "file",
        f"message {at + 1}, or one of the {SIZES[0] - 1} behind it, differs from what was added "
        "from this file before, and nothing was added from there on; restore the file, or give "
        "--request-id a new name to add it as another file",
    )


def _batches_at(messages: Sequence[Message], at: int) -> Iterator[Sequence[Message]]:
    for size in SIZES:
        batch = messages[at : at + size]
        is_full = len(batch) == size
        if is_full and (size == 1 or sum(map(content_bytes, batch)) <= _MOST_BYTES):
            yield batch


def _values(message: Message) -> list[str | None]:
    return [
        message.role,
        message.content,
        message.speaker,
        message.listener,
        None if message.timestamp is None else str(message.timestamp),
    ]
