"""Whose key a request carries: the service's own, or one of the keyring."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterator
from typing import Final

from starlette.datastructures import Headers

from graphmem.domain.access import EVERYTHING, Grant
from graphmem.server.failures import Failure, RefusedError
from graphmem.service.keyring import Keyring, digest_of

MASTER: Final = "master"
NONE: Final = "none"
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
    """Recognises keys in constant time.

    Args:
        api_key: the service's own key, which may do everything, None for none.
        keyring: the keys that were made.
        may_be_open: whether all may pass as long as there is no key at all.
    """

    def __init__(self, api_key: str | None, keyring: Keyring, *, may_be_open: bool) -> None:
        self._salt = secrets.token_bytes(16)
        # Digests are of one length, so that comparing them does not tell the key's either.
        self._master = None if api_key is None else digest_of(self._salt, api_key.encode())
        self._keyring = keyring
        self._may_be_open = may_be_open

    def require(self, headers: Headers) -> tuple[Grant, str]:
        """What the first right key among up to three forms may do, and its id for the log.

        Raises:
            RefusedError: 401, the key is missing or wrong.
        """
        if self._master is None and not len(self._keyring) and self._may_be_open:
            return EVERYTHING, NONE
        for known in [self._recognise(key) for key in _keys(headers)]:
            if known is not None:
                return known
        raise RefusedError(_UNAUTHORIZED)

    def _recognise(self, key: bytes) -> tuple[Grant, str] | None:
        """Both ways are always gone to the end, so that time tells nothing of either."""
        row = self._keyring.recognise(key)
        is_master = hmac.compare_digest(digest_of(self._salt, key), self._master or bytes(32))
        if is_master:
            return EVERYTHING, MASTER
        return None if row is None else (row.grant, row.key_id)


def _keys(headers: Headers) -> Iterator[bytes]:
    for name, value in headers.raw:
        if name == b"x-api-key":
            yield value.strip()
        if name == b"authorization":
            scheme, _, key = value.strip().partition(b" ")
            if scheme.decode("latin-1").lower() in _SCHEMES:
                yield key.strip()
