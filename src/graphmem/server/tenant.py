"""The tenant that a request names: the header `X-Tenant-ID`."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers

from graphmem.wire.body import FieldProblem, InvalidBodyError
from graphmem.wire.values import MAX_ID_CHARACTERS

HEADER: Final = "X-Tenant-ID"


def tenant_in(headers: Headers) -> str | None:
    """Read the tenant; UTF-8 is allowed, nothing is trimmed but what HTTP trims itself.

    Raises:
        InvalidBodyError: the header is blank, too long, not UTF-8, or sent twice.
    """
    found = [value for name, value in headers.raw if name == b"x-tenant-id"]
    if not found:
        return None
    if len(found) > 1:
        raise _wrong("must be sent once")
    try:
        tenant = found[0].decode()
    except UnicodeDecodeError:
        raise _wrong("must be UTF-8") from None
    if not tenant.strip():
        raise _wrong("must not be blank; leave the header out for the default tenant")
    if len(tenant) > MAX_ID_CHARACTERS:
        raise _wrong(f"must be at most {MAX_ID_CHARACTERS} characters")
    return tenant


def _wrong(reason: str) -> InvalidBodyError:
    return InvalidBodyError([FieldProblem(field=HEADER, reason=reason)])
