"""Search takes one published version of a memory through ranking to hits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graphmem.domain.hit import Hit, Retrieval, Trace
from graphmem.domain.interval import Interval
from graphmem.domain.mention import Mention
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.index.cache import ViewCache
from graphmem.index.vectors import QueryVector
from graphmem.index.view import CompiledView
from graphmem.ports.stage import stage
from graphmem.ports.store import Head, ReadTransaction, Store
from graphmem.retrieval.rank import Ranked, Ranking, rank
from graphmem.retrieval.recipe import Recipe
from graphmem.retrieval.select import wanted
from graphmem.service.asking import query_vector
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.policy import Policy
from graphmem.service.published import published
from graphmem.service.reranking import Reranking
from graphmem.service.sessions import SessionBook
from graphmem.text.speaker import attribute
from graphmem.text.timex.reader import read

_READ_FOR_DATES: Final = 2000  # characters of a question; a longer one is a document
_SHARED_TRIES: Final = 3  # with the shared view, before one is built for this call alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Searcher:
    """What a search needs of a service."""

    store: Store
    cache: ViewCache
    dense: Dense | None
    builder: Builder
    sessions: SessionBook
    reranking: Reranking | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What one snapshot gave for a query.

    Attributes:
        retrieval: the hits with their trace.
        turns: the turns that the hits show, aligned with them.
        newest: when the memory's newest turn was said, else recorded; None of an empty memory.
        speakers: everybody who speaks in the memory.
    """

    retrieval: Retrieval
    turns: tuple[Turn, ...]
    newest: Moment | None
    speakers: tuple[str, ...]


def find(searcher: Searcher, scope: Scope, query: Query, recipe: Recipe, policy: Policy) -> Found:
    """Find the turns that answer a query, in final order.

    Raises:
        MemoryNotFoundError: there is no such memory.
        MemoryPendingError: it is not built whole, and the policy does not go on without.
        StoreError: the store failed.
    """
    reranking = searcher.reranking
    if reranking is None or not recipe.rerank:
        return _find(searcher, scope, query, recipe, policy)
    # The model reads the same turns whatever is wanted, and no snapshot is held while it does.
    wide = replace(query, limit=max(query.limit, recipe.rerank_top))
    found = _find(searcher, scope, wide, recipe, policy)
    order = reranking.order(query, found.retrieval.hits, recipe)
    return Found(
        retrieval=Retrieval(
            hits=order.hits, trace=replace(found.retrieval.trace, reranked=order.trace)
        ),
        turns=tuple(found.turns[place] for place in order.places),
        newest=found.newest,
        speakers=found.speakers,
    )


def _find(searcher: Searcher, scope: Scope, query: Query, recipe: Recipe, policy: Policy) -> Found:
    """Find the turns by the channels.

    A snapshot whose memory's shared view is already ahead of it (another reader saw a later
    write) is given up for a newer one, so that ranking and turns are always of one version.
    """
    cache = searcher.cache
    vector = query_vector(searcher, scope, query.text, query.waited_seconds, recipe, policy)
    for _ in range(_SHARED_TRIES):
        with published(searcher.store, searcher.builder, scope, policy) as (snapshot, head):
            with stage("store"):
                view = cache.view(scope, snapshot, head)
            if view.version == head.ready_version:
                sessions = _sessions(searcher, scope, snapshot, head, query)
                return _answer(snapshot, view, query, recipe, vector, sessions)
    with published(searcher.store, searcher.builder, scope, policy) as (snapshot, head):
        with stage("store"):
            view = cache.private_view(snapshot, head)
        sessions = _sessions(searcher, scope, snapshot, head, query)
        return _answer(snapshot, view, query, recipe, vector, sessions)


def _answer(
    snapshot: ReadTransaction,
    view: CompiledView,
    query: Query,
    recipe: Recipe,
    vector: QueryVector | None,
    sessions: tuple[int, ...] | None,
) -> Found:
    with stage("store"):
        newest = None if query.asked_at else _newest(snapshot, view)
    with stage("rank"):
        among = wanted(view, query, sessions)
        dates = _dates(query, query.asked_at or newest)
        told = [date for _, date in dates]
        ranking = rank(view, query, recipe, vector, among=among, dates=told)
    with stage("store"):
        turns = snapshot.turns([ranked.turn_no for ranked in ranking.ranked])
    hits = tuple(
        _hit(turn, ranked, view.mentions(ranked.turn_no), explain=query.explain)
        for turn, ranked in zip(turns, ranking.ranked, strict=True)
    )
    return Found(
        retrieval=Retrieval(
            hits=hits, trace=_trace(view, ranking, dates, dense=vector is not None)
        ),
        turns=tuple(turns),
        newest=newest,
        speakers=view.speakers,
    )


def _sessions(
    searcher: Searcher, scope: Scope, snapshot: ReadTransaction, head: Head, query: Query
) -> tuple[int, ...] | None:
    """The numbers of the sessions that the query is confined to, None for all."""
    if query.session_id is None:
        return searcher.sessions.numbers(scope, snapshot, head, query.part)
    session = snapshot.session(query.session_id)
    return () if session is None else (session.session_no,)


def _dates(query: Query, anchor: Moment | None) -> tuple[tuple[str, Interval], ...]:
    """What the question's dates mean, seen from when it was asked, else from the newest turn."""
    text = query.text[:_READ_FOR_DATES]
    return tuple(
        (text[found.start : found.end], found.certain)
        for found in read(text, anchor)
        if found.certain is not None
    )


def _newest(snapshot: ReadTransaction, view: CompiledView) -> Moment | None:
    """When the newest turn was said, else recorded: newest by time, not by arrival."""
    if not view.turns:
        return None
    newest = int(view.turn_no.values[np.argmax(view.turn_time.values)])
    return next(
        (turn.occurred or Moment(us=turn.recorded_us) for turn in snapshot.turns([newest])), None
    )


def _trace(
    view: CompiledView,
    ranking: Ranking,
    dates: tuple[tuple[str, Interval], ...],
    *,
    dense: bool,
) -> Trace:
    return Trace(
        version=view.version,
        terms=tuple(term for term, _ in ranking.plan.weights),
        named_speakers=tuple(view.speakers[place] for place in ranking.plan.speakers),
        dates=dates,
        candidates=ranking.candidates,
        dense=dense,
        vectors=len(view.vectors.values),
        passages=view.passages,
    )


def _hit(turn: Turn, ranked: Ranked, dates: tuple[Mention, ...], *, explain: bool) -> Hit:
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
        dates=dates,
        shares=ranked.shares if explain else None,
    )
