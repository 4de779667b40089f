"""Years and what divides them: 2023年, 去年, 90年代; months, seasons, quarters, halves and holidays of a year."""

from __future__ import annotations

from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import Season, is_unclear, same_day
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.holidays import NUMBER_NAMES, holiday
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.numerals import is_digits
from graphmem.text.timex.zh.phrase import Phrase, Resolve, Unit, first_day, unknown
from graphmem.text.timex.zh.rule import Match, Opening, Refinement, opening, refinement
from graphmem.text.timex.zh.surroundings import is_span_of_years

SEASONS: Final[dict[int, Season]] = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
_QUARTER: Final = 3
_NUMERAL_OF_A_YEAR: Final = 4  # digits


def year_of(resolve: Resolve, frame: Frame) -> int | None:
    """The year in which a phrase begins."""
    day = first_day(resolve, frame)
    return None if day is None else day.year


def _stated(tokens: Tokens, match: Match) -> Phrase | None:
    """2023年, 二〇二三年, 2023年底; 08年 and 98年, which are no spans of years; 23年 before a month."""
    at, end = match.span()
    value, word = tokens.value(at), tokens.word(at)
    if tokens.kinds[end - 1] == "终" and not tokens.word(end - 1).startswith("年"):
        return None
    start = tokens.start(at)
    if is_span_of_years(tokens.text, start, tokens.end(end)) or _is_of_an_era(tokens.text, start):
        return None
    if _is_whole(value, word):
        return _year(match, value, is_complete=True)
    # 三百年 and 八十年 count years, 九八年 names one.
    if (
        len(word) == 2
        and (word.isascii() or is_digits(word))
        and (word[0] in "0〇零" or _goes_on(tokens, end, value))
    ):
        return _year(match, value + (1900 if value >= 50 else 2000), is_complete=False)
    return None


def _is_of_an_era(text: str, start: int) -> bool:
    """Whether years of another count are told: 民国89年 is no 1989."""
    return text[:start].rstrip().endswith(("民国", "昭和", "平成", "令和"))


def _is_whole(value: int, word: str) -> bool:
    if word.isascii() or len(word) == _NUMERAL_OF_A_YEAR:
        return len(word) == _NUMERAL_OF_A_YEAR and 1000 < value < 3000
    return len(word) > _NUMERAL_OF_A_YEAR and 1000 < value < 3000


def _goes_on(tokens: Tokens, end: int, value: int) -> bool:
    """Whether two digits before 年 are a year: a month follows, or no count would be so high."""
    following = tokens.kinds[end : end + 2]
    return following in {"数月", "数底"} or (value >= 70 and following[:1] not in "前后半多来")


def _year(match: Match, year: int, *, is_complete: bool) -> Phrase:
    unit: Unit = "span" if match[0].endswith("终") else "year"
    return Phrase(
        end=match.end(),
        unit=unit,
        resolve=lambda frame: frame.year(year),
        is_complete=is_complete and unit == "year",
    )


def _relative(tokens: Tokens, match: Match) -> Phrase:
    """去年, 前年, 今年."""
    offset = tokens.value(match.start())

    def resolve(frame: Frame) -> Interval | None:
        return None if frame.today is None else frame.year(frame.today.year + offset)

    return Phrase(end=match.end(), unit="year", resolve=resolve)


def _decade(tokens: Tokens, match: Match) -> Phrase | None:
    """90年代, 1990年代, 20世纪90年代, 上世纪九十年代."""
    value = tokens.value(match.end() - 2)
    if value % 10:
        return None
    first = _first_of_decade(tokens, match, value)
    resolve: Resolve = unknown if first is None else lambda frame: frame.years(first, first + 9)
    return Phrase(end=match.end(), unit="span", resolve=resolve)


def _first_of_decade(tokens: Tokens, match: Match, value: int) -> int | None:
    if value >= 100:
        return value if 1000 <= value < 3000 else None
    if match["century"]:
        at = match.start()
        return (20 if tokens.kinds[at] == "上" else tokens.value(at)) * 100 - 100 + value
    return 1900 + value if value >= 30 else None  # the twenties may be these or the last ones


def _month(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """2023年5月, 去年三月份."""
    month = tokens.value(match.start("n"))
    if not 1 <= month <= 12:
        return None

    def resolve(frame: Frame) -> Interval | None:
        year = year_of(phrase.resolve, frame)
        return None if year is None else frame.month(year, month)

    unit: Unit = "span" if match[0].endswith("底") else "month"
    return Phrase(end=match.end(), unit=unit, resolve=resolve, is_complete=phrase.is_complete)


def _season(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """2021年夏天, 去年冬天."""
    season = SEASONS[tokens.value(match.end() - 1)]

    def resolve(frame: Frame) -> Interval | None:
        year, today = year_of(phrase.resolve, frame), frame.today
        is_this_year = not phrase.is_complete and today is not None and year == today.year
        if year is None or (is_this_year and today and is_unclear(today, season)):
            return None
        return frame.season(year, season)

    return Phrase(end=match.end(), unit="season", resolve=resolve)


def _one_winter(tokens: Tokens, match: Match) -> Phrase | None:
    """2022-2023年冬天: that of the first year, which ends in the second."""
    first, last = tokens.value(match.start()), tokens.value(match.start("last"))
    is_winter = SEASONS[tokens.value(match.end() - 1)] == "winter"
    if not (is_winter and _is_whole(first, tokens.word(match.start())) and last == first + 1):
        return None
    return Phrase(
        end=match.end(), unit="season", resolve=lambda frame: frame.season(first, "winter")
    )


def months_of(end: int, phrase: Phrase, first: int, count: int) -> Phrase:
    """So many months of a year, from the given one."""

    def resolve(frame: Frame) -> Interval | None:
        year = year_of(phrase.resolve, frame)
        return None if year is None else frame.months((year, first), (year, first + count - 1))

    return Phrase(end=end, unit="span", resolve=resolve)


def _quarter(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """2023年第一季度, 今年Q1."""
    at = match.start("n") if match["n"] else match.end() - 1
    nth = tokens.value(at)
    if not 1 <= nth <= 4:
        return None
    return months_of(match.end(), phrase, _QUARTER * nth - 2, _QUARTER)


def _half(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """2023年上半年."""
    return months_of(match.end(), phrase, tokens.value(match.end() - 1), 6)


def _holiday(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """2021年圣诞节, 今年五一."""
    name = tokens.word(match.end() - 1)
    if tokens.kinds[match.end() - 1] != "节" and name not in NUMBER_NAMES:
        return None

    def resolve(frame: Frame) -> Interval | None:
        year = year_of(phrase.resolve, frame)
        return None if year is None else frame.day(holiday(name, year))

    return Phrase(end=match.end(), unit="day", resolve=resolve)


def _today(tokens: Tokens, phrase: Phrase, match: Match) -> Phrase | None:
    """去年的今天, 一年前的今天."""
    if tokens.word(match.end() - 1) not in {"今天", "今日"}:
        return None

    def resolve(frame: Frame) -> Interval | None:
        first, today = first_day(phrase.resolve, frame), frame.today
        if first is None or today is None:
            return None
        return frame.day(same_day(today, months=_months_between(today, first, phrase)))

    return Phrase(end=match.end(), unit="day", resolve=resolve)


def _months_between(today: date, first: date, phrase: Phrase) -> int:
    years = first.year - today.year
    return 12 * years + (first.month - today.month if phrase.unit == "month" else 0)


def _end(_: Tokens, phrase: Phrase, match: Match) -> Phrase:
    """去年年底, 2023年初: the year."""
    return Phrase(end=match.end(), unit="span", resolve=phrase.resolve)


TODAY: Final[Refinement] = refinement("今", _today)
OPENINGS: Final[tuple[Opening, ...]] = (
    opening("数双", "[数双](?:年|终)|数(?=到数年|期|第?数?季|节|夏)", _stated),
    opening("数", "数到(?P<last>数)年的?夏", _one_winter),
    opening("去", "去", _relative),
    opening("上数", "(?P<century>上个?纪|数纪)?数代", _decade),
)
REFINEMENTS: Final[tuple[Refinement, ...]] = (
    refinement("(?P<n>数)(?:月份?|底|(?=到数月))", _month),
    refinement("(?:那个?)?夏", _season),
    refinement("(?:第?(?P<n>数)季|季)", _quarter),
    refinement("期", _half),
    refinement("节|[数双](?![月日号点个年天周时数])", _holiday),
    refinement("终", _end),
    TODAY,
)
