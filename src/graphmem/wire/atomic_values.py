"""Values of contract 3 as JSON gives them; errors say what is accepted, without the value."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import override

from graphmem.domain.claim import ATOM_TYPES, AtomType
from graphmem.domain.moment import Moment
from graphmem.domain.window import last_us
from graphmem.errors import join_names
from graphmem.wire.values import (
    NON_BLANK_PATTERN,
    Identifier,
    read_count,
    read_non_blank,
    read_text,
)

MOST_HITS: Final = 100
MOST_OFFSET: Final = 2**31 - 1
MOST_VERSION: Final = 2**53
MOST_QUERY_CHARACTERS: Final = 2048
MOST_CONTENT_CHARACTERS: Final = 8192
MOST_ITEMS: Final = 100
MOST_IDS: Final = 5000
MOST_SESSIONS: Final = 100
MessageRole = Literal["user", "assistant", "system"]
_ROLES: Final[tuple[MessageRole, ...]] = ("user", "assistant", "system")


class OpenModel(BaseModel):
    """A model of a request of contract 3: unknown fields are ignored, null is an absent field."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _leave_out_nulls(cls, values: object) -> object:
        if isinstance(values, dict):
            return {name: value for name, value in values.items() if value is not None}
        return values

    @classmethod
    @override
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe that every field which may be left out may be null as well."""
        described = handler.resolve_ref_schema(handler(core_schema))
        fields, required = described.get("properties", {}), described.get("required", ())
        optional = {name: _or_null(fields[name]) for name in fields if name not in required}
        return described | {"properties": fields | optional}


def _or_null(field: JsonSchemaValue) -> JsonSchemaValue:
    null = {"type": "null"}
    if null in field.get("anyOf", ()):
        return field
    about = {key: field[key] for key in ("default", "description", "title") if key in field}
    value = {key: field[key] for key in field if key not in about}
    return {"anyOf": [value, null]} | about


class ScopedModel(OpenModel):
    """A request with its scope; what the body leaves out, the `x-tdai-*` headers may say."""

    team_id: Identifier | None = None
    agent_id: Identifier | None = None
    user_id: Identifier | None = None
    session_id: Identifier | None = None
    task_id: Identifier | None = None


def read_limit(value: object) -> int:
    """Take a whole number from 1 to 100."""
    limit = _read_whole(value)
    if limit < 1:
        raise PydanticCustomError("limit", "must be at least 1")
    return _at_most(limit, MOST_HITS)


def read_offset(value: object) -> int:
    """Take a whole number of 0 or more."""
    return _at_most(_read_whole(value), MOST_OFFSET)


def read_version(value: object) -> int:
    """Take a version, a whole number of 1 or more."""
    version = _read_whole(value)
    if version < 1:
        raise PydanticCustomError("version", "must be at least 1")
    return _at_most(version, MOST_VERSION)


def read_type(value: object) -> AtomType:
    """Take the name of a type of atoms."""
    for known in ATOM_TYPES:
        if value == known:
            return known
    raise PydanticCustomError("type", "must be {names}", {"names": join_names(ATOM_TYPES)})


def read_role(value: object) -> MessageRole:
    """Take a role."""
    for known in _ROLES:
        if value == known:
            return known
    raise PydanticCustomError("role", "must be {names}", {"names": join_names(_ROLES)})


def read_time(value: object) -> Moment:
    """Take an ISO 8601 time; without a zone it is UTC."""
    text = read_text(value)
    try:
        return Moment.parse_iso(text)
    except (ValueError, OverflowError):
        raise PydanticCustomError(
            "time", "must be an ISO 8601 time such as 2026-05-25T10:00:00Z"
        ) from None


def read_end(value: object) -> Moment:
    """Take a time up to which something is wanted; a date alone is the whole day."""
    moment = read_time(value)
    return Moment(us=last_us(moment), offset_minutes=moment.offset_minutes)


def read_query(value: object) -> str:
    """Take the text of a search."""
    return _bounded(read_non_blank(value), MOST_QUERY_CHARACTERS)


def read_content(value: object) -> str:
    """Take the text of an atom or a message."""
    return _bounded(read_non_blank(value), MOST_CONTENT_CHARACTERS)


def read_background(value: object) -> str:
    """Take a note, which may be empty."""
    return _bounded(read_text(value), MOST_CONTENT_CHARACTERS)


def _read_whole(value: object) -> int:
    # 32.0 is an integer to JSON Schema, hence to whoever makes requests from our description.
    return read_count(int(value) if isinstance(value, float) and value.is_integer() else value)


def _at_most(value: int, most: int) -> int:
    if value > most:
        raise PydanticCustomError("too_big", "must be at most {most}", {"most": most})
    return value


def _bounded(text: str, most: int) -> str:
    if len(text) > most:
        reason = "must be at most {most} characters"
        raise PydanticCustomError("too_many_characters", reason, {"most": most})
    return text


_TIME: Final = {"type": "string", "format": "date-time"}
Limit = Annotated[
    int,
    PlainValidator(read_limit),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_HITS}),
]
Offset = Annotated[
    int,
    PlainValidator(read_offset),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": MOST_OFFSET}),
]
Version = Annotated[
    int,
    PlainValidator(read_version),
    WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_VERSION}),
]
Type = Annotated[
    AtomType,
    PlainValidator(read_type),
    WithJsonSchema({"type": "string", "enum": list(ATOM_TYPES)}),
]
Role = Annotated[
    MessageRole,
    PlainValidator(read_role),
    WithJsonSchema({"type": "string", "enum": list(_ROLES)}),
]
Time = Annotated[Moment, PlainValidator(read_time), WithJsonSchema(_TIME)]
End = Annotated[Moment, PlainValidator(read_end), WithJsonSchema(_TIME)]
Text = Annotated[
    str,
    PlainValidator(read_query),
    WithJsonSchema(
        {"type": "string", "pattern": NON_BLANK_PATTERN, "maxLength": MOST_QUERY_CHARACTERS}
    ),
]
Content = Annotated[
    str,
    PlainValidator(read_content),
    WithJsonSchema(
        {"type": "string", "pattern": NON_BLANK_PATTERN, "maxLength": MOST_CONTENT_CHARACTERS}
    ),
]
Background = Annotated[
    str,
    PlainValidator(read_background),
    WithJsonSchema({"type": "string", "maxLength": MOST_CONTENT_CHARACTERS}),
]
