"""The system clock."""

from __future__ import annotations

import time


class SystemClock:
    """Tells the time of the machine."""

    def now_us(self) -> int:
        return time.time_ns() // 1000
