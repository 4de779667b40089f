"""Erasing brings deletions to their end in the background: many of them with one erasure."""

from __future__ import annotations

import logging
import threading
import time
from typing import Final

from graphmem.errors import ServiceClosedError, StoreError
from graphmem.ports.clock import Clock
from graphmem.ports.store import Store

GATHER_SECONDS: Final = 2.0  # after a deletion, for others to come along
# An erasure rewrites the store and may keep writers waiting, so it takes a tenth of the time at most.
REST_SHARE: Final = 9.0
FIRST_PAUSE_SECONDS: Final = 1.0
LONGEST_PAUSE_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


class Erasing:
    """One thread that erases what was deleted, beginning with what an earlier process left.

    What fails (no room, a reader that stays) is tried again with growing pauses.

    Attributes:
        waiting: deletions that were not erased when it last tried, and those that came since.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.waiting = 0
        self._changed = threading.Condition()
        self._wanted = (
            1  # how often there was something to erase; an earlier process may have left some
        )
        self._done = 0  # the last of those that is erased
        self._hurried = 0  # the last of those that somebody waits for
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name="graphmem-erasing", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """There is something to erase."""
        with self._changed:
            self._wanted += 1
            self.waiting += 1
            self._changed.notify_all()

    def look(self) -> None:
        """Take up what a process left that shares the store and died; nothing if all is erased.

        Raises:
            StoreError: the store failed.
        """
        with self._changed:
            is_idle = self._done >= self._wanted
        if is_idle and self._store.unerased():
            self.wake()

    def wait(self, timeout_seconds: float) -> bool:
        """Erase now what was deleted so far, and wait until it is done; whether that came in time."""
        if not self._thread.is_alive():
            return self._try_erase()
        with self._changed:
            wanted = self._wanted
            self._hurried = wanted
            self._changed.notify_all()
            return self._changed.wait_for(lambda: self._done >= wanted, timeout_seconds)

    def stop(self) -> None:
        """Begin nothing more; what is left is erased after the next opening."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    def close(self) -> None:
        """Stop, and wait for an erasure that runs; a store that is closed ends it early."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        rest = GATHER_SECONDS
        while (wanted := self._next(rest)) is not None:
            began = time.monotonic()
            if self._try_erase():
                self._note_done(wanted)
                pause = FIRST_PAUSE_SECONDS
                rest = max(GATHER_SECONDS, REST_SHARE * (time.monotonic() - began))
            else:
                self._pause(pause)
                rest, pause = 0.0, min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _next(self, rest: float) -> int | None:
        """Wait until there is work and its time has come; None when the service is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._done < self._wanted or self._is_closing)
            self._changed.wait_for(lambda: self._done < self._hurried or self._is_closing, rest)
            return None if self._is_closing else self._wanted

    def _pause(self, seconds: float) -> None:
        """Let what stood in the way pass, even if somebody waits."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing, seconds)

    def _note_done(self, wanted: int) -> None:
        with self._changed:
            self._done = wanted
            self._changed.notify_all()

    def _try_erase(self) -> bool:
        try:
            self._count()
            self._store.erase(self._clock.now_us)
            self._count()
        except ServiceClosedError:
            return False
        except StoreError as error:
            _log.warning("deleted texts could not be erased yet, will try again: %s", error)
            return False
        return True

    def _count(self) -> None:
        self.waiting = self._store.unerased()
