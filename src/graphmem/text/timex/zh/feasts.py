"""Holidays with a direction, and dates of the lunar calendar: 上个圣诞节, 农历八月十五, 正月初五."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import Outlook, Season, is_unclear, season_months, side
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.lunar import lunar_date
from graphmem.text.timex.zh.holidays import holiday_near
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Resolve
from graphmem.text.timex.zh.rule import Match, Opening, Refinement, opening, refinement
from graphmem.text.timex.zh.tense import outlook
from graphmem.text.timex.zh.years import SEASONS, year_of

_LUNAR: Final = (
    "(?:历(?:(?P<m>数)月|(?P<name>腊))|(?P<name2>腊)|(?P<m2>数)月(?=初))"
    "(?:(?P<d>数)[日号]?|(?P<first>初))"
)


def _holiday(tokens: Tokens, match: Match) -> Phrase | None:
    """上个圣诞节, 下个春节, 这个中秋节."""
    direction, name = tokens.value(match.start()), tokens.word(match.end() - 1)
    if abs(direction) > 1:
        return None

    def resolve(frame: Frame) -> Interval | None:
        if frame.today is None:
            return None
        return frame.day(holiday_near(name, frame.today, direction))

    return Phrase(end=match.end(), unit="day", resolve=resolve)


def _season(tokens: Tokens, match: Match) -> Phrase | None:
    """上个冬天: the latest that ended before today; 下个夏天; 这个春天."""
    direction, season = tokens.value(match.start()), SEASONS[tokens.value(match.end() - 1)]
    if abs(direction) > 1:
        return None

    def resolve(frame: Frame) -> Interval | None:
        if frame.today is None or (direction == 0 and is_unclear(frame.today, season)):
            return None
        return frame.season(_season_year(frame.today, season, direction), season)

    return Phrase(end=match.end(), unit="season", resolve=resolve)


def _season_year(today: date, season: Season, direction: int) -> int:
    here = (today.year, today.month)
    years = range(today.year - 2, today.year + 2)
    if direction < 0:
        return max(year for year in years if season_months(year, season)[1] < here)
    if direction > 0:
        return min(year for year in years if season_months(year, season)[0] > here)
    running = [year for year in years if _holds(season_months(year, season), here)]
    return running[0] if running else today.year


def _holds(months: tuple[tuple[int, int], tuple[int, int]], month: tuple[int, int]) -> bool:
    return months[0] <= month <= months[1]


def _month_and_day(tokens: Tokens, match: Match) -> tuple[int, int]:
    name = "name" if match["name"] else "name2" if match["name2"] else "m" if match["m"] else "m2"
    return tokens.value(match.start(name)), tokens.value(
        match.start("d" if match["d"] else "first")
    )


def _lunar(tokens: Tokens, match: Match) -> Phrase | None:
    """农历八月十五, 正月初五: as a date without a year."""
    month, day = _month_and_day(tokens, match)
    start, end = tokens.start(match.start()), tokens.end(match.end())

    def resolve(frame: Frame) -> Interval | None:
        today = frame.today
        if today is None:
            return None
        return frame.day(_nearest(today, month, day, outlook(tokens.text, start, end)))

    return Phrase(end=match.end(), unit="day", resolve=resolve)


def _nearest(today: date, month: int, day: int, told: Outlook | None) -> date:
    days = [lunar_date(today.year + years, month, day) for years in (-2, -1, 0, 1)]
    past = max(found for found in days if found <= today)
    future = min(found for found in days if found >= today)
    return past if side(told, (today - past).days, (future - today).days) == "past" else future


def _lunar_of_year(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """2024年农历八月十五, 去年腊月二十三."""
    month, day = _month_and_day(tokens, match)
    whole: Resolve = phrase.resolve

    def resolve(frame: Frame) -> Interval | None:
        year = year_of(whole, frame)
        return None if year is None else frame.day(lunar_date(year, month, day))

    return Phrase(end=match.end(), unit="day", resolve=resolve)


OPENINGS: Final[tuple[Opening, ...]] = (
    opening("上", "上个?节", _holiday),
    opening("上", "上个?夏", _season),
    opening("历腊数", _LUNAR, _lunar),
)
REFINEMENTS: Final[tuple[Refinement, ...]] = (refinement(_LUNAR, _lunar_of_year),)
