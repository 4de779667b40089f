"""From a query and a view to turns in final order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphmem.domain.interval import Interval
from graphmem.domain.query import Query
from graphmem.index.vectors import QueryVector
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.context import near, need, session_best
from graphmem.retrieval.channels.dense import dense
from graphmem.retrieval.channels.lexical import Scores, lexical
from graphmem.retrieval.channels.speaker import named_speaker
from graphmem.retrieval.channels.temporal import of_the_time
from graphmem.retrieval.lanes import Lane, alone, behind
from graphmem.retrieval.plan import Plan, make_plan
from graphmem.retrieval.recipe import Recipe
from graphmem.text.script import has_han


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One turn's place in the order.

    Attributes:
        turn_no: the turn.
        score: above 0, rounded to 6 decimals.
        shares: what each channel gave; they add up to the score before rounding.
    """

    turn_no: int
    score: float
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Turns in final order, with the plan that found them.

    Attributes:
        candidates: how many turns had a score above 0.
    """

    plan: Plan
    ranked: tuple[Ranked, ...]
    candidates: int


def rank(
    view: CompiledView,
    query: Query,
    recipe: Recipe,
    vector: QueryVector | None = None,
    *,
    among: NDArray[np.bool_] | None = None,
    dates: Sequence[Interval] = (),
) -> Ranking:
    """Rank the turns of a memory for a query: same view, same query, same result.

    Args:
        view: the memory at one version.
        query: what is asked, and how many turns are wanted.
        recipe: the channels' weights.
        vector: the query's vector; None searches without the dense channel.
        among: bool [turns], those that may be returned, None for all. The others still count as
            what they are: context, and the memory that scores are measured by.
        dates: the times that the query speaks of.
    """
    plan = make_plan(view, query, recipe)
    words, meaning = lexical(view, plan, recipe), dense(view, vector)

    def lane(weights: Recipe) -> Lane:
        shares = _channels(view, plan, weights, words, meaning, dates)
        total = np.round(sum(shares.values(), np.zeros(view.turns)), 6)
        return Lane(total=total if among is None else np.where(among, total, 0.0), shares=shares)

    front = recipe.for_head(is_chinese=vector is not None and has_han(query.text))
    back = recipe.for_tail(names_speaker=bool(plan.speakers))
    head = lane(front)
    candidates = int(np.count_nonzero(head.total))
    is_split = front != back and min(query.limit, candidates) > recipe.head
    lanes = alone(view, head, recipe.head if is_split else query.limit)
    if is_split:
        lanes = behind(lanes, view, lane(back), query.limit)
    numbers = view.turn_no.values[lanes.order].tolist()
    columns = zip(*(share.round(6).tolist() for share in lanes.shares.values()), strict=True)
    return Ranking(
        plan=plan,
        ranked=tuple(
            Ranked(turn_no=turn, score=score, shares=dict(zip(lanes.shares, column, strict=True)))
            for turn, score, column in zip(numbers, lanes.scores.tolist(), columns, strict=True)
        ),
        candidates=candidates,
    )


def _channels(
    view: CompiledView,
    plan: Plan,
    recipe: Recipe,
    words: Scores,
    meaning: Scores,
    dates: Sequence[Interval],
) -> dict[str, Scores]:
    """What each channel gives, from what the lexical and the dense one found."""
    words = recipe.lexical * words
    meaning = recipe.dense * meaning
    own = words + meaning
    around = need(view, recipe.short) * near(view, own, recipe.near)
    session = session_best(view, own, recipe.session)
    earned = own + around + session
    # Where nothing else can be found, what a named speaker said or what was of the time, newest first.
    ranked = earned if earned.any() else np.linspace(0.5, 1.0, view.turns)
    return {
        "lexical": words,
        "dense": meaning,
        "context": around,
        "session": session,
        "speaker": named_speaker(view, plan, ranked, recipe.speaker),
        "temporal": of_the_time(view, dates, ranked, recipe.temporal),
    }
