"""The calls of contract 3 about conversations, from a checked request to the data of the answer."""

from __future__ import annotations

from graphmem.domain.address import DEFAULT
from graphmem.server.routes.atomic_calls import Asked, Data
from graphmem.service.atomic.intake import take_session
from graphmem.service.policy import ATOMIC
from graphmem.wire.conversation import (
    ConversationAdd,
    ConversationCount,
    ConversationDelete,
    ConversationQuery,
    ConversationSearch,
)


def add(asked: Asked, body: ConversationAdd) -> Data:
    """Append messages to a session; the answer comes when they are durable and searchable."""
    session = take_session(asked.owner.session_id or DEFAULT, asked.owner.task_id or DEFAULT)
    receipt = asked.service.add(
        *asked.place,
        session,
        [message.to_domain() for message in body.messages],
        request_id=body.request_id,
        policy=ATOMIC,
        waited_seconds=asked.waited_seconds,
    )
    if not receipt.replayed:
        asked.count_turns(len(receipt.turn_ids))
    return {"accepted_ids": list(receipt.turn_ids), "total_count": len(receipt.turn_ids)}


def search(asked: Asked, body: ConversationSearch) -> Data:
    """Search messages, best first."""
    return asked.service.search_messages(
        *asked.place,
        body.query,
        limit=body.limit,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
        time_start=body.time_start,
        time_end=body.time_end,
        waited_seconds=asked.waited_seconds,
    ).to_dict()


def query(asked: Asked, body: ConversationQuery) -> Data:
    """List messages, the newest first."""
    return asked.service.query_messages(
        *asked.place,
        limit=body.limit,
        offset=body.offset,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
        time_start=body.time_start,
        time_end=body.time_end,
    ).to_dict()


def count(asked: Asked, body: ConversationCount) -> Data:
    """Count messages."""
    total = asked.service.count_messages(
        *asked.place,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
        time_start=body.time_start,
        time_end=body.time_end,
    )
    return {"total": total}


def delete(asked: Asked, body: ConversationDelete) -> Data:
    """Delete messages or sessions, with all that was made of them."""
    gone = asked.service.delete_conversation(
        *asked.place,
        message_ids=body.message_ids,
        # Only what the body names: a session in a header is where the caller is, not what may go.
        session_id=body.session_id,
        session_ids=body.session_ids,
        task_id=asked.owner.task_id,
        request_id=body.request_id,
    )
    return {"deleted_count": gone}
