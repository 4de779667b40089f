"""What began so long ago and lasts: seven years now, for about four months now."""

from __future__ import annotations

from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.en.lexicon import Unit
from graphmem.text.timex.en.offsets import from_now
from graphmem.text.timex.en.reading import Reading, Setting
from graphmem.text.timex.en.rule import Found, rule

_LASTING: Final = frozenset({Unit.WEEK, Unit.MONTH, Unit.YEAR, Unit.DECADE})


def _until_now(found: Found) -> Reading | None:
    unit, count = Unit(found.value(3)), 1 if found.name(2) == "a" else found.value(2)
    if found.text(4).lower() != "now" or unit not in _LASTING or not _tells_how_long(found):
        return None

    def resolve(setting: Setting) -> Interval | None:
        begun = from_now(setting, unit, -count)
        return None if begun is None else begun.since()

    return Reading(end=found.end, resolve=resolve)


def _tells_how_long(found: Found) -> bool:
    """Whether it is "for seven years now", "it's been seven years now" or "Seven years now, and ..."."""
    before = found.tokens.word(found.start - 1) if found.start else ""
    return found.has(1) or before == "been" or not before.isalpha()


RULES: Final = (rule("(for)? about? (COUNT) (UNITS) (vague)", _until_now),)
