"""English numbers with what they count, measure or label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text import words
from graphmem.text.facts.english_numeral import (
    DOZEN,
    PLURAL,
    SCALES,
    SMALL,
    SPELT,
    SPELT_OPENERS,
    either,
)
from graphmem.text.facts.english_rule import Rule, Start
from graphmem.text.facts.mask import Span

_FRACTION: Final = (
    rf"(?:(?:an?|one|two|three|four|five) (?:thirds?|quarters?|fifths?|sixths?|tenths?)(?: of)?"
    rf"|half (?:of|an?|the|my|our|his|her|their)|twice|thrice|{SMALL} and a half|{SMALL} point {SMALL})"
)
_HIGH_ORDINALS: Final = (
    "third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth hundredth thousandth"
)
# First and second are numbers where ranks are told, else words of order.
_RANKED: Final = (
    "place prize floor grade row round edition half class year child baby daughter son trimester semester draft"
    " chapter season dose shift stage largest biggest division degree"
)
_ORDINAL: Final = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?:first|second|{either(_HIGH_ORDINALS)})"
    rf"|{either(_HIGH_ORDINALS)}|second(?=-to-last| last)|(?:first|second)(?= (?:{either(_RANKED)})\b)"
    r"|(?:(?<=\bmy )|(?<=\bhis )|(?<=\bher )|(?<=\bour )|(?<=\btheir )|(?<=\byour ))second(?= [a-z]))"
)
_UNIT: Final = r"(?:\s?[%‰°](?:\s?[CF]\b)?|(?:st|nd|rd|th|s)\b|['′]\d*[\"″]?|\+(?!\d)|[A-Za-zµ]{1,5}(?:/[a-z]{1,3})?\b)"
_DIGITS: Final = (
    r"(?<![A-Za-z0-9_])(?<!\d[.,])\d++(?:,\d{3})*+(?:\.\d++)?+(?:(?:[-–—:/×]|\s?x\s?)\d++(?:\.\d++)?+)*+"
    rf"{_UNIT}?+(?![A-Za-z0-9_])"
)
_NUMBER: Final = Rule(
    rf"(?:{_DIGITS}|\b(?:{DOZEN}|{_FRACTION}|{SPELT}|{PLURAL}|{_ORDINAL})(?![\w’'](?!s\b)))"
    rf"(?:\s(?:{SCALES}|k|mil)\b)?"
    rf"(?:\s(?:and a half|percent|per cent|degrees|point \w+|(?:out of|to|or) (?:\d+|{SMALL})\b))?",
    "0 twice thrice first second",
    SPELT_OPENERS,
    _HIGH_ORDINALS,
)
_DESIGNATORS: Final = words.word_set(
    "room gate page pages pp p chapter ch platform seat row bus tram line route road highway exit floor level",
    "grade apartment apt flat suite unit house bay track lane lot locker table terminal hall building block",
    "episode season volume vol part act scene verse section step phase stage round day week number no nr num",
    "size type class zone district ward bed channel figure question task item lesson rank top under age aged",
    "desk booth box aisle slot version studio lab court pier dock stop station group team heat",
)
_PRONOUN_ONE: Final = re.compile(
    r"\b(?:an?|the|this|that|another|every|which|any|each|my|your|his|her|our|their)\s(?:[a-z]+\s)?\Z",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(r"([A-Za-z]+)\.?\s\Z")
_SIGN: Final = re.compile(r"(?:\A|\s)[-−]\Z")
_LOOK_BACK: Final = 18
_NOUN: Final = re.compile(r"[\s-]([a-zà-ÿ][\w'’-]{0,40})")
_BEFORE_ONE: Final = words.word_set(
    "this that which the each every any another other no some only last next first good great new old big small",
    "best right wrong favorite favourite same a an my your his her their our by whatever different for square at",
)
_NOT_COUNTED: Final = words.ENGLISH | words.word_set(
    "way thing day another who whose that more time point can could is was has had will would sec last reason",
    "hand step minute second moment piece never really always else such knows thinks side word question",
)


def find(text: str, beginnings: Sequence[Start]) -> Iterator[Span]:
    """The numbers of a text, those within amounts of money among them."""
    for match in _NUMBER.find(text, beginnings):
        if match[0].lower() != "one" or _counts_one(text, *match.span()):
            yield _designated(text, match.start()), _counted(text, match.end())


def _counts_one(text: str, start: int, end: int) -> bool:
    """Whether "one" is a number here, and no pronoun: one parrot, but one of them, that one."""
    before = text[max(0, start - _LOOK_BACK) : start]
    if before.endswith("-") or _PRONOUN_ONE.search(before) or _word_before(before) in _BEFORE_ONE:
        return False
    noun = _NOUN.match(text, end)
    return noun is not None and noun[1].lower() not in _NOT_COUNTED


def _word_before(text: str) -> str:
    found = _BEFORE.search(text)
    return found[1].lower() if found else ""


def _designated(text: str, start: int) -> int:
    """Where a number begins with the word that it labels, room 12, or with its sign."""
    found = _BEFORE.search(text[max(0, start - _LOOK_BACK) : start])
    if found and found[1].lower() in _DESIGNATORS:
        return max(0, start - _LOOK_BACK) + found.start()
    return start - 1 if _SIGN.search(text[max(0, start - 2) : start]) else start


def _counted(text: str, end: int) -> int:
    """Where the word ends that a number counts or measures."""
    noun = _NOUN.match(text, end)
    return noun.end() if noun and noun[1].lower() not in words.ENGLISH else end
