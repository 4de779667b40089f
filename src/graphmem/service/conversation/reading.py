"""Reading lists the messages of one version of a memory, the newest first."""

from __future__ import annotations

import numpy as np

from graphmem.domain.hit import Hit
from graphmem.domain.message_query import FoundMessage, MessagePage, MessageSearch
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import MemoryNotFoundError
from graphmem.retrieval.recipe import Recipe
from graphmem.retrieval.select import wanted
from graphmem.service.policy import Policy
from graphmem.service.published import published
from graphmem.service.search import Searcher, find


def search_messages(
    searcher: Searcher, scope: Scope, query: Query, recipe: Recipe, policy: Policy
) -> MessageSearch:
    """The messages that answer a query, best first; none in a memory that is not there."""
    try:
        found = find(searcher, scope, query, recipe, policy).retrieval
    except MemoryNotFoundError:
        return MessageSearch(messages=())
    most = recipe.lexical + (recipe.dense if found.trace.dense else 0.0)
    if found.trace.reranked is not None and found.trace.reranked.turns:
        most += recipe.rerank
    return MessageSearch(messages=tuple(_hit(hit, most) for hit in found.hits))


def list_messages(
    searcher: Searcher, scope: Scope, query: Query, policy: Policy, *, offset: int
) -> MessagePage:
    """Some of a memory's messages; none in a memory that is not there."""
    try:
        with published(searcher.store, searcher.builder, scope, policy) as (snapshot, head):
            view = searcher.cache.view(scope, snapshot, head)
            if view.version != head.ready_version:
                view = searcher.cache.private_view(snapshot, head)
            sessions = searcher.sessions.numbers(scope, snapshot, head, query.part)
            among = wanted(view, query, sessions)
            alive = np.arange(view.turns) if among is None else np.flatnonzero(among)
            order = np.lexsort((-alive, -view.turn_time.values[alive]))
            page = alive[order][offset : offset + query.limit]
            turns = snapshot.turns(view.turn_no.values[page].tolist())
    except MemoryNotFoundError:
        return MessagePage(messages=(), total=0)
    return MessagePage(messages=tuple(map(_shown, turns)), total=len(alive))


def _shown(turn: Turn) -> FoundMessage:
    return FoundMessage(
        id=turn.turn_id,
        role=turn.role,
        content=turn.content,
        moment=turn.occurred or Moment(us=turn.recorded_us),
        kept_session=turn.session_id,
    )


def _hit(hit: Hit, most: float) -> FoundMessage:
    """A hit with its score as a share of what words, meaning and the reranking model can give at most.

    Its context, or a speaker whom the query names, may lift a message to all of it, not above.
    """
    return FoundMessage(
        id=hit.id,
        role=hit.role,
        content=hit.content,
        moment=hit.occurred or hit.recorded,
        kept_session=hit.session_id,
        score=round(min(hit.score / most, 1.0), 6) if most else 0.0,
    )
