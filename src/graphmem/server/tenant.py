"""The tenant that a request names, the header `X-Tenant-ID`, and how headers with ids are read."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers

from graphmem.wire.body import FieldProblem, InvalidBodyError
from graphmem.wire.values import MAX_ID_CHARACTERS

HEADER: Final = "X-Tenant-ID"


def tenant_in(headers: Headers) -> str | None:
    """Read the tenant, see `header_in`."""
    return header_in(headers, HEADER)


def header_in(headers: Headers, name: str) -> str | None:
    """Read an id; UTF-8 is allowed, nothing is trimmed but what HTTP trims itself.

    Raises:
        InvalidBodyError: the header is blank, too long, not UTF-8, or sent twice.
    """
    wanted = name.lower().encode()
    found = [value for header, value in headers.raw if header == wanted]
    if not found:
        return None
    if len(found) > 1:
        raise _wrong(name, "must be sent once")
    try:
        text = found[0].decode()
    except UnicodeDecodeError:
        raise _wrong(name, "must be UTF-8") from None
    if not text.strip():
        raise _wrong(name, "must not be blank; leave the header out for the default")
    if len(text) > MAX_ID_CHARACTERS:
        raise _wrong(name, f"must be at most {MAX_ID_CHARACTERS} characters")
    return text


def _wrong(name: str, reason: str) -> InvalidBodyError:
    return InvalidBodyError([FieldProblem(field=name, reason=reason)])
