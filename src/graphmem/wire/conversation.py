"""Contract 3, conversations: what a request must hold, and the data of every answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, FailFast, Field, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from graphmem.domain.message import Message
from graphmem.wire.atomic import Answered, Ids
from graphmem.wire.atomic_values import (
    MOST_ITEMS,
    MOST_SESSIONS,
    Content,
    End,
    Limit,
    Offset,
    OpenModel,
    Role,
    ScopedModel,
    Text,
    Time,
)
from graphmem.wire.values import Identifier


class NewMessage(OpenModel):
    """One message to remember."""

    role: Role
    content: Content
    timestamp: Time | None = None

    def to_domain(self) -> Message:
        """The message as the service takes it."""
        return Message(role=self.role, content=self.content, timestamp=self.timestamp)


class ConversationAdd(ScopedModel):
    """Messages to append to a session."""

    messages: Annotated[list[NewMessage], Field(min_length=1, max_length=MOST_ITEMS), FailFast()]
    request_id: Identifier | None = None


class ConversationFilter(ScopedModel):
    """Which messages are wanted; every condition must hold."""

    time_start: Time | None = Field(None, description="timestamp, included")
    time_end: End | None = Field(None, description="timestamp, included; a date is its day")


class ConversationSearch(ConversationFilter):
    """A text whose nearest messages are wanted."""

    query: Text
    limit: Limit = 5


class ConversationQuery(ConversationFilter):
    """A page of the list of messages."""

    limit: Limit = 20
    offset: Offset = 0


class ConversationCount(ConversationFilter):
    """How many messages there are."""


def _named(field: str, kind: str) -> JsonDict:
    """Describe that this field is sent, and is not null."""
    return {"type": "object", "required": [field], "properties": {field: {"type": kind}}}


class ConversationDelete(ScopedModel):
    """Messages, or whole sessions, to be deleted; at least one must be named."""

    model_config = ConfigDict(
        json_schema_extra={
            "anyOf": [
                _named("message_ids", "array"),
                _named("session_ids", "array"),
                _named("session_id", "string"),
            ]
        }
    )

    message_ids: Ids = Field(default_factory=list)
    session_ids: Annotated[
        list[Identifier], Field(min_length=1, max_length=MOST_SESSIONS), FailFast()
    ] = Field(default_factory=list)
    request_id: Identifier | None = None

    @model_validator(mode="after")
    def _name_something(self) -> ConversationDelete:
        if not (self.message_ids or self.session_ids or self.session_id):
            raise PydanticCustomError(
                "nothing_named", "name message_ids, session_id or session_ids"
            )
        return self


class Accepted(Answered):
    """The messages are durable and searchable.

    Attributes:
        total_count: how many messages the request brought.
    """

    accepted_ids: list[str]
    total_count: int


class MessageAnswer(Answered):
    """A message."""

    id: str
    role: str
    content: str
    timestamp: str
    session_id: str
    task_id: str


class MessageHitAnswer(MessageAnswer):
    """A message that a search found."""

    score: Annotated[float, Field(ge=0, le=1)]


class MessageHits(Answered):
    """Messages, best first."""

    messages: list[MessageHitAnswer]


class MessagePageAnswer(Answered):
    """Messages, the newest first."""

    messages: list[MessageAnswer]
    total: int
