"""The shapes of `/v1/keys`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, WithJsonSchema

from graphmem.domain.access import RIGHTS
from graphmem.wire.closed import ClosedModel
from graphmem.wire.values import Identifier, NonBlank, Text, read_non_blank

# The keyring says which of them is wrong.
RightName = Annotated[
    str,
    PlainValidator(read_non_blank),
    WithJsonSchema({"type": "string", "enum": list(RIGHTS)}),
]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class MakeKeyRequest(ClosedModel):
    """A key to make; `tenants` has to be said, and null is all of them."""

    tenants: Annotated[list[Identifier], Field(min_length=1)] | None
    memories: Annotated[list[Identifier], Field(min_length=1)] | None = None
    rights: Annotated[list[RightName], Field(min_length=1)]
    name: Text = ""


class RevokeKeyRequest(ClosedModel):
    """A key to make invalid."""

    key_id: NonBlank


class KeyAnswer(_Strict):
    """A key without its secret; times are ISO 8601 UTC."""

    key_id: str
    name: str
    tenants: list[str] | None
    memories: list[str] | None
    rights: list[str]
    created_at: str
    revoked_at: str | None


class NewKeyAnswer(KeyAnswer):
    """A key that was just made; `key` is shown this once."""

    key: str


class KeysAnswer(_Strict):
    """The keys that can do no more than the caller's."""

    keys: list[KeyAnswer]
