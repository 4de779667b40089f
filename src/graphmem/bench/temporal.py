"""Measures whether evidence says when: the share of temporal answers whose date the evidence writes.

A question counts when its kind is temporal, its answer reads as one or several dates, and all its
evidence is among the first 32 turns. It is dated when the evidence's text, as it is rendered but
without the date that is set before it, writes each of these dates: the same, a finer one within it,
or an interval that begins or ends within it ("last week" of October 1st, for "in September"). Of an
approximate date the last day, which is the one that is written, counts likewise; how many answers rest
on such a date alone is told beside the share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.evidence import EvidenceMemory, EvidenceSet, Question
from graphmem.bench.intervals import Estimate, estimate
from graphmem.bench.retrieval import Loaded, Step, no_step
from graphmem.domain.annotation import WRITTEN_OUT
from graphmem.domain.hit import Hit
from graphmem.domain.interval import Interval
from graphmem.domain.moment import Moment
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.text.timex.reader import read

DEPTH: Final = 32
_YEAR: Final = re.compile(r"\s*\d{4}\.?\s*")  # as a whole answer
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """One question that counts.

    Attributes:
        question_id: the question.
        in_text: whether the evidence's text writes the answer.
        is_exact: whether the text writes it without its approximate dates.
        in_prefix: whether the dates set before the evidence do, which say only when it was said.
    """

    question_id: str
    in_text: bool
    is_exact: bool
    in_prefix: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalReport:
    """Everything that one run of `bench temporal` found.

    Attributes:
        evidence: the set.
        temporal: how many of its questions are temporal.
        answered_by_date: how many of these have an answer that reads as dates.
        outcomes: those whose evidence was found.
    """

    evidence: EvidenceSet
    temporal: int
    answered_by_date: int
    outcomes: Sequence[Dated]

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; shares are 0 to 1."""
        in_text, in_prefix = self.share("in_text"), self.share("in_prefix")
        return {
            "set": self.evidence.name,
            "questions": self.temporal,
            "answered_by_date": self.answered_by_date,
            "evidence_found": len(self.outcomes),
            "dated": in_text and round(in_text.mean, _DIGITS),
            "interval": in_text and [round(in_text.low, _DIGITS), round(in_text.high, _DIGITS)],
            "dated_about": sum(found.in_text and not found.is_exact for found in self.outcomes),
            "dated_by_prefix": in_prefix and round(in_prefix.mean, _DIGITS),
            "undated": [found.question_id for found in self.outcomes if not found.in_text],
            "version": __version__,
        }

    def table(self) -> Table:
        """The report for a terminal."""
        table = Table(
            title=f"{self.evidence.name}: {self.temporal} temporal questions, "
            f"{self.answered_by_date} answered by a date, {len(self.outcomes)} with their evidence "
            f"among the first {DEPTH} turns",
            caption="share whose evidence writes the date; 95% interval",
        )
        table.add_column("where")
        table.add_column("share", justify="right")
        rows = (
            ("in_text", "text"),
            ("is_exact", "without approximate dates"),
            ("in_prefix", "prefix alone"),
        )
        for where, label in rows:
            share = self.share(where)
            table.add_row(
                label, f"{share.mean:.3f} [{share.low:.3f} {share.high:.3f}]" if share else "-"
            )
        return table

    def share(self, where: str) -> Estimate | None:
        """The share of the outcomes that are dated there; None of no outcome."""
        rows = [
            {
                "in_text": float(found.in_text),
                "is_exact": float(found.is_exact),
                "in_prefix": float(found.in_prefix),
            }
            for found in self.outcomes
        ]
        return estimate(rows).get(where)


def measure(bench: Loaded, step: Step = no_step) -> TemporalReport:
    """Ask every temporal question whose answer reads as dates, in the set's order."""
    outcomes: list[Dated] = []
    answered = 0
    for memory in bench.evidence.memories:
        newest = newest_moment(memory)
        for question in filter(is_temporal, memory.questions):
            asked = Moment.parse_iso(question.asked_at) if question.asked_at else newest
            dates = dates_of(question.answer or "", asked)
            answered += bool(dates)
            found = _evidence(bench, memory, question) if dates else []
            if found:
                outcomes.append(_judge(question, dates, found))
            step("ask")
    return TemporalReport(
        evidence=bench.evidence,
        temporal=count_temporal(bench.evidence),
        answered_by_date=answered,
        outcomes=outcomes,
    )


def is_temporal(question: Question) -> bool:
    """Whether the set counts the question among those about time, and points at evidence."""
    return "temporal" in question.kind and bool(question.evidence)


def count_temporal(evidence: EvidenceSet) -> int:
    """How many questions `measure` asks."""
    return sum(is_temporal(q) for memory in evidence.memories for q in memory.questions)


def newest_moment(memory: EvidenceMemory) -> Moment | None:
    """When the newest message was said, by time and not by order; None where nothing is dated."""
    stamps = (item.message.timestamp for s in memory.sessions for item in s.messages)
    moments = [Moment.parse_iso(stamp) for stamp in stamps if isinstance(stamp, str)]
    return max(moments, key=lambda moment: moment.us, default=None)


def dates_of(text: str, anchor: Moment | None) -> list[Interval]:
    """The dates that a text means, each in UTC's calendar, so that only their notation counts."""
    if _YEAR.fullmatch(text):
        return [Interval.parse(text.strip(" ."))]
    found = (expression.interval for expression in read(text, anchor))
    return [Interval.parse(interval.text()) for interval in found if interval is not None]


def written_dates(text: str) -> list[Interval]:
    """The dates that a reader sees written in a text: complete ones, and those in brackets."""
    bracketed = (match[0].strip(" ()") for match in WRITTEN_OUT.finditer(text))
    return [*dates_of(text, None), *(Interval.parse(value) for value in bracketed)]


def _evidence(bench: Loaded, memory: EvidenceMemory, question: Question) -> list[Hit]:
    """The question's evidence as it was returned; nothing unless all of it was."""
    found = bench.service.retrieve(DEFAULT_TENANT, memory.memory_id, question.text, limit=DEPTH)
    sources = bench.sources[memory.memory_id]
    hits = {sources[hit.id].message_id: hit for hit in found.hits}
    if not hits.keys() >= set(question.evidence):
        return []
    return [hits[message_id] for message_id in question.evidence]


def _judge(question: Question, dates: Iterable[Interval], found: Sequence[Hit]) -> Dated:
    texts = [date for hit in found for date in written_dates(hit.text)]
    stamps = (hit.occurred.stamp() for hit in found if hit.occurred)
    prefixes = [Interval.parse(stamp) for stamp in stamps]
    return Dated(
        question_id=question.id,
        in_text=writes(texts, dates),
        is_exact=writes([date for date in texts if not date.is_about], dates),
        in_prefix=writes(prefixes, dates),
    )


def writes(written: Sequence[Interval], dates: Iterable[Interval]) -> bool:
    """Whether each of the dates is written: the same, or a finer one, or an end of one, within it."""
    ends = [end for one in written for end in _ends(one)]
    return all(any(date.holds(end) for end in ends) for date in dates)


def _ends(written: Interval) -> list[Interval]:
    """The ends of an interval as they are written; an open one and an approximate one have one."""
    return [Interval.parse(part) for part in written.text().lstrip("~").split("..") if part]
