"""The lexicon: the English words of time, each with the tag that the rules know it by, and its value.

A tag is one character, so that a text is a string of tags, and a rule a regular expression over it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from graphmem.text.timex.calendar import Season
from graphmem.text.words import word_set


class Unit(IntEnum):
    """A unit of time, as the value of its words."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    QUARTER = 6
    YEAR = 7
    DECADE = 8
    CENTURY = 9
    FORTNIGHT = 10


class Part(IntEnum):
    """A part of the day, as the value of its words."""

    MORNING = 0
    AFTERNOON = 1
    EVENING = 2
    NIGHT = 3


SEASONS: Final[tuple[Season, ...]] = ("spring", "summer", "autumn", "winter")

# Tags without a word of their own: what the lexer makes of digits, marks and everything else.
_MADE: Final = (
    "other", "junk", "comma", "dot", "dash", "mark", "newline", "apostrophe", "num", "year",
    "shortyear", "ordinal", "ymd", "stamp", "slashed", "slashed2", "dotted", "yearmonth", "clock",
    "clock12", "decade", "holiday", "qn", "hn", "offset", "dashed", "s", "zone",
)  # fmt: skip
# Each tag with its words; a word after a colon is worth its number, the others the place they stand at.
_WORDS: Final[dict[str, str]] = {
    "weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "weekdays": "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays",
    "month": "- january february march april may june july august september october november december",
    "unit": "- minute hour day week month - year decade century min:1 hr:2 wk:4 yr:7 fortnight:10",
    "units": (
        "seconds minutes hours days weeks months quarters years decades centuries mins:1 hrs:2 "
        "nights:3 fortnights:10 secs:0 yrs:7 wks:4 mos:5"
    ),
    "quarter": "quarter:6",
    "second": "second:2",
    "half": "half",
    "weekend": "weekend",
    "weekends": "weekends",
    "part": "morning afternoon evening night nite:3",
    "parts": "mornings afternoons evenings",
    "noon": "noon midday",
    "dayword": "today:0 tomorrow:1 tmrw:1 yesterday:-1",
    "tonight": "tonight tonite",
    "season": "spring summer autumn winter fall:2",
    "seasons": "springs summers autumns winters",
    "tens": "- - twenty thirty forty fifty sixty seventy eighty ninety",
    "digit": "- one two three four five six seven eight nine",
    "teen": (
        "- - - - - - - - - - ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
        "nineteen"
    ),
    "hundred": "hundred:100 thousand:1000",
    "nth": (
        "- first - third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
        "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth:30"
    ),
    "eras": "twenties:20 thirties:30 forties:40 fifties:50 sixties:60 seventies:70 eighties:80 nineties:90",
    "few": "few several some many dozen",
    "couple": "couple",
    "a": "a an",
    "the": "the",
    "of": "of",
    "in": "in",
    "on": "on",
    "at": "at @",
    "about": "about around approximately roughly",
    "for": "for",
    "during": "during throughout",
    "since": "since",
    "until": "until till til",
    "by": "by",
    "from": "from",
    "to": "to",
    "through": "through thru",
    "between": "between",
    "and": "and",
    "or": "or",
    "than": "than",
    "over": "over under more less",
    "within": "within",
    "last": "last",
    "past": "past",
    "previous": "previous",
    "next": "next",
    "this": "this",
    "these": "these those",
    "that": "that it",
    "coming": "coming upcoming",
    "following": "following",
    "same": "same",
    "otherword": "other",
    "any": "any most",
    "every": "every each",
    "once": "once twice thrice times",
    "per": "per",
    "ago": "ago",
    "back": "back",
    "before": "before",
    "after": "after",
    "later": "later",
    "earlier": "earlier",
    "onward": "onward onwards forward",
    "early": "early late mid",
    "end": "end beginning start middle close",
    "poss": "my his our their your its",
    "her": "her",
    "weekstart": "commencing starting beginning",
    "clockword": "o'clock o’clock",
    "meridiem": "am:0 pm:12",
    "utc": "utc gmt",
    "time": "time",
    "when": "when",
    "was": "was were",
    "person": "i he she we you they",
    "aged": "aged",
    "age": "age",
    "old": "old",
    "often": "daily weekly monthly yearly annually nightly hourly",
    "vague": "recently lately soon nowadays someday now",
    "then": "then",
    "while": "while bit ages",
    "long": "long",
    "all": "all whole entire",
}  # fmt: skip
_ABBREVIATED: Final[dict[str, str]] = {
    "month": "jan:1 feb:2 mar:3 apr:4 jun:6 jul:7 aug:8 sep:9 sept:9 oct:10 nov:11 dec:12",
    "weekday": "mon:0 tue:1 tues:1 wed:2 weds:2 thu:3 thurs:3 fri:4 sat:5 sun:6",
}

CODE: Final[dict[str, str]] = {
    name: chr(0x100 + index) for index, name in enumerate((*_MADE, *_WORDS))
}
"""The tag of each name that a rule may use."""

NAME: Final[dict[str, str]] = {code: name for name, code in CODE.items()}


def _entries(tag: str, words: str) -> dict[str, tuple[str, int]]:
    entries: dict[str, tuple[str, int]] = {}
    for index, entry in enumerate(words.split()):
        word, _, value = entry.partition(":")
        if word != "-":
            entries[word] = (CODE[tag], int(value) if value else index)
    return entries


LEXICON: Final[dict[str, tuple[str, int]]] = {
    word: entry for tag, words in _WORDS.items() for word, entry in _entries(tag, words).items()
}
"""Each lower-case word of time with its tag and its value."""

SHORT_MONTHS: Final = _entries("month", _ABBREVIATED["month"])
SHORT_WEEKDAYS: Final = _entries("weekday", _ABBREVIATED["weekday"])

# Zone names whose offset nobody can tell from the name alone (summer time, or several zones of one name).
ZONES: Final = frozenset(
    zone.upper()
    for zone in word_set(
        "est edt et cst cdt ct mst mdt mt pst pdt pt akst akdt hst ast adt nst bst ist cet cest eet eest wet "
        "west msk jst kst sgt hkt aest aedt aet acst acdt awst nzst nzdt gst pkt wib"
    )
)

_TRIGGER_TAGS: Final = word_set(
    "weekday weekdays month unit units quarter weekend weekends part noon dayword tonight parts season "
    "seasons eras ago often vague later aged age old hundred"
)
TRIGGERS: Final = (
    frozenset(word for tag in _TRIGGER_TAGS for word in _entries(tag, _WORDS[tag]))
    | frozenset(SHORT_MONTHS)
    | frozenset(SHORT_WEEKDAYS)
    | {"nineteen", "twenty"}
)
"""Words without one of which, or a number of a certain shape, no text holds an expression of time."""
