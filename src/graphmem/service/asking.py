"""Asking gets the vector of a query, for searches of turns and of atoms alike."""

from __future__ import annotations

from typing import Protocol

from graphmem.domain.scope import Scope
from graphmem.index.vectors import QueryVector
from graphmem.ports.stage import stage
from graphmem.ports.store import Store
from graphmem.retrieval.recipe import Recipe
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.policy import Policy
from graphmem.service.published import published


class Asker(Protocol):
    """What it takes to ask: every searcher has it."""

    @property
    def store(self) -> Store:
        """Where the memories are."""
        ...

    @property
    def dense(self) -> Dense | None:
        """The embedding model, None without one."""
        ...

    @property
    def builder(self) -> Builder:
        """Who builds the memories."""
        ...


def query_vector(
    asker: Asker, scope: Scope, text: str, waited_seconds: float, recipe: Recipe, policy: Policy
) -> QueryVector | None:
    """The query's vector, asked for before a snapshot is held; None without a model.

    Raises:
        MemoryNotFoundError: there is no such memory, so the model was not asked.
        MemoryPendingError: it may not be read, so the model was not asked.
    """
    if asker.dense is None or not recipe.dense:
        return None
    with published(asker.store, asker.builder, scope, policy):
        pass  # no work for the model when there will be no answer
    with stage("embed"):
        return asker.dense.query_vector(scope, text, waited_seconds)
