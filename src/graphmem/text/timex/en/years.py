"""Years, quarters, halves and decades: in 2019, Q1 2023, the nineties."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.recurrence import full_year, nearest
from graphmem.text.timex.en.rule import Found, rule
from graphmem.text.timex.en.units import quarter
from graphmem.text.timex.frame import Frame
from graphmem.text.words import word_set

# What is counted in hundreds and thousands, so that "in 2000 words" is no year.
_COUNTED: Final = word_set(
    "people persons users words characters lines pieces pages steps ways cases places copies dollars euros "
    "pounds metres meters miles kilometers kilometres tickets items points units calories times men women "
    "students employees copies parameters tokens rows files volts watts kg km sq square years hours minutes "
    "days weeks months percent"
)
_LONE_DECADES: Final = range(50, 100)
"""The 20s to the 40s are ages or degrees as often."""
_WORDED_DECADES: Final = range(30, 100)
# What is told in tens as decades are: temperatures, scores, prices, rates.
_IN_TENS: Final = re.compile(
    r"°|\b(?:temperatures?|temps?|degrees?|highs?|lows?|weather|heat ?wave|thermometer|fahrenheit|humid(?:ity)?|"
    r"sweltering|scorching|forecast|scor(?:es?|ed|ing)|grades?|marks|averag(?:es?|ed|ing)|percent(?:ile)?|pric(?:es?|ed)|"
    r"bpm|pulse|heart ?rate|mph|blood pressure|oxygen|saturation|golf(?:ed|ing)?|shot a)\b",
    re.IGNORECASE,
)
_REACH: Final = 60
_SENTENCE: Final = re.compile(r"[.!?;\n]")
_CENTURY: Final = 1900
_DECADE: Final = 10


def counts_something(found: Found) -> bool:
    """Whether the number is followed by what it counts: "in 2000 words"."""
    return found.tokens.word(found.end) in _COUNTED


def _year(found: Found) -> Reading | None:
    """As in "In 2019": a year alone, where a preposition of time stands before it."""
    year = found.value(1)
    if counts_something(found):
        return None
    return Reading(
        end=found.end,
        shape="year",
        resolve=lambda s: s.frame.year(year),
        is_complete=True,
        is_bare=True,
    )


def _short_year(found: Found) -> Reading:
    """As in "In '09"."""
    year = found.value(1)
    return Reading(
        end=found.end,
        shape="year",
        resolve=lambda s: s.frame.year(full_year(s.frame, year)),
        is_bare=True,
    )


def _named_year(found: Found) -> Reading | None:
    """As in "The year 2019"."""
    year = _year(found)
    return (
        replace(year, is_bare=False)
        if year and found.tokens.word(found.start + 1) == "year"
        else None
    )


def _decade(found: Found) -> Reading | None:
    """As in "The 1990s", "the late 90s"."""
    value = found.tokens.items[found.end - 1].value
    if value < 100 and (value not in _LONE_DECADES or _is_in_tens(found)):
        return None
    first = value if value >= 100 else _CENTURY + value
    return Reading(
        end=found.end,
        resolve=lambda s: s.frame.years(first, first + _DECADE - 1),
        is_complete=value >= 100,
    )


def _is_in_tens(found: Found) -> bool:
    """Whether the sentence speaks of degrees, scores or prices: "temperatures in the 70s"."""
    text = found.tokens.text
    start, end = found.tokens.items[found.start].start, found.tokens.items[found.end - 1].end
    before = _SENTENCE.split(text[max(0, start - _REACH) : start])[-1]
    after = _SENTENCE.split(text[end : end + _REACH])[0]
    return bool(_IN_TENS.search(before) or _IN_TENS.search(after))


def _era(found: Found) -> Reading | None:
    """As in "The nineties", "the early nineties"."""
    value = found.tokens.items[found.end - 1].value
    if value not in _WORDED_DECADES or _is_in_tens(found):
        return None
    first = _CENTURY + value
    return Reading(end=found.end, resolve=lambda s: s.frame.years(first, first + _DECADE - 1))


def _quarter(found: Found) -> Reading | None:
    """As in "Q1", and "the first quarter" of a year."""
    number, is_named = found.value(1), found.name(1) == "qn"
    if not 1 <= number <= 4:
        return None

    def in_year(frame: Frame, year: int) -> Interval | None:
        return quarter(frame, year, number)

    def resolve(setting: Setting) -> Interval | None:
        tense = setting.tense
        return nearest(setting.frame, in_year, tense) if tense and is_named else None

    return Reading(end=found.end, in_year=in_year, resolve=resolve)


def _year_quarter(found: Found) -> Reading:
    """As in "2023 Q1"."""
    year, number = found.value(1), found.value(2)
    return Reading(end=found.end, resolve=lambda s: quarter(s.frame, year, number))


def _half(found: Found) -> Reading | None:
    """As in "H1", and "the second half" of a year."""
    number = found.value(1)
    if not 1 <= number <= 2:
        return None
    first, last = (1, 6) if number == 1 else (7, 12)
    return Reading(
        end=found.end,
        in_year=lambda frame, year: frame.months((year, first), (year, last)),
    )


RULES: Final = (
    rule("(year)", _year),
    rule("(shortyear)", _short_year),
    rule("the unit of? (year)", _named_year),
    rule("(in|during)? the early? dash? decade", _decade),
    rule("in decade", _decade),
    rule("(in|during)? the early? dash? eras", _era),
    rule("(qn)", _quarter),
    rule("the? (ordinal|second|last) quarter", _quarter),
    rule("(hn)", _half),
    rule("(year) dash? (qn)", _year_quarter),
    rule("the? (ordinal|second) half", _half),
)
