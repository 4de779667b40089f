"""Values as JSON gives them, read strictly: nothing is converted, trimmed or folded."""

from __future__ import annotations

import math
from typing import Annotated, Final

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

MAX_ID_CHARACTERS: Final = 1024
MAX_QUERY_CHARACTERS: Final = 200_000
# What `str.strip` leaves: it takes four separators and U+0085 away that are no white space to \s.
NON_BLANK_PATTERN: Final = r"[^\s\x1c-\x1f\x85]"


def name_kind(value: object) -> str:
    """Name the JSON type of a value, never the value: `a string`, `an array`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds = {str: "a string", int: "a number", float: "a number", list: "an array"}
    return kinds.get(type(value), "an object")


def wrong_kind(wanted: str, value: object) -> PydanticCustomError:
    """The error of a value of another JSON type than the wanted one."""
    return PydanticCustomError(
        "wrong_kind",
        "must be {wanted}, not {kind}",
        {"wanted": wanted, "kind": name_kind(value)},
    )


def read_text(value: object) -> str:
    """Take any string."""
    if not isinstance(value, str):
        raise wrong_kind("a JSON string", value)
    return value


def read_non_blank(value: object) -> str:
    """Take a string that holds more than white space."""
    text = read_text(value)
    if not text.strip():
        raise PydanticCustomError("blank", "must not be blank")
    return text


def read_identifier(value: object) -> str:
    """Take a non-blank string that can be echoed byte for byte."""
    text = read_non_blank(value)
    if len(text) > MAX_ID_CHARACTERS:
        raise _too_long(MAX_ID_CHARACTERS)
    if has_surrogates(text):
        raise PydanticCustomError(
            "surrogates", "must not hold half of a surrogate pair; send valid Unicode"
        )
    return text


def read_query(value: object) -> str:
    """Take a non-blank string of bounded length."""
    text = read_non_blank(value)
    if len(text) > MAX_QUERY_CHARACTERS:
        raise _too_long(MAX_QUERY_CHARACTERS)
    return text


def read_count(value: object) -> int:
    """Take an integer of 0 or more; `100.0` and `true` are none."""
    if isinstance(value, float):
        raise PydanticCustomError(
            "wrong_kind", "must be a JSON integer, written without a decimal point or exponent"
        )
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_kind("a JSON integer", value)
    if value < 0:
        raise PydanticCustomError("negative", "must be 0 or more")
    return value


def read_milliseconds(value: object) -> int | None:
    """Take null, an integer, or a float that stands for one."""
    if value is None:
        return None
    if isinstance(value, float):
        return _read_whole(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_kind("a JSON integer of Unix milliseconds", value)
    return value


def read_strings(value: object) -> list[str] | None:
    """Take null or an array of strings."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise wrong_kind("an array of strings", value)
    for item in value:
        if not isinstance(item, str):
            raise PydanticCustomError(
                "wrong_kind", "must hold strings only, not {kind}", {"kind": name_kind(item)}
            )
    return value


def has_surrogates(text: str) -> bool:
    """Whether the text holds code points that UTF-8 can't encode."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _read_whole(value: float) -> int:
    if not math.isfinite(value):
        raise PydanticCustomError("not_finite", "must be finite, not NaN or Infinity")
    if not value.is_integer():
        raise PydanticCustomError(
            "fraction", "must be whole milliseconds; send an integer without a fraction"
        )
    return int(value)


def _too_long(limit: int) -> PydanticCustomError:
    return PydanticCustomError(
        "too_many_characters", "must be at most {limit} characters", {"limit": limit}
    )


Text = Annotated[str, PlainValidator(read_text), WithJsonSchema({"type": "string"})]
NonBlank = Annotated[
    str,
    PlainValidator(read_non_blank),
    WithJsonSchema({"type": "string", "pattern": NON_BLANK_PATTERN}),
]
Identifier = Annotated[
    str,
    PlainValidator(read_identifier),
    WithJsonSchema(
        {"type": "string", "pattern": NON_BLANK_PATTERN, "maxLength": MAX_ID_CHARACTERS}
    ),
]
Query = Annotated[
    str,
    PlainValidator(read_query),
    WithJsonSchema(
        {"type": "string", "pattern": NON_BLANK_PATTERN, "maxLength": MAX_QUERY_CHARACTERS}
    ),
]
Count = Annotated[
    int, PlainValidator(read_count), WithJsonSchema({"type": "integer", "minimum": 0})
]
Milliseconds = Annotated[
    int | None,
    PlainValidator(read_milliseconds),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
]
Strings = Annotated[
    list[str] | None,
    PlainValidator(read_strings),
    WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}),
]
