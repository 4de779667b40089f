"""The parameters of a query string, read as strictly as bodies are."""

from __future__ import annotations

from starlette.requests import Request

from graphmem.wire.body import FieldProblem, InvalidBodyError
from graphmem.wire.closed import nearest, printable


def read_parameters(request: Request, known: tuple[str, ...] = ()) -> dict[str, str]:
    """The query string's parameters.

    Raises:
        InvalidBodyError: one is unknown, or comes twice.
    """
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in known:
            near = f"; the nearest known one is {nearest(name, known)}" if known else ""
            raise _wrong(printable(name), f"unknown parameter{near}")
        if name in found:
            raise _wrong(name, "must be sent once")
        found[name] = value
    return found


def read_whole(name: str, text: str) -> int:
    """The whole number that a parameter holds.

    Raises:
        InvalidBodyError: it is none.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise _wrong(name, "must be a whole number")
    return int(text)


def _wrong(field: str, reason: str) -> InvalidBodyError:
    return InvalidBodyError([FieldProblem(field=field, reason=reason)])
