"""Arithmetic on calendar days: the rules of docs/time.md that do not depend on a language.

Every function is pure; one that would leave the years 1 to 9999 raises OverflowError or ValueError.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Final, Literal

Season = Literal["spring", "summer", "autumn", "winter"]
Tense = Literal["past", "future"]
Outlook = Literal["past", "future", "ahead", "either", "unsure"]
"""What a clause tells of a date without a year: its tense, or that it speaks of what was arranged.

`ahead`: of the occasion; `either`: of the occasion or of its arranging; `unsure`: more likely of the arranging.
"""

WEEK: Final = 7
_MONTH: Final = 30
SATURDAY: Final = 5
_MONTHS: Final = 12
_RECENT: Final = 92
"""So many days back nobody means the next year by a day alone: the longest three months."""
_SEASON_START: Final[dict[Season, int]] = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}


def plus_days(day: date, days: int) -> date:
    """The day so many days later; negative for earlier."""
    return day + timedelta(days=days)


def plus_months(year: int, month: int, months: int) -> tuple[int, int]:
    """The month so many months later, as year and month; the year may leave 1 to 9999."""
    total = year * _MONTHS + month - 1 + months
    return total // _MONTHS, total % _MONTHS + 1


def same_day(day: date, *, months: int) -> date:
    """The same day of the month so many months later; the month's last day where it is shorter."""
    year, month = plus_months(day.year, day.month, months)
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def month_end(year: int, month: int) -> date:
    """The last day of a month."""
    return date(year, month, monthrange(year, month)[1])


def monday(day: date) -> date:
    """The Monday of the day's week (ISO 8601)."""
    return day - timedelta(days=day.weekday())


def weekday_before(day: date, weekday: int) -> date:
    """The nearest such weekday (Monday is 0) before the day, not the day itself."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % WEEK + 1)


def weekday_after(day: date, weekday: int) -> date:
    """The nearest such weekday (Monday is 0) after the day, not the day itself."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % WEEK + 1)


def weekday_of_week(day: date, weekday: int, *, weeks: int) -> date:
    """Such a weekday of the week that is `weeks` after the day's own."""
    return monday(day) + timedelta(days=WEEK * weeks + weekday)


def weekend_before(day: date) -> date:
    """The Saturday of the latest weekend that ended before the day."""
    sunday = weekday_before(day, SATURDAY + 1)
    return sunday - timedelta(days=1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    """The nth such weekday of a month, from 1; -1 is the last.

    Raises:
        ValueError: the month has no such day.
    """
    if nth < 0:
        return weekday_before(month_end(year, month) + timedelta(days=1), weekday)
    first = date(year, month, 1)
    found = first + timedelta(days=(weekday - first.weekday()) % WEEK + WEEK * (nth - 1))
    if found.month != month:
        raise ValueError("the month has no such weekday")
    return found


def easter(year: int) -> date:
    """Easter Sunday of the western churches, by the anonymous Gregorian computus (Nature, 20 April 1876)."""
    century, of_century = divmod(year, 100)
    golden = year % 19
    correction = (8 * century + 13) // 25
    epact = (19 * golden + century - century // 4 - correction + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % WEEK
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def season_months(year: int, season: Season) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last month of a meteorological season of the north; winter begins in the year's December."""
    first = _SEASON_START[season]
    return (year, first), plus_months(year, first, 2)


def is_unclear(today: date, season: Season) -> bool:
    """Whether "this" season may be the running one or the next: a winter in January and February."""
    return season == "winter" and today.month <= 2


def side(outlook: Outlook | None, behind: int, ahead: int) -> Tense:
    """On which side of today a date lies whose nearest two are so many days behind and ahead.

    Raises:
        ValueError: nothing tells.
    """
    if outlook is None:
        return "past" if behind <= ahead else "future"
    if outlook == "past" or outlook == "future":
        return outlook
    if behind <= _RECENT:
        return "past"
    if outlook == "ahead" or (outlook == "either" and ahead < behind):
        return "future"
    raise ValueError("it may be of the last year or of the next")


def nearest_date(today: date, month: int, day: int, outlook: Outlook | None) -> date:
    """The date of this month and day that a text without a year means.

    Of the past: the latest that is not after today; of the future: the earliest that is not before
    it; else the one nearest to today, the past one where both are as near. Of what was arranged: `side`.

    Raises:
        ValueError: no year has such a day, or nothing tells the year.
    """
    found = [
        candidate
        for year in range(today.year - 8, today.year + 9)  # 29 February may be 8 years away
        if 1 <= year <= date.max.year and (candidate := _date(year, month, day)) is not None
    ]
    past = max(day for day in found if day <= today)
    future = min(day for day in found if day >= today)
    return past if side(outlook, (today - past).days, (future - today).days) == "past" else future


def nearest_month(today: date, month: int, outlook: Outlook | None) -> tuple[int, int]:
    """The year and month that a month's bare name means, as `nearest_date` picks among months."""
    here = today.year * _MONTHS + today.month - 1
    found = [year * _MONTHS + month - 1 for year in range(today.year - 1, today.year + 2)]
    before = max(number for number in found if number <= here)
    after = min(number for number in found if number >= here)
    told = side(outlook, (here - before) * _MONTH, (after - here) * _MONTH)
    picked = before if told == "past" else after
    return picked // _MONTHS, picked % _MONTHS + 1


def nearest_day_of_month(today: date, day: int, tense: Tense) -> date:
    """The nearest such day of a month before or after today, not today itself.

    Raises:
        ValueError: no month has such a day.
    """
    step = -1 if tense == "past" else 1
    for months in range(0, 4 * step, step):
        year, month = plus_months(today.year, today.month, months)
        found = _date(year, month, day)
        if found is not None and (found < today if step < 0 else found > today):
            return found
    raise ValueError("no such day of a month")


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
