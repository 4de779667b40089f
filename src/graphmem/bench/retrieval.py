"""Runs an evidence set through the public service and scores what it returns."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from graphmem.bench.batches import batched, policy_for
from graphmem.bench.embedders import Embedding, Landing, wait_for_vectors
from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.metrics import DEFAULT_DEPTHS, NDCG_DEPTH, Scores, score
from graphmem.config import ServiceConfig
from graphmem.domain.hit import Hit
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.retrieval.recipe import DEFAULT, Recipe
from graphmem.service.memory import MemoryService

LEFT_OUT_KINDS: Final = frozenset({"adversarial"})
LEXICAL: Final = Embedding()

Step = Callable[[str], None]
"""Called after each session added (`add`) and each question asked (`ask`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a stored turn came from: its message and session in the evidence set."""

    message_id: str
    session_id: str


Sources = Mapping[str, Source]
"""Turn ids of one memory to their places in the set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """An evidence set inside a service.

    Attributes:
        sources: for each memory id, its turns' places in the set.
        add_seconds: how long it took until all was added and all vectors were there.
        embedding: what the service embeds with.
    """

    service: MemoryService
    evidence: EvidenceSet
    sources: Mapping[str, Sources]
    add_seconds: float
    embedding: Embedding


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One question's scores, and how long its answer took."""

    question_id: str
    kind: str
    scores: Scores
    seconds: float


def no_step(_stage: str) -> None:
    """Report nothing."""


def no_landing(_done: int, _total: int) -> None:
    """Report nothing."""


@contextmanager
def loaded(
    evidence: EvidenceSet,
    embedding: Embedding = LEXICAL,
    *,
    step: Step = no_step,
    landing: Landing = no_landing,
    config: ServiceConfig | None = None,
) -> Iterator[Loaded]:
    """Add the whole set to a service in a temporary directory, which ends with the block.

    Args:
        evidence: the set.
        embedding: what to embed with.
        step: told of each session.
        landing: told of late vectors.
        config: the service's settings, None for those that embed like this.

    Raises:
        EmbeddingUnavailableError: the model stopped before every turn had its vectors.
    """
    with (
        tempfile.TemporaryDirectory(prefix="graphmem-bench-") as directory,
        MemoryService.open(data_dir=directory, config=config or embedding.config()) as service,
    ):
        began = time.perf_counter()
        sources = {m.memory_id: _add_memory(service, m, step) for m in evidence.memories}
        wait_for_vectors(service, [id_ for id_, turns in sources.items() if turns], landing)
        yield Loaded(
            service=service,
            evidence=evidence,
            sources=sources,
            add_seconds=time.perf_counter() - began,
            embedding=embedding,
        )


def ask(
    bench: Loaded,
    *,
    recipe: Recipe = DEFAULT,
    depths: Sequence[int] = DEFAULT_DEPTHS,
    step: Step = no_step,
) -> list[Outcome]:
    """Ask every question that can be scored, in the set's order."""
    outcomes = []
    for memory in bench.evidence.memories:
        sessions = _sessions_of_messages(memory)
        for question in filter(is_scored, memory.questions):
            began = time.perf_counter()
            hits = _retrieve(bench.service, memory.memory_id, question, recipe, depths)
            seconds = time.perf_counter() - began
            found = _found(hits, bench.sources[memory.memory_id])
            outcomes.append(
                Outcome(
                    question_id=question.id,
                    kind=question.kind,
                    scores=_score(question, sessions, found, depths),
                    seconds=seconds,
                )
            )
            step("ask")
    return outcomes


def is_scored(question: Question) -> bool:
    """Whether the question has evidence to find and is not built on a false premise."""
    has_gold = bool(question.evidence or question.evidence_sessions)
    return has_gold and question.kind not in LEFT_OUT_KINDS


def count_scored(evidence: EvidenceSet) -> int:
    """How many questions `ask` asks."""
    return sum(is_scored(q) for memory in evidence.memories for q in memory.questions)


def _add_memory(service: MemoryService, memory: EvidenceMemory, step: Step) -> Sources:
    sources: dict[str, Source] = {}
    for number, session in enumerate(memory.sessions):
        sources.update(_add_session(service, memory.memory_id, number, session))
        step("add")
    return sources


def _add_session(
    service: MemoryService, memory_id: str, number: int, session: EvidenceSession
) -> Sources:
    """Add one session; request ids go by place, so that a second run makes the same turn ids."""
    sources: dict[str, Source] = {}
    for at, batch in enumerate(batched(_storable(session), attrgetter("message"))):
        messages = [item.message for item in batch]
        receipt = service.add(
            DEFAULT_TENANT,
            memory_id,
            session.session_id,
            messages,
            request_id=f"bench-{number}-{at}",
            policy=policy_for(messages),
        )
        for turn_id, item in zip(receipt.turn_ids, batch, strict=True):
            sources[turn_id] = Source(message_id=item.id, session_id=session.session_id)
    return sources


def _storable(session: EvidenceSession) -> list[EvidenceMessage]:
    """The messages without blank ones, which no add accepts."""
    return [item for item in session.messages if item.message.content.strip()]


def _retrieve(
    service: MemoryService,
    memory_id: str,
    question: Question,
    recipe: Recipe,
    depths: Sequence[int],
) -> Sequence[Hit]:
    limit = max(*depths, NDCG_DEPTH)
    found = service.retrieve(DEFAULT_TENANT, memory_id, question.text, limit=limit, recipe=recipe)
    return found.hits


def _found(hits: Sequence[Hit], sources: Sources) -> list[Source]:
    """The distinct turns that the hits stand on, in the order they were returned."""
    turn_ids = dict.fromkeys(turn_id for hit in hits for turn_id in hit.turn_ids)
    return [sources[turn_id] for turn_id in turn_ids]


def _sessions_of_messages(memory: EvidenceMemory) -> dict[str, str]:
    return {item.id: session.session_id for session in memory.sessions for item in session.messages}


def _score(
    question: Question,
    sessions: Mapping[str, str],
    found: Sequence[Source],
    depths: Sequence[int],
) -> Scores:
    gold_sessions = question.evidence_sessions or [sessions[id_] for id_ in question.evidence]
    return score(
        question.evidence,
        gold_sessions,
        [source.message_id for source in found],
        [source.session_id for source in found],
        depths,
    )
