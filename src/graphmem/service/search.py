"""Search takes one published version of a memory through ranking to hits."""

from __future__ import annotations

from typing import Final

from graphmem.domain.hit import Hit, Retrieval, Trace
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import MemoryNotFoundError
from graphmem.index.cache import ViewCache
from graphmem.index.view import CompiledView
from graphmem.ports.store import ReadTransaction, Store
from graphmem.retrieval.rank import Ranked, Ranking, rank
from graphmem.retrieval.recipe import Recipe
from graphmem.text.speaker import attribute

_SHARED_TRIES: Final = 3  # with the shared view, before one is built for this call alone


def search(store: Store, cache: ViewCache, scope: Scope, query: Query, recipe: Recipe) -> Retrieval:
    """Find the turns that answer a query, in final order.

    A snapshot whose memory's shared view is already ahead of it (another reader saw a later
    write) is given up for a newer one, so that ranking and turns are always of one version.

    Raises:
        MemoryNotFoundError: there is no such memory.
        StoreError: the store failed.
    """
    for _ in range(_SHARED_TRIES):
        with store.read(scope) as snapshot:
            version = _published(snapshot)
            view = cache.view(scope, snapshot, version)
            if view.version == version:
                return _answer(snapshot, view, query, recipe)
    with store.read(scope) as snapshot:
        return _answer(snapshot, cache.private_view(snapshot, _published(snapshot)), query, recipe)


def _published(snapshot: ReadTransaction) -> int:
    head = snapshot.head()
    if head is None:
        raise MemoryNotFoundError
    return head.ready_version


def _answer(
    snapshot: ReadTransaction, view: CompiledView, query: Query, recipe: Recipe
) -> Retrieval:
    ranking = rank(view, query, recipe)
    turns = snapshot.turns([ranked.turn_no for ranked in ranking.ranked])
    return Retrieval(
        hits=tuple(
            _hit(turn, ranked, explain=query.explain)
            for turn, ranked in zip(turns, ranking.ranked, strict=True)
        ),
        trace=_trace(view, ranking),
    )


def _trace(view: CompiledView, ranking: Ranking) -> Trace:
    return Trace(
        version=view.version,
        terms=tuple(term for term, _ in ranking.plan.weights),
        named_speakers=tuple(view.speakers[place] for place in ranking.plan.speakers),
        candidates=ranking.candidates,
    )


def _hit(turn: Turn, ranked: Ranked, *, explain: bool) -> Hit:
    found = attribute(turn.content, speaker=turn.speaker)
    return Hit(
        id=turn.turn_id,
        kind="turn",
        content=turn.content,
        score=ranked.score,
        role=turn.role,
        speaker=found.speaker,
        body_start=found.body_start,
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        occurred=turn.occurred,
        recorded=Moment(us=turn.recorded_us),
        shares=ranked.shares if explain else None,
    )
