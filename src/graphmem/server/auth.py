"""The service key: who may call at all."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from typing import Final

from starlette.datastructures import Headers

from graphmem.domain.access import EVERYTHING, Grant
from graphmem.server.failures import Failure, RefusedError

_SCHEMES: Final = frozenset({"token", "bearer"})
_UNAUTHORIZED: Final = Failure(
    status=401,
    code="unauthorized",
    reason=(
        "the API key is missing or wrong; send Authorization: Bearer KEY, "
        "Authorization: Token KEY, or X-Api-Key: KEY"
    ),
    headers={"WWW-Authenticate": "Bearer"},
)


class KeyCheck:
    """Compares the key of a request with the service's, in constant time; no key lets all pass."""

    def __init__(self, api_key: str | None) -> None:
        self._expected = None if api_key is None else api_key.encode()

    def require(self, headers: Headers) -> tuple[Grant, str]:
        """What a request may do that carries the key in one of three forms, and the key's id.

        Raises:
            RefusedError: 401, the key is missing or wrong.
        """
        if self._expected is None:
            return EVERYTHING, "open"
        matches = [hmac.compare_digest(key, self._expected) for key in _keys(headers)]
        if not any(matches):
            raise RefusedError(_UNAUTHORIZED)
        return EVERYTHING, "master"


def _keys(headers: Headers) -> Iterator[bytes]:
    for name, value in headers.raw:
        if name == b"x-api-key":
            yield value.strip()
        if name == b"authorization":
            scheme, _, key = value.strip().partition(b" ")
            if scheme.decode("latin-1").lower() in _SCHEMES:
                yield key.strip()
