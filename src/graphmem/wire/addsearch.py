"""The Add / Search contract: what a request must hold, and the shape of every answer."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, FiniteFloat

from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.wire.content import PartsContent, PartsQuery, TextContent
from graphmem.wire.values import (
    Count,
    Identifier,
    Milliseconds,
    NonBlank,
    Query,
    Strings,
)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class AddMessage(_Strict):
    """One message of an Add."""

    role: NonBlank
    content: TextContent
    timestamp: Milliseconds = None

    def to_domain(self) -> Message:
        """The message as the service takes it; a time outside the years 1 to 9999 is no time."""
        ms = self.timestamp
        return Message(
            role=self.role,
            content=self.content.text,
            timestamp=None if ms is None else Moment.from_unix_ms(ms),
            parts=self.content.parts,
        )


class AddPartsMessage(AddMessage):
    """One message of an Add whose content may be an array of parts."""

    content: PartsContent


_MessageModel = TypeVar("_MessageModel", bound=AddMessage)


class _Add(_Strict, Generic[_MessageModel]):
    request_id: Identifier
    user_id: Identifier
    session_id: Identifier
    messages: Annotated[list[_MessageModel], Field(min_length=1), FailFast()]

    def to_domain(self) -> list[Message]:
        """The messages as the service takes them, in order."""
        return [message.to_domain() for message in self.messages]

    def answer(self) -> AddAnswer:
        """The answer once the messages are durable: the ids of this request, unchanged."""
        return AddAnswer(
            request_id=self.request_id, user_id=self.user_id, session_id=self.session_id
        )


class AddRequest(_Add[AddMessage]):
    """Messages to remember for one user."""


class AddPartsRequest(_Add[AddPartsMessage]):
    """Messages to remember for one user; content may be an array of parts."""


class SearchRequest(_Strict):
    """A question about one user's memory."""

    query: Query
    user_id: Identifier
    top_k: Count
    options: Strings = None


class SearchPartsRequest(SearchRequest):
    """A question about one user's memory; the query may be an array of parts."""

    query: PartsQuery


class AddAnswer(_Strict):
    """The messages are durable and searchable."""

    success: Literal[True] = True
    request_id: str
    user_id: str
    session_id: str


class SearchItem(_Strict):
    """One piece of evidence."""

    id: Annotated[str, Field(min_length=1)]
    content: Annotated[str, Field(min_length=1)]
    score: FiniteFloat
    created_at: str


class SearchAnswer(_Strict):
    """Evidence in final order, best first."""

    data: list[SearchItem]


class FieldReason(_Strict):
    """What is wrong with one field."""

    field: str
    reason: str


class Detail(_Strict):
    """Why a request was refused."""

    reason: str
    errors: list[FieldReason] | None = None


class ErrorAnswer(_Strict):
    """A refusal; `errors` comes with status 422 only."""

    detail: Detail
