"""A turnstile is a lock that serves its waiters in the order in which they came."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import ExitStack
from types import TracebackType


class Turnstile:
    """Lets one thread in at a time, first come, first served: `with turnstile:`.

    A plain lock may let the same thread win again and again while others starve.
    """

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._owner: int | None = None
        self._waiting: deque[tuple[int, threading.Lock]] = deque()

    def __enter__(self) -> None:
        me = threading.get_ident()
        ticket = threading.Lock()
        with self._mutex:
            if self._owner is None:
                self._owner = me
                return
            if self._owner == me:
                raise RuntimeError("write transactions don't nest: this thread is inside one")
            ticket.acquire()
            self._waiting.append((me, ticket))
        self._wait(me, ticket)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._mutex:
            self._pass_on()

    def _wait(self, me: int, ticket: threading.Lock) -> None:
        with ExitStack() as undo:
            undo.callback(self._give_up, me, ticket)
            ticket.acquire()
            undo.pop_all()

    def _give_up(self, me: int, ticket: threading.Lock) -> None:
        """Ctrl-C while waiting: a ticket that nobody holds must not be called up later."""
        with self._mutex:
            if (me, ticket) in self._waiting:
                self._waiting.remove((me, ticket))
            else:
                self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            self._owner, ticket = self._waiting.popleft()
            ticket.release()
        else:
            self._owner = None
