"""A gate counts what is running inside a store, so that closing can wait for it."""

from __future__ import annotations

import threading
from types import TracebackType

from graphmem.errors import ServiceClosedError


class Gate:
    """Lets work in until it is closed; `with gate:` is one piece of work."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._is_closed = False

    def __enter__(self) -> None:
        with self._changed:
            if self._is_closed:
                raise ServiceClosedError
            self._running += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._running -= 1
            if not self._running:
                self._changed.notify_all()

    def close(self) -> bool:
        """Let nothing more in and wait until all is out; True for the one call that closed it."""
        with self._changed:
            is_first = not self._is_closed
            self._is_closed = True
            self._changed.wait_for(lambda: not self._running)
        return is_first
