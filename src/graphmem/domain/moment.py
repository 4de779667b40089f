"""A moment is a point in time that always carries its zone and its precision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal

Precision = Literal["instant", "day"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_DAY_ONLY: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_STAMP_CHARACTERS: Final = {"day": 10, "instant": 16}  # the date; the date, a space, HH:MM
FIRST_US: Final = (datetime(1, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
LAST_US: Final = (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A point in time: microseconds since 1970 UTC, the offset it was written in, and a precision.

    Attributes:
        us: microseconds since 1970-01-01T00:00:00Z, within the years 1 to 9999.
        offset_minutes: the offset from UTC that the source stated, in minutes.
        precision: `instant`, or `day` when the source gave a date only.
    """

    us: int
    offset_minutes: int = 0
    precision: Precision = "instant"

    @classmethod
    def from_unix_ms(cls, milliseconds: int) -> Moment | None:
        """Read Unix milliseconds; None outside the years 1 to 9999."""
        us = milliseconds * 1000
        return cls(us=us) if FIRST_US <= us <= LAST_US else None

    @classmethod
    def parse_iso(cls, text: str) -> Moment:
        """Read ISO 8601; without a zone it is UTC, a date alone has day precision.

        Raises:
            ValueError: the text is not an ISO 8601 date or time in the years 1 to 9999.
        """
        value = datetime.fromisoformat(text)
        precision: Precision = "day" if _DAY_ONLY.match(text) else "instant"
        offset = value.utcoffset() or timedelta()
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        us = (aware - _EPOCH) // _MICROSECOND
        if not FIRST_US <= us <= LAST_US:
            raise ValueError("outside the years 1 to 9999")
        return cls(us=us, offset_minutes=offset // timedelta(minutes=1), precision=precision)

    def local(self) -> datetime:
        """The moment as an aware datetime in its own offset, or in UTC where that leaves the calendar."""
        utc = _EPOCH + timedelta(microseconds=self.us)
        if not self.offset_minutes:
            return utc
        zone = timezone(timedelta(minutes=self.offset_minutes))
        try:
            return utc.astimezone(zone)
        except OverflowError:
            return utc

    def iso(self) -> str:
        """ISO 8601 in the moment's own offset, `Z` for UTC; a date alone for day precision."""
        if self.precision == "day":
            return self.local().date().isoformat()
        return self.local().isoformat().replace("+00:00", "Z")

    def iso_utc(self) -> str:
        """ISO 8601 in UTC with `Z`, with a fraction only where there is one."""
        return (_EPOCH + timedelta(microseconds=self.us)).isoformat().replace("+00:00", "Z")

    def stamp(self) -> str:
        """The form shown before evidence: `2023-05-08 13:56`, or the date alone for day precision."""
        local = self.local()
        return local.isoformat(" ", "minutes")[: _STAMP_CHARACTERS[self.precision]]
