"""An interval is a stretch of time as a text gave it: with its precision, open to a side perhaps."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

Grain = Literal["minute", "hour", "day", "month", "year", "about"]

GRAINS: Final[tuple[Grain, ...]] = ("minute", "hour", "day", "month", "year", "about")
"""By number as they are stored; all but the last, `about`, from fine to coarse."""

ABOUT: Final = timedelta(days=7)
"""How long an interval of the grain `about` is: shortly before, or on, the day with which it ends."""
_STAMP_CHARACTERS: Final[dict[Grain, int]] = {
    "minute": 16,  # 2023-05-08 13:56
    "hour": 13,
    "day": 10,
    "month": 7,
    "year": 4,
    "about": 10,
}
_YEAR: Final = GRAINS.index("year")
_STAMP: Final = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?: (\d\d)(?:h|:(\d\d))([+-]\d\d:\d\d)?)?)?)?"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_MINUTE_US: Final = 60_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """From `start_us` up to, and without, `end_us`, in microseconds since 1970 UTC.

    Attributes:
        start_us: its first microsecond; None when it is open to the past.
        end_us: the first microsecond behind it; None when it is open to the future.
        grain: how finely the text gave it; both ends lie on borders of this grain.
        offset_minutes: the offset from UTC of the calendar in which the grain is counted.
        states_offset: whether the text itself named that offset.
    """

    start_us: int | None
    end_us: int | None
    grain: Grain
    offset_minutes: int = 0
    states_offset: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no stretch of time."""
        if self.start_us is None and self.end_us is None:
            raise ValueError("an interval is open to one side at most")
        if self.start_us is not None and self.end_us is not None and self.start_us >= self.end_us:
            raise ValueError("an interval begins before it ends")

    @classmethod
    def parse(cls, text: str, offset_minutes: int = 0) -> Interval:
        """Read what `text` wrote.

        Args:
            text: one value, perhaps with `~` before it, or two with `..` between, of which one may be
                empty.
            offset_minutes: the offset of the calendar, where the text does not state it.

        Raises:
            ValueError: it is no such value.
        """
        if text.startswith("~"):
            return _parse_stamp(text[1:], offset_minutes).about()
        first, dots, last = text.partition("..")
        if not dots:
            return _parse_stamp(first, offset_minutes)
        if not first:
            return _parse_stamp(last, offset_minutes).until()
        start = _parse_stamp(first, offset_minutes)
        whole = start.to(_parse_stamp(last, offset_minutes)) if last else start.since()
        if whole is None:
            raise ValueError("an interval begins before it ends")
        return whole

    def overlaps(self, start_us: int | None, end_us: int | None) -> bool:
        """Whether it shares time with the closed window `start_us` to `end_us`; None is open."""
        begins_in_time = self.start_us is None or end_us is None or self.start_us <= end_us
        ends_late_enough = self.end_us is None or start_us is None or self.end_us > start_us
        return begins_in_time and ends_late_enough

    def holds(self, other: Interval) -> bool:
        """Whether the other lies within it; an open end is held by an open end only."""
        return _at_or_before(self.start_us, other.start_us) and _at_or_before(
            other.end_us, self.end_us, open_is_last=True
        )

    @property
    def is_about(self) -> bool:
        """Whether it is known only to lie shortly before, or on, its last day."""
        return self.grain == "about"

    def about(self) -> Interval:
        """Shortly before, or on, this day.

        Raises:
            ValueError: it is no day.
        """
        if self.grain != "day" or self.end_us is None:
            raise ValueError("only a day can be told about")
        return replace(self, start_us=self.end_us - ABOUT // _MICROSECOND, grain="about")

    def since(self) -> Interval:
        """The same beginning, open to the future."""
        return replace(self, end_us=None)

    def until(self) -> Interval:
        """The same end, open to the past."""
        return replace(self, start_us=None)

    def to(self, other: Interval) -> Interval | None:
        """From this one to the other, at the coarser of their grains; None if it ends before it begins."""
        grain = max(self.grain, other.grain, key=GRAINS.index)
        if self.start_us is not None and other.end_us is not None and self.start_us >= other.end_us:
            return None
        return replace(self, end_us=other.end_us, grain=grain)

    def text(self) -> str:
        """How it is written in evidence: `2023-05-07`, `2022-03..2022-05`, `2023-03..`, `~2023-05-07`.

        The notation is that of ISO 8601-1, with a space for the `T`, an `h` behind a bare hour, and two
        dots between the ends (as in ISO 8601-2 and EDTF, whose open end is empty, too).
        """
        first = self._stamp(self.start_us)
        last = self._stamp(None if self.end_us is None else self.end_us - 1)
        if self.is_about:
            return f"~{last}"
        return first if first == last else f"{first}..{last}"

    def _stamp(self, us: int | None) -> str:
        if us is None:
            return ""
        local = wall_clock(us, self.offset_minutes)
        stamp = local.isoformat(" ", "minutes")[: _STAMP_CHARACTERS[self.grain]]
        if self.grain == "hour":
            stamp += "h"
        return stamp + (self._offset() if self.states_offset else "")

    def _offset(self) -> str:
        sign = "-" if self.offset_minutes < 0 else "+"
        hours, minutes = divmod(abs(self.offset_minutes), 60)
        return f"{sign}{hours:02}:{minutes:02}"


def _parse_stamp(text: str, offset_minutes: int) -> Interval:
    match = _STAMP.fullmatch(text)
    if match is None:
        raise ValueError(
            "must read like 2023, 2023-05, 2023-05-07, 2023-05-07 15h or 2023-05-07 15:00"
        )
    *parts, zone = match.groups()
    fields = [int(part) for part in parts if part]
    grain = GRAINS[_YEAR + 1 - len(fields)]
    year, month, day, *clock = [*fields, 1, 1][: max(len(fields), 3)]
    hour, minute = [*clock, 0, 0][:2]
    start = datetime(year, month, day, hour, minute, tzinfo=UTC)
    offset = _minutes(zone) if zone else offset_minutes
    return Interval(
        start_us=local_us(start, offset),
        end_us=local_us(_next(start, grain), offset),
        grain=grain,
        offset_minutes=offset,
        states_offset=zone is not None,
    )


def _minutes(zone: str) -> int:
    hours, minutes = int(zone[1:3]), int(zone[4:])
    return (60 * hours + minutes) * (-1 if zone[0] == "-" else 1)


def _next(start: datetime, grain: Grain) -> datetime:
    """The first moment behind the grain that begins at `start`."""
    match grain:
        case "minute":
            return start + timedelta(minutes=1)
        case "hour":
            return start + timedelta(hours=1)
        case "day" | "about":
            return start + timedelta(days=1)
        case "month":
            year, month = divmod(start.year * 12 + start.month, 12)
            return start.replace(year=year, month=month + 1)
        case "year":
            return start.replace(year=start.year + 1)


def _at_or_before(first: int | None, second: int | None, *, open_is_last: bool = False) -> bool:
    if first is None:
        return second is None if open_is_last else True
    if second is None:
        return open_is_last
    return first <= second


def local_us(wall: datetime, offset_minutes: int) -> int:
    """The microseconds since 1970 UTC at which a clock with this offset shows this; its zone is ignored."""
    return (wall.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND - offset_minutes * _MINUTE_US


def wall_clock(us: int, offset_minutes: int) -> datetime:
    """What a clock with this offset shows, labelled UTC.

    Raises:
        OverflowError: it shows no year from 1 to 9999.
    """
    return _EPOCH + timedelta(microseconds=us + offset_minutes * _MINUTE_US)
