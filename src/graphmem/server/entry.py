"""The entry of contract 2: who may come in, for which tenant, and how many at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from starlette.requests import Request

from graphmem.domain.access import Right
from graphmem.server.access import Access, Door
from graphmem.server.failures import Failure, RefusedError

RETRY_SECONDS: Final = 1


class Entry:
    """Lets requests in, up to a number; those of the other contracts don't count.

    Args:
        door: checks the key.
        most: requests that may be in at once.

    Attributes:
        inside: requests that are in.
    """

    def __init__(self, door: Door, *, most: int) -> None:
        self._door = door
        self._most = most
        self.inside = 0

    @contextmanager
    def admit(self, request: Request, right: Right) -> Iterator[Access]:
        """Be in for as long as the request is served, from before its body is read: its access.

        Raises:
            RefusedError: 401 no key or a wrong one, 403 it may not do this, 429 too many are in.
            InvalidBodyError: the tenant's header is wrong.
        """
        access = self._door.admit(request, right)
        if self.inside >= self._most:
            raise RefusedError(self._full())
        self.inside += 1
        try:
            yield access
        finally:
            self.inside -= 1

    def _full(self) -> Failure:
        return Failure(
            status=429,
            code="too_many_requests",
            reason=f"{self._most} requests are in already; send the request again a little later",
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
