"""What speaks of time and of no date: durations, ages, repetition, vagueness; no date within it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from graphmem.text.timex.expression import Kind
from graphmem.text.timex.zh.distance import AMOUNT
from graphmem.text.timex.zh.lexer import Tokens

_DATED: Final = "(?:的?(?:数月(?:数[日号]?)?|夏))?"
_AGE: Final = re.compile(f"[数双几]多?岁(?:的?候|那数?年|那[天候])?{_DATED}")
_SET: Final = re.compile("每[数个年月日号天周曜末午点节夏底终旬分时季的钟半双第期初到前后今]{0,16}")
_VAGUE: Final = re.compile(
    "[几双]多?个?[年月天周时日分季]多?约?[前后]?|数多(?:个?[月周时]|[年天])约?[前后]?|数[年天]多[前后]?|数个[月周]多[前后]?|"
    "[前近将上后]几?多?个?[几双数]个?[年月天周日]|上个?几个?[天周年月]|"
    "那[几数]?个?[年月天周末曜午底](?:的?数月(?:数[日号]?)?)?|上数天|"
    "[数双]到[数双](?:[天年分]|个?[周时]|个[月季])约?[前后]?"
)
_RULES: Final[tuple[tuple[Kind, str, re.Pattern[str]], ...]] = (
    ("age", "数双几", _AGE),
    ("set", "每", _SET),
    ("vague", "数几双前近将上那后", _VAGUE),
    ("duration", "数半", AMOUNT),
)
HEADS: Final = frozenset("".join(heads for _, heads, _ in _RULES))


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A time without a date.

    Attributes:
        end: the token behind its last one.
        kind: what it is.
    """

    end: int
    kind: Kind


def unresolved(tokens: Tokens, at: int) -> Unresolved | None:
    """The longest time without a date that begins with a word."""
    head = tokens.kinds[at]
    found = [
        Unresolved(match.end(), kind)
        for kind, heads, pattern in _RULES
        if head in heads and (match := pattern.match(tokens.kinds, at))
    ]
    return max(found, key=lambda one: one.end, default=None)
