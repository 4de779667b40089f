"""Lanes let one writer of each memory in, and those of different memories side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from graphmem.domain.scope import Scope
from graphmem.stores.turnstile import Turnstile


class Lanes:
    """A turnstile for each memory that is being written: `with lanes.enter(scope):`.

    A thread that is inside one lane, or waits before it, can enter no other: two threads that
    wait for each other's lanes would wait for ever.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._turnstiles: WeakValueDictionary[Scope, Turnstile] = WeakValueDictionary()
        self._threads: set[int] = set()

    @contextmanager
    def enter(self, scope: Scope) -> Iterator[None]:
        """Wait for the memory's other writers that came before."""
        me = threading.get_ident()
        with self._mutex:
            if me in self._threads:
                raise RuntimeError("write transactions don't nest: this thread is inside one")
            self._threads.add(me)
            turnstile = self._turnstiles.setdefault(scope, Turnstile())
        try:
            with turnstile:
                yield
        finally:
            with self._mutex:
                self._threads.remove(me)
