"""From the arguments of a call to the bytes of its body."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from graphmem.client._base.calls import Call
from graphmem.client._base.settings import Scope
from graphmem.client.errors import BadRequestError

Time: TypeAlias = str | datetime

_PAYLOAD: Final = frozenset({"query", "content", "background"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call as it is sent, the same in every try.

    Attributes:
        path: below the version.
        content: the body.
        request_id: that of a write; None for reads.
        texts: what no error may repeat.
    """

    path: str
    content: bytes = field(repr=False)
    request_id: str | None
    texts: frozenset[str] = field(repr=False)


def prepare(call: Call, scope: Scope, arguments: Mapping[str, object]) -> Request:
    """Build the request of a call.

    Raises:
        BadRequestError: an argument can't be sent; nothing was.
    """
    fields: dict[str, object] = {**scope.owner(), **({} if call.is_by_id else scope.within())}
    given = {name: value for name, value in arguments.items() if value is not None}
    body = {**fields, **given}
    if call.is_write:
        body.setdefault("request_id", f"auto-{uuid.uuid4()}")
    plain = {name: _plain(value, name) for name, value in body.items() if value is not None}
    request_id = plain.get("request_id")
    return Request(
        path=call.path,
        content=_encode(plain),
        request_id=request_id if isinstance(request_id, str) else None,
        texts=frozenset(_texts(plain)),
    )


def listed(name: str, values: Iterable[object] | None) -> list[object] | None:
    """The values of an argument that takes several.

    Raises:
        BadRequestError: it is a single string, which would be taken letter by letter.
    """
    if values is None:
        return None
    if isinstance(values, str | bytes | Mapping):
        raise BadRequestError(f"{name}: must be a list, not a single value")
    return list(values)


def _plain(value: object, path: str) -> object:
    """The value as JSON has it: times written out, None left out of dictionaries."""
    if isinstance(value, datetime):
        return _write_time(value, path)
    if isinstance(value, Mapping):
        return {
            name: _plain(inner, f"{path}.{name}")
            for name, inner in value.items()
            if inner is not None
        }
    if isinstance(value, list | tuple):
        return [_plain(inner, f"{path}.{index}") for index, inner in enumerate(value)]
    return value


def _write_time(value: datetime, path: str) -> str:
    offset = value.utcoffset()
    if offset is None:
        raise BadRequestError(
            f"{path}: has no time zone; give it one, as in datetime(2026, 5, 25, 10, tzinfo=UTC)"
        )
    # ISO 8601 has no seconds in offsets; local mean times of old dates do.
    if offset % timedelta(minutes=1):
        value = value.astimezone(UTC)
    return value.isoformat().replace("+00:00", "Z")


def _encode(body: Mapping[str, object]) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode()  # lone surrogates stay escaped
    except (TypeError, ValueError, RecursionError):
        raise BadRequestError(
            "the arguments hold a value that JSON has not; use strings, numbers, booleans, lists, "
            "dictionaries and aware datetimes"
        ) from None


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in _PAYLOAD and isinstance(inner, str):
                yield inner
            else:
                yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
