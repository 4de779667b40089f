"""Asks a set's questions end to end: a model answers from the memory, another judges; stopped, it goes on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Final

from graphmem.bench.answer_file import Answered, AnswerFile, Judged, Key
from graphmem.bench.evidence import EvidenceMemory, EvidenceSet, Question
from graphmem.bench.judge import is_judged, judge
from graphmem.bench.retrieval import Loaded, Source
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.errors import ChatError, ChatUnavailableError
from graphmem.service.answering import Answerer

MOST_FAILURES: Final = 5  # in a row, after which the rest would fail, too
Step = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A question of a memory."""

    memory: EvidenceMemory
    question: Question

    @property
    def key(self) -> Key:
        """Its name in the results."""
        return self.memory.memory_id, self.question.id


@dataclass(slots=True, kw_only=True)
class Run:
    """How a run went.

    Attributes:
        failures: questions that got no answer or no verdict, with the error; the next run asks them again.
        stopped: why it gave up before all were asked; None if it did not.
    """

    failures: dict[Key, str] = field(default_factory=dict)
    stopped: str | None = None


def tasks_of(evidence: EvidenceSet, limit: int | None = None) -> list[Task]:
    """The questions of which the set says what is right, in its order.

    Args:
        evidence: the set.
        limit: only the first so many of each memory.
    """
    return [
        Task(memory=memory, question=question)
        for memory in evidence.memories
        for question in list(filter(is_judged, memory.questions))[:limit]
    ]


def left_of(tasks: Sequence[Task], file: AnswerFile) -> list[Task]:
    """Those that have no verdict yet."""
    return [task for task in tasks if task.key not in file.results.verdicts]


def run(
    bench: Loaded,
    judging: Answerer,
    tasks: Sequence[Task],
    file: AnswerFile,
    *,
    concurrency: int = 4,
    step: Step = lambda: None,
) -> Run:
    """Ask and judge what has no verdict yet; every answer and verdict is kept as it comes.

    Args:
        bench: the set in a service whose settings enable answers.
        judging: the model that judges.
        tasks: the questions.
        file: what was answered and judged before.
        concurrency: how many questions are under way at once.
        step: told of each question that is done.
    """
    state = _State(file=file)
    pool = ThreadPoolExecutor(concurrency, thread_name_prefix="graphmem-bench")
    try:
        futures = [pool.submit(_one, bench, judging, task, state) for task in left_of(tasks, file)]
        for future in as_completed(futures):
            future.result()
            step()
    finally:
        pool.shutdown(cancel_futures=True)  # whoever interrupts waits for what is under way alone
    return state.run


@dataclass(slots=True, kw_only=True)
class _State:
    """What the threads of a run share."""

    file: AnswerFile
    run: Run = field(default_factory=Run)
    in_row: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def succeeded(self) -> None:
        with self.lock:
            self.in_row = 0

    def failed(self, key: Key, error: ChatError) -> None:
        with self.lock:
            self.run.failures[key] = str(error)
            self.in_row += 1
            if self.in_row >= MOST_FAILURES or isinstance(error, ChatUnavailableError):
                self.run.stopped = str(error)


def _one(bench: Loaded, judging: Answerer, task: Task, state: _State) -> None:
    if state.run.stopped:
        return
    try:
        answered = state.file.results.answers.get(task.key)
        if answered is None:
            answered = _ask(bench, task)
            state.file.add(answered)
        verdict = judge(judging, task.question, answered.text)
    except ChatError as error:
        state.failed(task.key, error)
        return
    state.file.add(
        Judged(
            memory_id=task.memory.memory_id,
            question_id=task.question.id,
            correct=verdict.correct,
            reason=verdict.reason,
            prompt_tokens=verdict.prompt_tokens,
            answer_tokens=verdict.answer_tokens,
        )
    )
    state.succeeded()


def _ask(bench: Loaded, task: Task) -> Answered:
    question, memory_id = task.question, task.memory.memory_id
    began = time.perf_counter()
    answer = bench.service.answer(
        DEFAULT_TENANT, memory_id, question.text, asked_at=question.asked_at
    )
    seconds = time.perf_counter() - began
    sources = bench.sources[memory_id]
    gold = {*(question.evidence or question.evidence_sessions)}

    def name(source: Source) -> str:
        return source.message_id if question.evidence else source.session_id

    cited = [sources[one.turn_id] for one in answer.citations]
    return Answered(
        memory_id=memory_id,
        question_id=question.id,
        kind=question.kind,
        text=answer.text,
        abstained=answer.abstained,
        citations=tuple(source.message_id for source in cited),
        cited_evidence=sum(name(source) in gold for source in cited),
        invented=len(answer.trace.invented),
        has_evidence=gold <= {name(sources[one.turn_id]) for one in answer.evidence}
        if gold
        else None,
        finish=answer.trace.finish,
        prompt_tokens=answer.usage.prompt_tokens,
        answer_tokens=answer.usage.answer_tokens,
        seconds=round(seconds, 3),
    )
