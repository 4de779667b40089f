"""A point: what one date phrase means, begun by one rule and made finer by others."""

from __future__ import annotations

from typing import Final

from graphmem.text.timex.zh import (
    anaphora,
    clock,
    days,
    distance,
    feasts,
    months,
    relations,
    weeks,
    years,
)
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Unit
from graphmem.text.timex.zh.rule import Opening, Refinement, begun, refined

_MOST_STEPS: Final = 8  # a year, month, day, weekday, part, time, and two relations
_RULES: Final[tuple[Opening, ...]] = (
    *days.OPENINGS,
    *weeks.OPENINGS,
    *distance.OPENINGS,
    *months.OPENINGS,
    *years.OPENINGS,
    *feasts.OPENINGS,
    *anaphora.OPENINGS,
)
# Which rules may begin at a kind of word.
_BY_HEAD: Final = {
    kind: tuple(rule for rule in _RULES if kind in rule.heads)
    for kind in set("".join(rule.heads for rule in _RULES))
}
HEADS: Final = frozenset(_BY_HEAD)
_FINER: Final[dict[Unit, tuple[Refinement, ...]]] = {
    "year": (*feasts.REFINEMENTS, *years.REFINEMENTS, *relations.REFINEMENTS),
    "month": (*months.REFINEMENTS, *relations.REFINEMENTS),
    "week": (*weeks.REFINEMENTS, *relations.REFINEMENTS),
    "weekend": relations.REFINEMENTS,
    "day": (*days.REFINEMENTS, *clock.REFINEMENTS, *relations.REFINEMENTS),
}


def point(tokens: Tokens, at: int) -> Phrase | None:
    """The longest date phrase that begins with a word; None if there is none."""
    rules = _BY_HEAD.get(tokens.kinds[at])
    if rules is None:
        return None
    phrases = [_finest(tokens, phrase) for phrase in begun(tokens, at, rules)]
    settled = [found for phrase in phrases if (found := months.settled(tokens, phrase, at))]
    return max(settled, key=lambda phrase: phrase.end, default=None)


def _finest(tokens: Tokens, phrase: Phrase) -> Phrase:
    for _ in range(_MOST_STEPS):
        finer = refined(tokens, phrase, _FINER.get(phrase.unit, ()))
        if finer is None:
            return phrase
        phrase = finer
    return phrase
