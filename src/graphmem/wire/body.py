"""A request body: bytes to JSON to a checked model, with reasons that hold no payload."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from graphmem.errors import GraphmemError
from graphmem.wire.closed import UNKNOWN_FIELD
from graphmem.wire.values import name_kind

# A value costs Python 60 to 100 bytes and a microsecond, during which no other thread runs: 22
# million empty arrays in 64 MiB took 1.8 GB and stopped the event loop for 17 s. A million is
# 250,000 messages, more than an Add can store in its 100 s.
MAX_VALUES: Final = 1_000_000
_BEFORE_VALUE: Final = (b",", b"[", b"{")
_STRING_OR_BEFORE_VALUE: Final = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|([,\[{])', re.DOTALL)
_Model = TypeVar("_Model", bound=BaseModel)
# The library's own texts speak of lists and inputs; these name what to send instead.
_REASONS: Final = {
    "missing": "is required",
    "too_short": "must not be empty",
    "too_long": "must hold at most {max_length}; split it into several requests",
    "literal_error": "must be {expected}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "finite_number": "must be a finite number",
}
_WANTED: Final = {
    "list_type": "a JSON array",
    "model_type": "a JSON object",
    "model_attributes_type": "a JSON object",
    "dict_type": "a JSON object",
    "string_type": "a string",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "none_required": "null",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """What is wrong with one field.

    Attributes:
        field: dotted path such as `messages.0.role`; `body` for the whole body.
        reason: what is wrong and what is accepted, without the value.
    """

    field: str
    reason: str


class MalformedBodyError(GraphmemError):
    """The body is not JSON.

    Attributes:
        reason: where reading stopped and why, without the text.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidBodyError(GraphmemError):
    """The body is JSON but breaks the contract.

    Attributes:
        problems: one for each wrong field; of an array, those of the first wrong element.
        reason: the first of them, and how many there are.
    """

    def __init__(self, problems: Sequence[FieldProblem]) -> None:
        first, count = problems[0], len(problems)
        more = f" (and {count - 1} more)" if count > 1 else ""
        self.reason = f"{first.field}: {first.reason}{more}"
        self.problems = tuple(problems)
        super().__init__(self.reason)


class CrowdedBodyError(GraphmemError):
    """The body holds more JSON values than one request may.

    Attributes:
        reason: the limit and the remedy.
    """

    def __init__(self) -> None:
        self.reason = f"the body holds more than {MAX_VALUES:,} JSON values; send several requests"
        super().__init__(self.reason)


def read_body(raw: bytes | bytearray, model: type[_Model]) -> _Model:
    """Read bytes as the model.

    Raises:
        CrowdedBodyError: there are too many values.
        MalformedBodyError: the bytes are not UTF-8 JSON, or are ambiguous (duplicate keys).
        InvalidBodyError: a field breaks the contract.
    """
    return check_body(decode_json(raw), model)


def decode_json(raw: bytes | bytearray) -> object:
    """Read UTF-8 JSON; NaN and Infinity are read, so that they fail at their field.

    A byte order mark is skipped, as RFC 8259 allows.

    Raises:
        CrowdedBodyError: there are too many values; found before anything is built.
        MalformedBodyError: not UTF-8, not JSON, an object names a key twice, or the nesting or a
            number is beyond what can be read.
    """
    if _is_crowded(raw):
        raise CrowdedBodyError
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        reason = f"the body is not UTF-8 (byte {error.start}); send UTF-8 encoded JSON"
        raise MalformedBodyError(reason) from None
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedBodyError(f"the body is not valid JSON: {error.msg}, {where}") from None
    except RecursionError:
        raise MalformedBodyError("the JSON is nested too deeply; flatten it") from None
    except ValueError:
        raise MalformedBodyError("the JSON holds an integer with too many digits") from None


def check_body(value: object, model: type[_Model]) -> _Model:
    """Check a JSON value against the model.

    Raises:
        InvalidBodyError: a field breaks the contract.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        problems = [_problem(details) for details in error.errors(include_url=False)]
    raise InvalidBodyError(problems)


def _is_crowded(raw: bytes | bytearray) -> bool:
    """Whether more than `MAX_VALUES` values start; exact only where texts hold many commas."""
    if sum(raw.count(mark) for mark in _BEFORE_VALUE) < MAX_VALUES:
        return False
    started = (found for found in _STRING_OR_BEFORE_VALUE.finditer(raw) if found[1])
    return next(islice(started, MAX_VALUES, None), None) is not None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise MalformedBodyError("the JSON names a key twice in one object; send each key once")
    return values


def _problem(details: ErrorDetails) -> FieldProblem:
    steps = [*details["loc"]]
    if details["type"] == UNKNOWN_FIELD:
        steps.append(details["ctx"]["name"])
    field = ".".join(str(step) for step in steps) or "body"
    return FieldProblem(field=field, reason=_reason(details))


def _reason(details: ErrorDetails) -> str:
    wanted = _WANTED.get(details["type"])
    if wanted is not None:
        return f"must be {wanted}, not {name_kind(details['input'])}"
    reason = _REASONS.get(details["type"])
    return details["msg"] if reason is None else reason.format(**details.get("ctx", {}))
