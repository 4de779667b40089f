"""The clock port: the only way the service learns what time it is."""

from __future__ import annotations

from typing import Protocol


class Clock(Protocol):
    """Tells the time of arrival of a write; never used to resolve or rank anything."""

    def now_us(self) -> int:
        """Microseconds since 1970-01-01T00:00:00Z."""
        ...
