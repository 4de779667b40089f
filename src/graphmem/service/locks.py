"""Locks of memories: two calls don't build the same one side by side, and others know of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.domain.scope import Scope
from graphmem.ports.claims import Claims


class ScopeLocks:
    """One lock for each memory in use. A thread must not take the same one twice.

    Args:
        claims: tell other processes which are in use here, None where there are none.
    """

    def __init__(self, claims: Claims | None = None) -> None:
        self._claims = claims
        self._changed = threading.Condition()
        self._held: set[Scope] = set()
        self._used: Counter[Scope] = Counter()

    @contextmanager
    def use(self, scope: Scope) -> Iterator[None]:
        """Let others know that a call is under way that builds the memory."""
        with self._changed:
            self._used[scope] += 1
        if self._claims:
            self._claims.claim(scope)
        try:
            yield
        finally:
            if self._claims:
                self._claims.release(scope)
            with self._changed:
                self._used[scope] -= 1
                if not self._used[scope]:
                    del self._used[scope]

    @contextmanager
    def hold(self, scope: Scope, seconds: float | None) -> Iterator[None]:
        """Hold a memory's lock, waiting so long for it (None: for ever).

        Raises:
            TimeoutError: another call holds it still.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: scope not in self._held, seconds):
                raise TimeoutError
            self._held.add(scope)
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(scope)
                self._changed.notify_all()

    def is_used(self, scope: Scope) -> bool:
        """Whether some call is under way that builds the memory, here or in another process."""
        if self.is_used_here(scope):
            return True
        return self._claims is not None and self._claims.is_claimed(scope)

    def is_used_here(self, scope: Scope) -> bool:
        """Whether some call of this process is; asks no store."""
        with self._changed:
            return scope in self._used
