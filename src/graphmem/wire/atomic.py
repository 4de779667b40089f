"""Contract 3, atoms: what a request must hold, and the data of every answer."""

from __future__ import annotations

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field

from graphmem.domain.atom_query import NewAtom
from graphmem.domain.claim import AtomType
from graphmem.wire.atomic_values import (
    MOST_IDS,
    MOST_ITEMS,
    Background,
    Content,
    End,
    Limit,
    Offset,
    OpenModel,
    ScopedModel,
    Text,
    Time,
    Type,
    Version,
)
from graphmem.wire.values import Identifier

Ids = Annotated[list[Identifier], Field(min_length=1, max_length=MOST_IDS), FailFast()]


class AtomicFilter(ScopedModel):
    """Which atoms are wanted; every condition must hold."""

    type: Type | None = None
    time_start: Time | None = Field(None, description="updated_at, included")
    time_end: End | None = Field(None, description="updated_at, included; a date is its day")


class AtomicSearch(AtomicFilter):
    """A text whose nearest atoms are wanted."""

    query: Text
    limit: Limit = 5


class AtomicQuery(AtomicFilter):
    """A page of the list of atoms."""

    limit: Limit = 20
    offset: Offset = 0


class AtomicCount(AtomicFilter):
    """How many atoms there are."""


class NewItem(OpenModel):
    """An atom to be made by hand."""

    content: Content
    type: Type
    background: Background = ""
    event_time: Time | None = None
    source_message_ids: Annotated[list[Identifier], Field(max_length=MOST_ITEMS), FailFast()] = (
        Field(default_factory=list)
    )

    def to_domain(self) -> NewAtom:
        """The atom as the service takes it."""
        return NewAtom(
            content=self.content,
            type=self.type,
            background=self.background,
            event_time=self.event_time,
            source_turn_ids=self.source_message_ids,
        )


class AtomicCreate(ScopedModel):
    """Atoms to be made by hand."""

    items: Annotated[list[NewItem], Field(min_length=1, max_length=MOST_ITEMS), FailFast()]
    request_id: Identifier | None = None


class AtomicUpdate(ScopedModel):
    """What an atom is to say instead."""

    id: Identifier
    content: Content
    background: Background | None = Field(None, description="absent keeps it, empty clears it")
    expected_version: Version | None = None
    request_id: Identifier | None = None


class AtomicDelete(ScopedModel):
    """Atoms to be deleted."""

    ids: Ids
    request_id: Identifier | None = None


class AtomicHistory(ScopedModel):
    """An atom whose versions are wanted."""

    id: Identifier


_Data = TypeVar("_Data", bound=BaseModel)


class Answered(BaseModel):
    """A value of an answer; here for the description."""

    model_config = ConfigDict(strict=True, frozen=True)


class Envelope(Answered, Generic[_Data]):
    """What every success is wrapped in."""

    code: Literal[0]
    message: Literal["ok"]
    request_id: str
    data: _Data
    trace_id: str


class ErrorEnvelope(Answered):
    """What every error is wrapped in; `data` is left out."""

    code: int
    message: str
    request_id: str
    trace_id: str


class AtomAnswer(Answered):
    """An atom."""

    id: str
    type: AtomType
    content: str
    background: str
    version: int
    created_at: str
    updated_at: str
    source_message_ids: list[str]
    event_time: str | None = None
    superseded: bool


class AtomHitAnswer(AtomAnswer):
    """An atom that a search found."""

    score: Annotated[float, Field(ge=0, le=1)]


class AtomHits(Answered):
    """Atoms, best first."""

    items: list[AtomHitAnswer]


class AtomPageAnswer(Answered):
    """Atoms, the last changed first."""

    items: list[AtomAnswer]
    total: int


class AtomsMade(Answered):
    """Atoms, in the order of the request."""

    items: list[AtomAnswer]


class AtomChanged(Answered):
    """A change."""

    id: str
    version: int
    updated_at: str


class Deleted(Answered):
    """How many were really deleted."""

    deleted_count: int


class Counted(Answered):
    """How many there are."""

    total: int


class VersionAnswer(Answered):
    """An atom as it was from one time on."""

    version: int
    content: str
    background: str
    updated_at: str
    reason: Literal["found", "created", "updated"]


class Versions(Answered):
    """All versions, oldest first."""

    items: list[VersionAnswer]
