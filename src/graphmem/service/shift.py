"""A shift is the hours of a background thread: when it works, pauses, rests and ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 60.0


class Shift:
    """One thread that is woken when there is work. Thread-safe but for `rest` and `pause`, which are its own.

    Args:
        work: what the thread runs; it returns when the shift is over.
        name: of the thread.
        is_idle: whether there is nothing to do before it starts.
    """

    def __init__(self, work: Callable[[], None], *, name: str, is_idle: bool = False) -> None:
        self._woken = threading.Event()
        self._over = threading.Event()
        self._rests = threading.Condition()
        self._is_idle = is_idle
        self._thread = threading.Thread(target=work, name=name, daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether the thread is to end."""
        return self._over.is_set()

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        with self._rests:
            self._is_idle = False
            self._woken.set()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        with self._rests:
            return self._rests.wait_for(lambda: self._is_idle, timeout_seconds)

    def end(self) -> None:
        """Let the thread end after what is at hand, without waiting for it."""
        self._over.set()
        self._woken.set()

    def join(self) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Take notice of all work that there is now."""
        self._woken.clear()

    def pause(self, seconds: float) -> bool:
        """Wait so long, which new work does not shorten, or until the shift is over; whether it is."""
        return self._over.wait(seconds)

    def rest(self) -> None:
        """Tell that nothing is left, and wait for work that came since `look`, or the end."""
        with self._rests:
            self._is_idle = not self._woken.is_set()
            self._rests.notify_all()
        if not self.is_over:  # `end` sets it before it wakes
            self._woken.wait()
