"""The bare value of an attribute: what it is set to, without the time and the adverbs that follow it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_MARKS: Final = " ,;:-\u2013\u2014，；：、。"
_ADVERB: Final = re.compile(
    r"(?:(?<=[\s,])(?:now|nowadays|lately|currently|presently|again|anymore|any\s+more|today|already|recently"
    r"|actually|though|too|as\s+well|either|so\s+much|very\s+much|a\s+lot|these\s+days|right\s+now|for\s+now|from\s+now\s+on"
    r"|at\s+the\s+moment|at\s+present|no\s+longer|after\s+all|by\s+the\s+way|tbh)"
    r"|(?<=.)(?:了|现在|目前|如今))\Z",
    re.IGNORECASE,
)
_PREPOSITION: Final = re.compile(
    r"\s+(?:in|on|at|since|from|around|by|during|until|till|as\s+of|back\s+in|starting|for|after|before)\Z",
    re.IGNORECASE,
)


def bare_value(value: str, dates: Sequence[str]) -> str:
    """A value without what is no part of it at its end; it is never emptied.

    Args:
        value: as it was read.
        dates: the expressions of time of its sentence, as they are written.
    """
    left = value.strip(_MARKS)
    while shorter := _without_last(left, dates):
        left = shorter
    return left or value


def _without_last(value: str, dates: Sequence[str]) -> str:
    """The value without the time or the adverb at its end; empty if there is none, or nothing else."""
    for date in dates:
        if value.endswith(date) and len(value) > len(date):
            return _PREPOSITION.sub("", value[: -len(date)].rstrip(_MARKS)).rstrip(_MARKS)
    shorter = _ADVERB.sub("", value)
    return shorter.rstrip(_MARKS) if shorter != value else ""
