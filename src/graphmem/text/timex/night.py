"""A night goes on after midnight: its small hours are of the next calendar day."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.text.timex.calendar import plus_days
from graphmem.text.timex.frame import Frame

_MORNING: Final = 6 * 60  # minutes after midnight


def is_small_hour(minutes: int) -> bool:
    """Whether so many minutes after midnight are of the night that began on the day before."""
    return 0 <= minutes < _MORNING


def day_of_small_hour(frame: Frame, evening: date, *, is_named_by_today: bool) -> date | None:
    """The calendar day of a small hour of the night that began on a day; None where that is in doubt.

    Args:
        frame: the anchor.
        evening: the day on which the night began, by its name.
        is_named_by_today: whether the name counts from today ("last night"), which is in doubt when
            today is itself in the small hours: the night may be the running one or the one before.
    """
    now, today = frame.now, frame.today
    if is_named_by_today and now is not None and today is not None:
        is_near = today in {evening, plus_days(evening, 1)}
        if is_near and is_small_hour(60 * now.hour + now.minute):
            return None
    return plus_days(evening, 1)
