"""A plan is a query made ready for one view: weighted terms and the speakers it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.domain.query import Query
from graphmem.index.view import CompiledView
from graphmem.retrieval.recipe import Recipe
from graphmem.text import script
from graphmem.text.analyse import terms
from graphmem.text.speaker import named, speaker_terms

_HAN_NAME: Final = re.compile(rf"[{script.HAN}]{{2,}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the channels look for.

    Attributes:
        weights: each distinct term, in order of first appearance, with its weight.
        speakers: places in the view's `speakers` of those whom the query names.
    """

    weights: tuple[tuple[str, float], ...]
    speakers: tuple[int, ...]


def make_plan(view: CompiledView, query: Query, recipe: Recipe) -> Plan:
    """Analyse the query as turns were analysed; options add their terms at a lower weight."""
    speakers = tuple(named(query.text, view.speakers))
    weights: dict[str, float] = dict(Counter(terms(query.text)))
    if recipe.strip_names:
        weights = _without_names(weights, [view.speakers[place] for place in speakers])
    share = recipe.options / max(len(query.options), 1)
    for option in query.options:
        for term in dict.fromkeys(terms(option)):
            weights[term] = weights.get(term, 0.0) + share
    return Plan(weights=tuple(weights.items()), speakers=speakers)


def _without_names(weights: dict[str, float], names: Sequence[str]) -> dict[str, float]:
    """Leave out the names: they say who spoke, not of what. A query of names alone keeps them."""
    gone = {term for name in names for term in speaker_terms(name)}
    # A Chinese name stands there by its characters, too, which may be words elsewhere in the query.
    spelt = Counter("".join(term for term in gone & weights.keys() if _HAN_NAME.fullmatch(term)))
    kept = {
        term: weight - spelt[term]
        for term, weight in weights.items()
        if term not in gone and weight > spelt[term]
    }
    return kept or weights
