"""Intake checks what a caller hands in and brings it into the form that is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.domain.payload import payload_digest
from graphmem.domain.scope import Scope
from graphmem.domain.window import Window
from graphmem.errors import InvalidInputError, join_names
from graphmem.service.policy import Policy
from graphmem.text.normalize import storable

MAX_ID_CHARACTERS: Final = 1024
MAX_QUERY_CHARACTERS: Final = 200_000
MAX_LIMIT: Final = 1000
MAX_PAGE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message, checked and made storable."""

    role: str
    content: str
    speaker: str | None
    listener: str | None
    parts: str | None
    occurred: Moment | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The messages of one add, checked, with the request that brings them."""

    scope: Scope
    session_id: str
    request_id: str
    policy: Policy
    utterances: tuple[Utterance, ...]

    @property
    def content_bytes(self) -> int:
        """The size of the text in UTF-8."""
        return sum(len(utterance.content.encode()) for utterance in self.utterances)

    def payload_digest(self) -> bytes:
        """32 bytes that stand for the session id and the normalised messages."""
        return payload_digest(self.session_id, self.utterances)


def check_scope(tenant_id: str, memory_id: str) -> Scope:
    """The scope with these ids.

    Raises:
        InvalidInputError: an id is blank, too long or not text.
    """
    return Scope(
        tenant_id=check_id("tenant_id", tenant_id), memory_id=check_id("memory_id", memory_id)
    )


def check_id(field: str, value: object) -> str:
    """The id, unchanged.

    Raises:
        InvalidInputError: it is blank, too long, not a string or not encodable.
    """
    if not isinstance(value, str):
        raise InvalidInputError(field, "must be a string")
    if not value.strip():
        raise InvalidInputError(field, "must not be blank")
    if len(value) > MAX_ID_CHARACTERS:
        raise InvalidInputError(field, f"must have at most {MAX_ID_CHARACTERS} characters")
    if not _is_encodable(value):
        raise InvalidInputError(field, "must not hold lone surrogates")
    return value


def check_page(after: object, limit: object) -> None:
    """Check the arguments of a listing.

    Raises:
        InvalidInputError: one of them is wrong.
    """
    if after is not None:
        check_id("after", after)
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_PAGE:
        raise InvalidInputError("limit", f"must be a whole number from 1 to {MAX_PAGE:,}")


def check_query(query: object, *, options: object, limit: object) -> None:
    """Check the arguments of a retrieval.

    Raises:
        InvalidInputError: one of them is wrong.
    """
    if not isinstance(query, str) or not query.strip():
        raise InvalidInputError("query", "must be a non-blank string")
    if len(query) > MAX_QUERY_CHARACTERS:
        raise InvalidInputError("query", f"must have at most {MAX_QUERY_CHARACTERS:,} characters")
    if not isinstance(options, list | tuple) or not all(isinstance(o, str) for o in options):
        raise InvalidInputError("options", "must be a list or tuple of strings")
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError("limit", f"must be a whole number from 1 to {MAX_LIMIT}")


def check_window(start: object, end: object) -> Window | None:
    """The window of two times, None without either.

    Raises:
        InvalidInputError: one of them is no time, or they are in the wrong order.
    """
    if start is None and end is None:
        return None
    window = Window.between(check_time("time_start", start), check_time("time_end", end))
    if window.is_empty:
        raise InvalidInputError("time_start", "must not be after time_end")
    return window


def check_time(field: str, value: object) -> Moment | None:
    """The moment of an ISO 8601 string, or as given; None for None.

    Raises:
        InvalidInputError: it is neither.
    """
    return _take_time(field, value)


def take_in(
    scope: Scope,
    session_id: str,
    messages: object,
    *,
    request_id: str,
    policy: Policy,
) -> Batch:
    """Check a batch under a contract's policy and make it storable.

    Raises:
        InvalidInputError: a value is wrong; its field is named.
    """
    if not isinstance(messages, list | tuple) or not messages:
        raise InvalidInputError("messages", "must be a non-empty list or tuple of messages")
    if policy.max_messages is not None and len(messages) > policy.max_messages:
        raise InvalidInputError(
            "messages", f"must be at most {policy.max_messages}; split the batch"
        )
    batch = Batch(
        scope=scope,
        session_id=check_id("session_id", session_id),
        request_id=check_id("request_id", request_id),
        policy=policy,
        utterances=tuple(
            _take_message(f"messages.{i}", message, policy) for i, message in enumerate(messages)
        ),
    )
    if policy.max_bytes is not None and batch.content_bytes > policy.max_bytes:
        raise InvalidInputError(
            "messages", f"must hold at most {policy.max_bytes:,} bytes of text; split the batch"
        )
    return batch


def _take_message(path: str, message: object, policy: Policy) -> Utterance:
    if not isinstance(message, Message):
        raise InvalidInputError(path, "must be a Message")
    return Utterance(
        role=_take_role(f"{path}.role", message.role, policy),
        content=_take_text(f"{path}.content", message.content),
        speaker=_take_name(f"{path}.speaker", message.speaker),
        listener=_take_name(f"{path}.listener", message.listener),
        parts=None if message.parts is None else storable(message.parts),
        occurred=_take_time(f"{path}.timestamp", message.timestamp),
    )


def _take_text(field: str, text: object) -> str:
    if not isinstance(text, str) or not text.strip():
        raise InvalidInputError(field, "must be a non-blank string")
    return storable(text)


def _take_role(field: str, role: object, policy: Policy) -> str:
    text = _take_text(field, role)
    if policy.roles is not None and text not in policy.roles:
        raise InvalidInputError(field, f"must be {join_names(sorted(policy.roles))}")
    return text


def _take_name(field: str, name: object) -> str | None:
    if name is None:
        return None
    text = _take_text(field, name)
    if len(text) > MAX_ID_CHARACTERS:
        raise InvalidInputError(field, f"must have at most {MAX_ID_CHARACTERS} characters")
    return text


def _take_time(field: str, timestamp: object) -> Moment | None:
    if timestamp is None or isinstance(timestamp, Moment):
        return timestamp
    if not isinstance(timestamp, str):
        raise InvalidInputError(field, "must be an ISO 8601 string or a Moment")
    try:
        return Moment.parse_iso(timestamp)
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(
            field, "must be an ISO 8601 date or time, such as 2023-05-08T13:56:00Z"
        ) from error


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
