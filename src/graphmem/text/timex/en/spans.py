"""What is of time but no date: durations, ages, what recurs, and what is vague."""

from __future__ import annotations

from typing import Final

from graphmem.text.timex.en.reading import Reading
from graphmem.text.timex.en.rule import Found, rule


def _duration(found: Found) -> Reading:
    """As in "Two weeks", "for three hours", "a 3-day trip", "all day"."""
    return Reading(end=found.end, kind="duration")


def _age(found: Found) -> Reading:
    """As in "When I was ten", "at the age of 20", "12 years old"."""
    return Reading(end=found.end, kind="age")


def _set(found: Found) -> Reading:
    """As in "Every Monday", "on Mondays", "twice a week", "weekly"."""
    return Reading(end=found.end, kind="set")


def _set_of(found: Found) -> Reading:
    """As in "Every May 7th", "every year on May 7th"."""
    return Reading(end=found.inner.end, kind="set")


def _vague(found: Found) -> Reading:
    """As in "A few days ago", "the other day", "two or three weeks ago", "one day", "that week"."""
    return Reading(end=found.end, kind="vague")


_DURATIONS: Final = (
    "for? (COUNT) dash? (UNITS)",
    "for? (COUNT) (UNITS) and a half",
    "(for|the)? all (UNIT|part)",
    "half (a|dash) (UNIT)",
)
_AGES: Final = (
    "(num|year) dash? old",
    "(num) dash? UNITS dash? old",
    "at? the? age of? num",
    "aged num",
    "when person was num",
    "when person was a? num UNITS old",
    "in poss (eras|decade)",
    "(in poss)? early (eras)",
)
_THING: Final = "(weekday|weekdays|UNIT|units|weekend|part|season|month|holiday)"
_SETS: Final = (
    f"every (otherword|ordinal|second|num|last)? {_THING} (part|parts)?",
    "every (otherword|ordinal|second)? weekday (comma? and? or? weekday)* (part|parts)?",
    "every (ordinal|second|last) weekday (of|in) the UNIT",
    "on? (weekdays|weekends) ((and|comma|or) (weekdays|weekends))*",
    "at weekends",
    "on? (weekday|month) parts",
    "in the parts",
    "once (a|per|every) UNIT",
    "num once (a|per|every) UNIT",
    "often",
    "any (weekday|part|UNIT)",
    "the? (ordinal|second|last) (weekday|weekend|UNIT) of every UNIT",
    "seasons",
)
_VAGUES: Final = (
    "vague",
    "a? (few|couple) (UNITS|weekends|seasons|parts)? (ago|later|earlier|back|before|after)?",
    "in a? few (UNITS|weekends)",
    "(the|these)? (last|past|next|coming) few UNITS",
    "(the|these)? (last|past|next|coming) units",
    "(units|weekends) (ago|later|earlier|back)",
    "a while (ago|back)",
    "while ago",
    "long ago",
    "a long time ago",
    "the otherword (UNIT|part|weekday|weekend)",
    "num (unit|part|weekday)",
    "(these|that) (units|unit|weekend|part|season|same unit|month)",
    "any unit vague",
    "(COUNT) UNITS? or (num|few|other) UNITS? (ago|later|earlier|vague|from vague)?",
    "in? (COUNT) UNITS? or (num|few|other) UNITS? (ago|later|earlier|vague|from vague)?",
    "in? num (or|to|dash) num UNITS (ago|later|earlier|vague|from vague)?",
    "(COUNT) UNITS (and|or) (few|other) (ago|later)?",
    "back then",
    "since then",
    "until vague",
    "COUNT UNITS back",
)

RULES: Final = (
    *(rule(pattern, _duration) for pattern in _DURATIONS),
    *(rule(pattern, _age) for pattern in _AGES),
    *(rule(pattern, _set) for pattern in _SETS),
    *(rule(pattern, _vague) for pattern in _VAGUES),
    rule("every DATE", _set_of),
    rule("every unit (on|in|at)? DATE", _set_of),
)
