"""The collector turns what a service counts into metrics, at the moment when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from typing_extensions import override

from graphmem.errors import GraphmemError
from graphmem.service.answering import AnswerCounts
from graphmem.service.memory import MemoryService
from graphmem.service.reranking import RerankCounts
from graphmem.service.scenes.teller import TellerCounts
from graphmem.service.statistics import Backlog, DenseStatistics, ServiceStatistics


class ServiceCollector(Collector):
    """One reading of the service a scrape, so that its figures are of one moment."""

    def __init__(self, service: MemoryService) -> None:
        self._service = service

    @override
    def collect(self) -> Iterable[Metric]:
        now = self._service.statistics()
        yield from _caches(now)
        yield _gauge(
            "graphmem_embedding_model_up",
            "1 while the embedding model is in order, or there is none.",
            now.model_is_well,
        )
        yield _gauge(
            "graphmem_waiting_erasures",
            "Deletions whose bytes may still be in the files.",
            now.waiting_erasures,
        )
        if now.dense is not None:
            yield from _outcomes(now.dense)
            yield from _usage(now.dense)
        if now.chat is not None:
            yield _gauge(
                "graphmem_chat_model_up", "1 while the chat model is in order.", now.chat_is_well
            )
            yield from _chat(now.chat)
        if now.answers is not None:
            yield from _answers(now.answers)
        if now.reranking is not None:
            yield from _reranking(now.reranking)
        yield from self._store()

    def _store(self) -> Iterator[Metric]:
        """What takes the store to know; of one that does not answer, only that."""
        backlog: Backlog | None = None
        with suppress(GraphmemError):
            backlog = self._service.backlog()
        yield _gauge("graphmem_store_up", "1 while the store answers.", backlog is not None)
        if backlog is not None:
            yield _gauge(
                "graphmem_pending_memories",
                "Memories that wait for a model or for a rebuild.",
                backlog.pending_memories,
            )


def _caches(now: ServiceStatistics) -> Iterator[Metric]:
    held = GaugeMetricFamily("graphmem_cached_bytes", "Bytes held by a cache.", labels=["cache"])
    hits = CounterMetricFamily("graphmem_cache_hits", "Found in a cache.", labels=["cache"])
    misses = CounterMetricFamily(
        "graphmem_cache_misses", "Not found in a cache, and made.", labels=["cache"]
    )
    caches = {"views": now.cache} | ({"queries": now.dense.queries} if now.dense else {})
    for name, cache in caches.items():
        held.add_metric([name], cache.nbytes)
        hits.add_metric([name], cache.hits)
        misses.add_metric([name], cache.misses)
    yield from (held, hits, misses)
    yield _gauge("graphmem_cached_memories", "Memories whose view is resident.", now.cache.memories)


def _outcomes(dense: DenseStatistics) -> Iterator[Metric]:
    counts = dense.counts
    for name, meaning, count in (
        ("embedded_turns", "Turns whose vectors came within their add.", counts.embedded_turns),
        ("deferred_turns", "Turns whose vectors were left to later.", counts.deferred_turns),
        ("degraded_adds", "Adds that left vectors to later.", counts.degraded_adds),
        ("lexical_only_searches", "Searches without a vector.", counts.lexical_only_queries),
        ("embedding_failures", "Calls of the model that failed.", counts.failures),
    ):
        yield CounterMetricFamily(f"graphmem_{name}", meaning, value=count)


def _usage(dense: DenseStatistics) -> Iterator[Metric]:
    yield _gauge(
        "graphmem_embedding_waiting", "Pieces of work before the embedding model.", dense.waiting
    )
    label = ["purpose"]
    calls = CounterMetricFamily("graphmem_embedding_calls", "Calls of the model.", labels=label)
    texts = CounterMetricFamily("graphmem_embedding_texts", "Texts in them.", labels=label)
    characters = CounterMetricFamily(
        "graphmem_embedding_characters", "Characters in them.", labels=label
    )
    for purpose, usage in dense.usage.items():
        calls.add_metric([purpose], usage.calls)
        texts.add_metric([purpose], usage.texts)
        characters.add_metric([purpose], usage.characters)
    yield from (calls, texts, characters)


def _chat(counts: TellerCounts) -> Iterator[Metric]:
    for name, meaning, count in (
        ("chat_calls", "Calls of the chat model.", counts.calls),
        ("chat_answers_recorded", "Scenes whose answer was on record.", counts.recorded),
        ("chat_atoms", "Atoms that were taken from answers.", counts.atoms),
        ("chat_atoms_refused", "Atoms that were malformed, or not said.", counts.refused),
    ):
        yield CounterMetricFamily(f"graphmem_{name}", meaning, value=count)
    failures = CounterMetricFamily(
        "graphmem_chat_failures", "Calls without an answer of use.", labels=["reason"]
    )
    failures.add_metric(["unavailable"], counts.unavailable)
    failures.add_metric(["unusable"], counts.unusable)
    tokens = CounterMetricFamily("graphmem_chat_tokens", "Tokens.", labels=["kind"])
    tokens.add_metric(["prompt"], counts.prompt_tokens)
    tokens.add_metric(["reply"], counts.reply_tokens)
    yield from (failures, tokens)


def _answers(counts: AnswerCounts) -> Iterator[Metric]:
    outcomes = CounterMetricFamily(
        "graphmem_answers", "Questions to answer, by what became of them.", labels=["outcome"]
    )
    for outcome in ("answered", "abstained", "failed"):
        outcomes.add_metric([outcome], getattr(counts, outcome))
    tokens = CounterMetricFamily(
        "graphmem_answer_tokens", "Tokens of answers, as the model's server counts.", labels=["of"]
    )
    tokens.add_metric(["prompt"], counts.prompt_tokens)
    tokens.add_metric(["answer"], counts.answer_tokens)
    yield from (outcomes, tokens)
    yield CounterMetricFamily(
        "graphmem_invented_citations",
        "Citations of what was not shown, taken out of answers.",
        value=counts.invented,
    )
    yield _gauge(
        "graphmem_answer_model_up",
        "1 while the chat model answered when it was last asked.",
        counts.is_well,
    )


def _reranking(counts: RerankCounts) -> Iterator[Metric]:
    searches = CounterMetricFamily(
        "graphmem_reranks",
        "Searches that the reranking model was asked for, by what became of it.",
        labels=["outcome"],
    )
    for outcome in ("reranked", "query_too_long", "failed"):
        searches.add_metric([outcome], getattr(counts, outcome))
    yield searches
    yield _gauge(
        "graphmem_rerank_model_up",
        "1 while the reranking model worked when it was last asked.",
        counts.is_well,
    )


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(name, meaning, value=float(value))
