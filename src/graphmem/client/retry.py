"""How long a call may take, what is tried again, and when: all of it without I/O.

Written here instead of taken from a library because the pause has three masters: the back-off, the
server's `Retry-After`, and a total time limit that the pauses count towards.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from graphmem.client.errors import BadRequestError, MemoryClientError

FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_BACKOFF_SECONDS: Final = 8.0

# 500 is missing on purpose: the server says that it failed, not that it is busy.
PASSING: Final = frozenset({429, 502, 503, 504})


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Time limits of one call, in seconds.

    Attributes:
        connect: to reach the server.
        read: for each wait for something that it sends, or takes.
        total: for the call as a whole, its retries and pauses included.
    """

    connect: float = 5.0
    read: float = 60.0
    total: float = 180.0

    @classmethod
    def of(cls, value: float | Timeouts) -> Timeouts:
        """The limits that a number of seconds stands for: that many in all."""
        if isinstance(value, Timeouts):
            return value
        return cls(connect=min(cls().connect, value), read=value, total=value)


def _wall() -> datetime:
    return datetime.now(UTC)  # noqa: TID251 - a library of its own: this is where its clock comes in


def _jitter() -> float:
    return random.random()  # noqa: S311 - spreads load, keeps no secret


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Clocks, chance and pauses; tests give their own.

    Attributes:
        clock: seconds that only grow.
        wall: the time of day, to read a `Retry-After` that is a date.
        jitter: a number from 0 up to 1.
        sleep: waits that many seconds.
        asleep: the same for the asynchronous client.
    """

    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], datetime] = _wall
    jitter: Callable[[], float] = _jitter
    sleep: Callable[[float], object] = time.sleep
    asleep: Callable[[float], Awaitable[object]] = asyncio.sleep


class AgainError(Exception):
    """A failure that may pass; carries what to raise if it does not."""

    def __init__(self, error: MemoryClientError) -> None:
        super().__init__()
        self.error = error


class Tries:
    """The tries of one call: how much time is left, and how long to wait before the next."""

    def __init__(self, timeouts: Timeouts, max_retries: int, pace: Pace) -> None:
        self._timeouts = timeouts
        self._left = max_retries
        self._pace = pace
        self._backoff = FIRST_PAUSE_SECONDS
        self._deadline = pace.clock() + timeouts.total

    def limits(self) -> tuple[float, float]:
        """The limits of connecting and of reading for the next try, within what is left in all."""
        left = max(0.001, self._deadline - self._pace.clock())
        return min(self._timeouts.connect, left), min(self._timeouts.read, left)

    def is_over(self) -> bool:
        """Whether the time for the whole call is used up."""
        return self._pace.clock() >= self._deadline

    def pause_after(self, again: AgainError) -> float:
        """Seconds to wait before the next try.

        Half of the back-off is certain and half is chance, so that clients which failed together
        do not come back together.

        Raises:
            MemoryClientError: there is no next try; what the last one ended with.
        """
        backoff = self._backoff * (0.5 + 0.5 * self._pace.jitter())
        pause = max(backoff, again.error.retry_after or 0.0)
        if self._left == 0 or self._pace.clock() + pause >= self._deadline:
            raise again.error from again.__cause__
        self._left -= 1
        self._backoff = min(2 * self._backoff, LONGEST_BACKOFF_SECONDS)
        return pause


def read_retry_after(value: str | None, wall: Callable[[], datetime]) -> float | None:
    """The seconds that a `Retry-After` asks for, whether a number or a date; None without one."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return max(0.0, (aware - wall()).total_seconds())


def check_limits(timeouts: Timeouts, max_retries: int) -> None:
    """Check what a client was given.

    Raises:
        BadRequestError: a limit is no positive number, or the retries are negative.
    """
    for name in ("connect", "read", "total"):
        seconds = getattr(timeouts, name)
        if not (isinstance(seconds, int | float) and 0 < seconds < math.inf):
            raise BadRequestError(f"timeout.{name}: must be a positive number of seconds")
    if max_retries < 0:
        raise BadRequestError("max_retries: must be 0 or more")
