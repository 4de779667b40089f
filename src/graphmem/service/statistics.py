"""What a service did since it was opened, and what it still has to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from graphmem.index.cache import CacheStatistics
from graphmem.ports.embedder import EmbeddingUsage, Purpose
from graphmem.ports.store import Store
from graphmem.service.answering import AnswerCounts
from graphmem.service.build import Build
from graphmem.service.dense import Dense, DenseCounts
from graphmem.service.lru import LRUStatistics
from graphmem.service.reranking import RerankCounts
from graphmem.service.scenes.teller import TellerCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseStatistics:
    """The embedding model's work.

    Attributes:
        counts: what became of turns and queries.
        queries: the remembered query vectors.
        usage: what the model was given, by what for.
        waiting: pieces of work before it.
    """

    counts: DenseCounts
    queries: LRUStatistics
    usage: Mapping[Purpose, EmbeddingUsage]
    waiting: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceStatistics:
    """Counts since the service was opened; making them reads no store.

    Attributes:
        cache: the cache of compiled views.
        dense: the embedding model's work, None without one.
        chat: the chat model's work, None without one.
        chat_is_well: False from a failure of the chat model on until it answered again.
        model_is_well: False from a failure of the model on until it answered again, and when the
            model that is set is not available here.
        waiting_erasures: deletions whose bytes may still be in the files, as far as is known.
        answers: what became of the questions to the chat model, None where it may not be asked.
        reranking: what the reranking model did for searches, None without one.
    """

    cache: CacheStatistics
    dense: DenseStatistics | None
    model_is_well: bool
    chat: TellerCounts | None
    chat_is_well: bool
    waiting_erasures: int
    answers: AnswerCounts | None = None
    reranking: RerankCounts | None = None

    def to_dict(self) -> dict[str, object]:
        """The counts as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """Work that is on the store's lists, whoever left it there.

    Attributes:
        pending_memories: memories that are not published, wait for a model, or were built with
            other settings.
    """

    pending_memories: int


def dense_statistics(dense: Dense) -> DenseStatistics:
    """What the model did so far."""
    return DenseStatistics(
        counts=replace(dense.counts),
        queries=dense.remembered(),
        usage=dense.queue.usage(),
        waiting=dense.queue.waiting,
    )


def read_backlog(store: Store, build: Build) -> Backlog:
    """What is to be done until all is of the build in force.

    Raises:
        StoreError: the store failed.
    """
    waiting = store.pending_scopes(build.vectors) if build.vectors else []
    untold = store.scene_scopes() if build.chat else []
    return Backlog(
        pending_memories=len({*waiting, *untold, *store.stale_scopes(build.to_text())}),
    )
