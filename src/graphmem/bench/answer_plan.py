"""A plan says which questions are asked of which models, and where the results are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from graphmem.bench.answer import Task, tasks_of
from graphmem.bench.answer_file import AnswerFile, Header, digest_of
from graphmem.bench.embedders import Embedding
from graphmem.bench.evidence import EvidenceSet
from graphmem.config import ServiceConfig
from graphmem.errors import InvalidInputError
from graphmem.service.answering import Answerer
from graphmem.service.factory import open_answerer


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be asked.

    Attributes:
        embedding: what the service embeds with.
        answering: its settings, with answers enabled.
        judging: settings whose answering model is the judge.
        results: the file that keeps answers and verdicts.
        limit: only the first so many questions of each memory.
        concurrency: how many questions are under way at once.
    """

    evidence: EvidenceSet
    embedding: Embedding
    answering: ServiceConfig
    judging: ServiceConfig
    results: Path
    limit: int | None
    concurrency: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """An open results file, with what it takes to go on."""

    header: Header
    tasks: Sequence[Task]
    file: AnswerFile
    judge: Answerer


@contextmanager
def opened(plan: Plan) -> Iterator[Sheet]:
    """Open the results and the judge; nothing is asked.

    Raises:
        InvalidInputError: the set has no question to judge, or the file is of another run.
        ConfigError: a model's address or key can't be used.
    """
    tasks = tasks_of(plan.evidence, plan.limit)
    if not tasks:
        raise InvalidInputError("file", "the set says of no question what a right answer is")
    judge = _opened(plan.judging)
    try:
        header = _header(plan, judge)
        with AnswerFile(plan.results, header) as file:
            yield Sheet(header=header, tasks=tasks, file=file, judge=judge)
    finally:
        judge.model.close()


def _header(plan: Plan, judge: Answerer) -> Header:
    answerer = _opened(plan.answering)  # the service opens its own
    answerer.model.close()
    return Header(
        set=plan.evidence.name,
        digest=digest_of(plan.evidence),
        answer_model=plan.answering.answer_model or plan.answering.llm_model,
        answer_fingerprint=answerer.model.fingerprint,
        judge_model=plan.judging.answer_model or plan.judging.llm_model,
        judge_fingerprint=judge.model.fingerprint,
        readout=plan.answering.readout,
        embedder=plan.embedding.name,
    )


def _opened(config: ServiceConfig) -> Answerer:
    answerer = open_answerer(config)
    if answerer is None:
        raise InvalidInputError("config", "must enable answers: set generate_answers")
    return answerer
