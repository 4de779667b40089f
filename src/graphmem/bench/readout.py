"""Measures what a model would read: is all evidence in the prompt, at what price, is the answer written there?

`all` counts a turn that is shown in part; `whole` does not. An answer is written there if each of its parts is,
word by word, or each of its dates, as `bench temporal` reads dates. That is a lower bound: an answer in other
words than the evidence's is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from graphmem.bench.evidence import EvidenceMemory, Question
from graphmem.bench.metrics import Scores
from graphmem.bench.retrieval import Loaded, Source, Step, is_scored, no_step
from graphmem.bench.temporal import dates_of, newest_moment, writes, written_dates
from graphmem.domain.interval import Interval
from graphmem.domain.moment import Moment
from graphmem.domain.prepared import Evidence, Prepared
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.readout.assemble import Rules
from graphmem.readout.budget import QueryBudget
from graphmem.text.normalize import fold
from graphmem.text.tokens import BuiltInTokenCounter

_PARTS: Final = re.compile(r"[,;，；、/]|\band\b|\bor\b|和|以及")
_WORD: Final = re.compile(r"\w+")

V5_81: Final = Rules(readout="v5_81", budget=QueryBudget(), counter=BuiltInTokenCounter())
V5_73: Final = replace(V5_81, readout="v5_73")
SETTINGS: Final[Mapping[str, Rules]] = MappingProxyType({"v5_81": V5_81, "v5_73": V5_73})


def _with(**changes: int) -> Rules:
    return replace(V5_81, budget=replace(QueryBudget(), **changes))


ABLATIONS: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "without source-focus": _with(focus_turns=0),
        "without aids": _with(aid_tokens=0),
        "long turns whole": _with(excerpt_tokens=100_000),
        "one budget for all": _with(
            lookup_turns=48,
            lookup_tokens=3000,
            temporal_turns=48,
            temporal_tokens=3000,
            wide_turns=48,
            wide_tokens=3000,
        ),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOut:
    """One question's prompt.

    Attributes:
        family: the family of budgets that the question was put in.
        tokens: of the whole prompt.
        scores: `all` (1 if every piece of evidence is shown), `whole` (if each is shown whole),
            `recall`, `precision`, and `answer` (if the answer is written in the evidence) where the
            set gives one.
    """

    question_id: str
    kind: str
    family: str
    tokens: int
    scores: Scores


def measure(bench: Loaded, rules: Rules, step: Step = no_step) -> list[ReadOut]:
    """Prepare every question that can be scored, in the set's order."""
    found = []
    for memory in bench.evidence.memories:
        newest = newest_moment(memory)
        sources = bench.sources[memory.memory_id]
        for question in filter(is_scored, memory.questions):
            prepared = bench.service.prepare(
                DEFAULT_TENANT,
                memory.memory_id,
                question.text,
                asked_at=question.asked_at,
                rules=rules,
            )
            found.append(_read_out(memory, question, prepared, sources, newest))
            step("ask")
    return found


def _read_out(
    memory: EvidenceMemory,
    question: Question,
    prepared: Prepared,
    sources: Mapping[str, Source],
    newest: Moment | None,
) -> ReadOut:
    asked = Moment.parse_iso(question.asked_at) if question.asked_at else newest
    answer = is_written(question.answer, prepared.evidence, asked)
    return ReadOut(
        question_id=question.id,
        kind=question.kind,
        family=prepared.trace.question.family,
        tokens=prepared.usage.prompt_tokens,
        scores={**_coverage(question, prepared, sources), "answer": float(answer)},
    )


def _coverage(
    question: Question, prepared: Prepared, sources: Mapping[str, Source]
) -> dict[str, float]:
    """How much of the evidence is shown; by sessions where the set names only those."""
    by_message = bool(question.evidence)
    gold = {*(question.evidence or question.evidence_sessions)}

    def name(one: Evidence) -> str:
        source = sources[one.turn_id]
        return source.message_id if by_message else source.session_id

    shown = [name(one) for one in prepared.evidence]
    whole = {name(one) for one in prepared.evidence if one.is_whole}
    return {
        "all": float(gold <= {*shown}),
        "whole": float(gold <= whole),
        "recall": len(gold & {*shown}) / len(gold),
        "precision": sum(one in gold for one in shown) / max(len(shown), 1),
    }


def is_written(answer: str | None, evidence: Sequence[Evidence], asked: Moment | None) -> bool:
    """Whether a reader sees the answer in the evidence: its dates, else the words of each of its parts."""
    if not answer:
        return False
    dates = dates_of(answer, asked)
    if dates:
        return writes(list(_dates(evidence)), dates)
    text = f" {' '.join(_words(' '.join(one.text for one in evidence)))} "
    parts = [" ".join(_words(part)) for part in _PARTS.split(answer)]
    return all(_holds(text, part) for part in parts if part)


def _dates(evidence: Sequence[Evidence]) -> Iterator[Interval]:
    for one in evidence:
        yield from written_dates(one.text)
        if one.event_time:
            yield Interval.parse(Moment.parse_iso(one.event_time).stamp())


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in {"a", "an", "the"}]


def _holds(text: str, part: str) -> bool:
    return f" {part} " in text if part.isascii() else part.replace(" ", "") in text.replace(" ", "")
