"""The lunar calendar and the solar terms, from borax, which is loaded for the first text that needs it."""

from __future__ import annotations

from datetime import date
from functools import lru_cache


@lru_cache(maxsize=256)
def lunar_date(year: int, month: int, day: int, *, is_leap: bool = False) -> date:
    """The day of a date of the lunar year that begins in the given year.

    Raises:
        ValueError: the year has no such date, or is outside 1900 to 2100.
    """
    from borax.calendars.lunardate import LunarDate  # noqa: PLC0415 - 20 ms, for few texts

    found: date = LunarDate(year, month, day, int(is_leap)).to_solar_date()
    return found


@lru_cache(maxsize=256)
def solar_term(year: int, name: str) -> date:
    """The day on which a solar term falls, such as 清明.

    Raises:
        ValueError: the year is outside 1901 to 2100.
    """
    from borax.calendars.lunardate import TermUtils  # noqa: PLC0415 - as above

    if not 1901 <= year <= 2100:
        raise ValueError("solar terms are known for 1901 to 2100")
    found: date = TermUtils.nth_term_day(year, term_name=name)
    return found
