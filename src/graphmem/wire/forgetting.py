"""What a request to delete must hold, and the shape of its answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated, Final, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from graphmem.domain.age import FORM, PATTERN, parse_age
from graphmem.wire.closed import ClosedModel
from graphmem.wire.values import Identifier, read_text

MOST_TURNS: Final = 10_000


def _read_age(value: object) -> timedelta:
    text = read_text(value)
    try:
        return parse_age(text)
    except ValueError as error:
        raise PydanticCustomError("age", "must be {form}", {"form": FORM}) from error


Age = Annotated[
    timedelta, PlainValidator(_read_age), WithJsonSchema({"type": "string", "pattern": PATTERN})
]
# Absent and false are the same: nobody deletes everything by leaving something out.
All = Annotated[bool, Field(description="Has to be true to delete everything.")]


def _one_of(*choices: JsonDict) -> JsonDict:
    """Describe that exactly one of these groups of fields has to be sent."""
    return {"oneOf": [{"required": [*choice], "properties": choice} for choice in choices]}


_SENT: Final[JsonDict] = {"type": "string"}
_TRUE: Final[JsonDict] = {"const": True}


class DeleteRequest(ClosedModel):
    """What to delete of a memory: turns, a session, or with `all` the memory."""

    model_config = ConfigDict(
        json_schema_extra=_one_of(
            {"session_id": _SENT}, {"turn_ids": {"minItems": 1}}, {"all": _TRUE}
        )
    )
    memory_id: Identifier
    session_id: Identifier | None = None
    turn_ids: Annotated[
        list[Identifier], Field(min_length=1, max_length=MOST_TURNS), FailFast()
    ] = Field(default_factory=list)
    all: All = False

    @model_validator(mode="after")
    def _require_one(self) -> DeleteRequest:
        asked = (self.session_id is not None, bool(self.turn_ids), self.all)
        if sum(asked) != 1:
            raise PydanticCustomError(
                "one_of",
                "send exactly one of session_id, turn_ids and `all: true`, which deletes the memory",
            )
        return self


class PurgeRequest(ClosedModel):
    """What to delete of a tenant: turns by their age, or with `all` all its memories."""

    model_config = ConfigDict(
        json_schema_extra={
            **_one_of({"older_than": _SENT}, {"all": _TRUE}),
            "not": {
                "required": ["all", "all_tenants"],
                "properties": {"all": _TRUE, "all_tenants": _TRUE},
            },
        }
    )
    older_than: Age | None = None
    all: All = False
    all_tenants: Annotated[
        bool, Field(description="By age in all tenants, for keys that are bound to none.")
    ] = False

    @model_validator(mode="after")
    def _require_one(self) -> PurgeRequest:
        if (self.older_than is not None) == self.all:
            raise PydanticCustomError(
                "one_of",
                "send exactly one of older_than and `all: true`, which deletes all memories of "
                "the tenant",
            )
        if self.all and self.all_tenants:
            raise PydanticCustomError("one_of", "all_tenants goes with older_than only")
        return self


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ErasureAnswer(_Answer):
    """What was deleted, and since when no byte of it is left."""

    tenant_id: str
    memory_id: str
    kind: Literal["turns", "session", "memory", "age"]
    session_id: str | None
    version: int
    turns: int
    sessions: int
    found: bool
    unknown: int
    deleted_at: str
    erased_at: str | None


class ErasuresAnswer(_Answer):
    """All deletions from a memory, oldest first."""

    erasures: list[ErasureAnswer]


class PurgeAnswer(_Answer):
    """What was deleted, memory by memory."""

    memories: int
    turns: int
    receipts: list[ErasureAnswer]
