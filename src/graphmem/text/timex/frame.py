"""A frame is what the time expressions of one message stand on, and makes intervals in its calendar."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Final, Literal

from graphmem.domain.interval import Grain, Interval, local_us, wall_clock
from graphmem.domain.moment import Moment
from graphmem.text.timex.calendar import (
    SATURDAY,
    WEEK,
    Season,
    monday,
    month_end,
    plus_days,
    season_months,
)

Locale = Literal["en", "en-GB"]

_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The anchor, and what was read before in the same message.

    The makers return None for what leaves the calendar (years 1 to 9999), so that a rule may hand
    through whatever numbers a text holds.

    Attributes:
        anchor: when the message was sent; None when nobody knows.
        reference: the latest date that was read before in the message.
        locale: how dates in slashes are read.
    """

    anchor: Moment | None
    reference: Interval | None = None
    locale: Locale = "en"

    @property
    def offset_minutes(self) -> int:
        """The offset of the calendar in which days are counted."""
        return self.anchor.offset_minutes if self.anchor else 0

    @property
    def now(self) -> datetime | None:
        """The anchor's wall clock; None without an anchor, or with one that is a whole day."""
        if self.anchor is None or self.anchor.precision == "day":
            return None
        return self.anchor.local().replace(tzinfo=None)  # wall clock: the frame keeps the offset

    @property
    def today(self) -> date | None:
        """The anchor's local date; None without an anchor."""
        return None if self.anchor is None else self.anchor.local().date()

    def after(self, reference: Interval) -> Frame:
        """The frame for what follows a date in the message."""
        return replace(self, reference=reference)

    def first_day(self, interval: Interval) -> date | None:
        """The local date on which an interval begins; None if it is open there."""
        return None if interval.start_us is None else self._date(interval.start_us)

    def last_day(self, interval: Interval) -> date | None:
        """The local date on which an interval ends; None if it is open there."""
        return None if interval.end_us is None else self._date(interval.end_us - 1)

    def minute(
        self, day: date, hour: int, minute: int = 0, offset_minutes: int | None = None
    ) -> Interval | None:
        """One minute of a day; hour 24 is midnight at its end.

        Args:
            day: the date.
            hour: 0 to 24.
            minute: 0 to 59.
            offset_minutes: the offset that the text states, None for the frame's.
        """
        if not (0 <= hour <= 24 and 0 <= minute <= 59) or (hour == 24 and minute):
            return None
        try:
            start = datetime.combine(day, time()) + timedelta(hours=hour, minutes=minute)
            return self._between(
                start, start + timedelta(minutes=1), "minute", offset_minutes=offset_minutes
            )
        except OverflowError:
            return None

    def clock(self, at: datetime, grain: Literal["minute", "hour"]) -> Interval | None:
        """The minute or the hour that holds a wall-clock time."""
        if grain == "minute":
            return self.minute(at.date(), at.hour, at.minute)
        start = at.replace(minute=0, second=0, microsecond=0)
        try:
            return self._between(start, start + timedelta(hours=1), "hour")
        except OverflowError:
            return None

    def day(self, day: date) -> Interval | None:
        """One day."""
        return self.days(day, day)

    def days(self, first: date, last: date) -> Interval | None:
        """From one day to another, both included; None if they are in the wrong order."""
        return self._dates(first, last, "day")

    def just_before(self) -> Interval | None:
        """Shortly before the anchor; None without one."""
        day = None if self.today is None else self.day(self.today)
        return None if day is None else day.about()

    def week(self, day: date, weeks: int = 0) -> Interval | None:
        """The week, Monday to Sunday, that is `weeks` after the one that holds the day."""
        try:
            first = plus_days(monday(day), WEEK * weeks)
            return self.days(first, plus_days(first, WEEK - 1))
        except OverflowError:
            return None

    def weekend(self, saturday: date) -> Interval | None:
        """A Saturday with its Sunday; any other day stands for the Saturday of its week."""
        try:
            first = plus_days(monday(saturday), SATURDAY)
            return self.days(first, plus_days(first, 1))
        except OverflowError:
            return None

    def month(self, year: int, month: int) -> Interval | None:
        """One month."""
        return self.months((year, month), (year, month))

    def months(self, first: tuple[int, int], last: tuple[int, int]) -> Interval | None:
        """From one (year, month) to another, both included."""
        try:
            return self._dates(date(*first, 1), month_end(*last), "month")
        except (ValueError, OverflowError):
            return None

    def season(self, year: int, season: Season) -> Interval | None:
        """A season; a winter belongs to the year of its December."""
        return self.months(*season_months(year, season))

    def year(self, year: int) -> Interval | None:
        """One year."""
        return self.years(year, year)

    def years(self, first: int, last: int) -> Interval | None:
        """From one year to another, both included."""
        try:
            return self._dates(date(first, 1, 1), date(last, 12, 31), "year")
        except (ValueError, OverflowError):
            return None

    def _date(self, us: int) -> date:
        return wall_clock(us, self.offset_minutes).date()

    def _dates(self, first: date, last: date, grain: Grain) -> Interval | None:
        if last < first:
            return None
        try:
            return self._between(
                datetime.combine(first, time()), datetime.combine(last, time()) + _DAY, grain
            )
        except OverflowError:
            return None

    def _between(
        self, start: datetime, end: datetime, grain: Grain, *, offset_minutes: int | None = None
    ) -> Interval:
        offset = self.offset_minutes if offset_minutes is None else offset_minutes
        return Interval(
            start_us=local_us(start, offset),
            end_us=local_us(end, offset),
            grain=grain,
            offset_minutes=offset,
            states_offset=offset_minutes is not None,
        )
