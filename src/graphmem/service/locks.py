"""Locks of memories, so that two calls don't build the same memory side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.domain.scope import Scope


class ScopeLocks:
    """One lock for each memory in use. A thread must not take the same one twice."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held: set[Scope] = set()

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

    def is_held(self, scope: Scope) -> bool:
        """Whether some call holds the memory's lock now."""
        with self._changed:
            return scope in self._held
