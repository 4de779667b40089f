"""A holiday is a name that stands for a day of every year."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import Final

from graphmem.text.timex.calendar import easter, nth_weekday, plus_days
from graphmem.text.timex.lunar import lunar_date, solar_term
from graphmem.text.words import word_set

DateOfYear = Callable[[int], date]


def _fixed(month: int, day: int) -> DateOfYear:
    return lambda year: date(year, month, day)


def _weekday(month: int, weekday: int, nth: int, plus: int = 0) -> DateOfYear:
    return lambda year: plus_days(nth_weekday(year, month, weekday, nth), plus)


def _easter(plus: int = 0) -> DateOfYear:
    return lambda year: plus_days(easter(year), plus)


def _lunar(month: int, day: int, plus: int = 0) -> DateOfYear:
    return lambda year: plus_days(lunar_date(year, month, day), plus)


_S: Final = r"(?:['’]s|s['’]|s)?"
_MONDAY, _TUESDAY, _THURSDAY, _SUNDAY = 0, 1, 3, 6

# Each name: the words it may begin with, its pattern and its date. Where one begins another, the longer
# stands first.
_HOLIDAYS: Final[tuple[tuple[str, str, DateOfYear], ...]] = (
    ("christmas xmas", r"\w+ eve", _fixed(12, 24)),
    ("christmas xmas", r"\w+(?: day)?", _fixed(12, 25)),
    ("boxing", r"boxing day", _fixed(12, 26)),
    ("st saint", rf"\w+\.? stephen{_S} day", _fixed(12, 26)),
    ("chinese lunar", rf"\w+ new year{_S} eve", _lunar(1, 1, -1)),
    ("chinese lunar", rf"\w+ new year{_S}(?: day)?", _lunar(1, 1)),
    ("spring", r"spring festival", _lunar(1, 1)),
    ("lantern", r"lantern festival", _lunar(1, 15)),
    ("qingming", r"qingming(?: festival)?", lambda year: solar_term(year, "清明")),
    ("tomb", r"tomb[- ]sweeping day", lambda year: solar_term(year, "清明")),
    ("dragon", r"dragon boat festival", _lunar(5, 5)),
    ("qixi", r"qixi(?: festival)?", _lunar(7, 7)),
    ("mid", r"mid[- ]autumn (?:festival|day)", _lunar(8, 15)),
    ("moon", r"moon festival", _lunar(8, 15)),
    ("new", rf"new year{_S} eve", _fixed(12, 31)),
    ("new", rf"new year{_S}(?: day)?", _fixed(1, 1)),
    ("valentine valentines", rf"valentine{_S}(?: day)?", _fixed(2, 14)),
    ("st saint", rf"\w+\.? patrick{_S}(?: day)?", _fixed(3, 17)),
    ("groundhog", r"groundhog day", _fixed(2, 2)),
    ("international", r"international women['’]?s day", _fixed(3, 8)),
    ("women", r"women['’]?s day", _fixed(3, 8)),
    ("pi", r"pi day", _fixed(3, 14)),
    ("april", rf"april fool{_S}(?: day)?", _fixed(4, 1)),
    ("earth", r"earth day", _fixed(4, 22)),
    ("anzac", r"anzac day", _fixed(4, 25)),
    ("may", r"may day", _fixed(5, 1)),
    ("cinco", r"cinco de mayo", _fixed(5, 5)),
    ("juneteenth", r"juneteenth", _fixed(6, 19)),
    ("canada", r"canada day", _fixed(7, 1)),
    ("independence", r"independence day", _fixed(7, 4)),
    ("bastille", r"bastille day", _fixed(7, 14)),
    ("halloween hallowe", r"hallowe['’]?en", _fixed(10, 31)),
    ("all", rf"all saint{_S} day", _fixed(11, 1)),
    ("guy", r"guy fawkes(?: night| day)?", _fixed(11, 5)),
    ("bonfire", r"bonfire night", _fixed(11, 5)),
    ("veteran veterans", rf"veteran{_S} day", _fixed(11, 11)),
    ("remembrance armistice", r"\w+ day", _fixed(11, 11)),
    ("australia", r"australia day", _fixed(1, 26)),
    ("martin mlk", r"(?:martin luther king(?:,? jr\.?)?|mlk) day", _weekday(1, _MONDAY, 3)),
    ("president presidents", rf"president{_S} day", _weekday(2, _MONDAY, 3)),
    ("mother mothers", rf"mother{_S} day", _weekday(5, _SUNDAY, 2)),
    ("memorial", r"memorial day", _weekday(5, _MONDAY, -1)),
    ("father fathers", rf"father{_S} day", _weekday(6, _SUNDAY, 3)),
    ("labor labour", r"\w+ day", _weekday(9, _MONDAY, 1)),
    ("columbus", r"columbus day", _weekday(10, _MONDAY, 2)),
    ("indigenous", rf"indigenous people{_S} day", _weekday(10, _MONDAY, 2)),
    ("thanksgiving", r"thanksgiving(?: day)?", _weekday(11, _THURSDAY, 4)),
    ("black", r"black friday", _weekday(11, _THURSDAY, 4, 1)),
    ("cyber", r"cyber monday", _weekday(11, _THURSDAY, 4, 4)),
    ("mardi", r"mardi gras", _easter(-47)),
    ("shrove fat", r"\w+ tuesday", _easter(-47)),
    ("pancake", r"pancake day", _easter(-47)),
    ("ash", r"ash wednesday", _easter(-46)),
    ("palm", r"palm sunday", _easter(-7)),
    ("maundy", r"maundy thursday", _easter(-3)),
    ("good", r"good friday", _easter(-2)),
    ("easter", r"easter monday", _easter(1)),
    ("easter", r"easter(?: sunday| day)?", _easter()),
    ("ascension", r"ascension day", _easter(39)),
    ("pentecost", r"pentecost", _easter(49)),
)


def _patterns() -> dict[str, tuple[tuple[int, re.Pattern[str]], ...]]:
    """For each word that a name begins with the names, by number, the longer ones first."""
    table: dict[str, tuple[tuple[int, re.Pattern[str]], ...]] = {}
    for number, (firsts, name, _) in enumerate(_HOLIDAYS):
        for first in firsts.split():
            shape = re.compile(rf"\b(?={first}){name}(?!\w)", re.IGNORECASE)
            table[first] = (*table.get(first, ()), (number, shape))
    return table


_BY_WORD: Final = _patterns()
HOLIDAY_WORDS: Final = frozenset(_BY_WORD)
"""The words that names begin with, in lower case."""

OTHER_CALENDARS: Final = word_set(
    "jewish persian orthodox islamic thai tamil tibetan hindu bengali ethiopian coptic greek russian "
    "ukrainian serbian armenian julian school fiscal academic"
)
"""Words before a name that make it a day of a calendar that is not read here."""

HOLIDAY_TRIGGERS: Final = word_set(
    "christmas xmas valentine valentines patrick patricks juneteenth halloween hallowe thanksgiving easter "
    "pentecost mardi cinco bonfire fawkes festival qixi qingming"
)
"""One of these stands in each name that holds no word of time itself, as "day" or "Friday"."""


def holiday_date(number: int, year: int) -> date | None:
    """The day of a holiday in a year; None where the calendar has none."""
    try:
        return _HOLIDAYS[number][2](year)
    except (ValueError, OverflowError):
        return None


def holiday_spans(text: str, words: Iterable[str]) -> list[tuple[int, int, int]]:
    """Where a text names holidays: start, end, and the number of the holiday, in text order.

    Args:
        text: the text.
        words: those of `HOLIDAY_WORDS` that are in it.
    """
    found: dict[int, tuple[int, int, int]] = {}
    for word in words:
        for number, shape in _BY_WORD[word]:
            for match in shape.finditer(text):
                found.setdefault(match.start(), (*match.span(), number))
    return sorted(found.values())
