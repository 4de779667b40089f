"""Arithmetic on calendar days: the rules of docs/time.md that do not depend on a language.

Every function is pure; one that would leave the years 1 to 9999 raises OverflowError or ValueError.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta
from typing import Final, Literal

Season = Literal["spring", "summer", "autumn", "winter"]
Tense = Literal["past", "future"]

WEEK: Final = 7
SATURDAY: Final = 5
_MONTHS: Final = 12
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


def nearest_date(today: date, month: int, day: int, tense: Tense | None) -> date:
    """The date of this month and day that a text without a year means.

    Of the past: the latest that is not after today; of the future: the earliest that is not before
    it; else the one nearest to today, the past one where both are as near.

    Raises:
        ValueError: no year has such a day.
    """
    found = [
        candidate
        for year in range(today.year - 8, today.year + 9)  # 29 February may be 8 years away
        if 1 <= year <= date.max.year and (candidate := _date(year, month, day)) is not None
    ]
    return _pick(found, today, tense)


def nearest_month(today: date, month: int, tense: Tense | None) -> tuple[int, int]:
    """The year and month that a month's bare name means, as `nearest_date` picks among months."""
    here = today.year * _MONTHS + today.month - 1
    found = [year * _MONTHS + month - 1 for year in range(today.year - 1, today.year + 2)]
    before = max(number for number in found if number <= here)
    after = min(number for number in found if number >= here)
    picked = before if tense == "past" else after
    if tense is None:
        picked = before if here - before <= after - here else after
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


def _pick(found: list[date], today: date, tense: Tense | None) -> date:
    past = [day for day in found if day <= today]
    future = [day for day in found if day >= today]
    match tense:
        case "past":
            return max(past)
        case "future":
            return min(future)
        case None:
            return min(found, key=lambda day: (abs(day - today), day > today))


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
