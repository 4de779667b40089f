"""The report of `bench answer`: how many answers are right, by kind, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from rich.console import RenderableType
from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.answer import Run, Task
from graphmem.bench.answer_file import Answered, Header, Judged, Results
from graphmem.bench.intervals import estimate
from graphmem.bench.retrieval import LEFT_OUT_KINDS

_MILLION: Final = 1_000_000
_DIGITS: Final = 4
_MOST_REASONS: Final = 3


class Price(NamedTuple):
    """Money for a million tokens of prompts, and of answers."""

    prompt: float
    answer: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A question with its answer and its verdict."""

    answered: Answered
    judged: Judged


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReport:
    """Everything that one run of `bench answer` found, earlier runs into the same file included.

    Attributes:
        header: what was asked of whom.
        tasks: the questions.
        results: the answers and verdicts.
        run: how the run went.
        price: of the answering model, None where nobody said.
        judge_price: of the judge.
    """

    header: Header
    tasks: Sequence[Task]
    results: Results
    run: Run
    price: Price | None = None
    judge_price: Price | None = None

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; shares are 0 to 1."""
        rows = self._rows()
        judged = [row for row in rows if row.answered.kind not in LEFT_OUT_KINDS]
        return {
            "set": self.header.set,
            "questions": len(self.tasks),
            "judged": len(rows),
            "failed": len(self.run.failures),
            "stopped": self.run.stopped,
            "overall": _figures(judged),
            "by_kind": {kind: _figures(part) for kind, part in _by_kind(rows).items()},
            "tokens": self._tokens(),
            "cost": self._cost(),
            "answer_model": self.header.answer_model,
            "judge_model": self.header.judge_model,
            "readout": self.header.readout,
            "embedder": self.header.embedder,
            "version": __version__,
        }

    @property
    def is_whole(self) -> bool:
        """Whether every question has a verdict."""
        return len(self._rows()) == len(self.tasks)

    def parts(self) -> list[RenderableType]:
        """The report for a terminal."""
        rows = self._rows()
        table = Table(
            title=f"{self.header.set}: answers of {self.header.answer_model}, "
            f"judged by {self.header.judge_model}",
            caption="correct: 95% interval; evidence: all of it in the prompt; overall without "
            "questions on false premises",
        )
        table.add_column("kind")
        for name in ("questions", "correct", "abstained", "evidence", "tokens in / out"):
            table.add_column(name, justify="right")
        judged = [row for row in rows if row.answered.kind not in LEFT_OUT_KINDS]
        for name, part in {"overall": judged, **_by_kind(rows)}.items():
            if part:
                table.add_row(*_cells(name, part))
        return [*([table] if rows else []), *self._lines()]

    def _lines(self) -> list[str]:
        tokens, cost = self._tokens(), self._cost()
        lines = [
            f"{who}: {used['prompt']:,} + {used['answer']:,} tokens"
            + (f", {cost[who]:.4f} by the prices given" if cost else "")
            for who, used in tokens.items()
        ]
        left = len(self.tasks) - len(self._rows())
        if left:
            lines.append(f"{left} questions have no verdict yet; run the same again to go on")
        if self.run.stopped:
            lines.append(f"stopped: {self.run.stopped}")
        for reason, count in Counter(self.run.failures.values()).most_common(_MOST_REASONS):
            if reason != self.run.stopped:
                lines.append(f"{count} failed: {reason}")
        return lines

    def _rows(self) -> list[_Row]:
        answers, verdicts = self.results.answers, self.results.verdicts
        return [
            _Row(answered=answers[task.key], judged=verdicts[task.key])
            for task in self.tasks
            if task.key in answers and task.key in verdicts
        ]

    def _tokens(self) -> dict[str, dict[str, int]]:
        """All that was paid for, also for answers that have no verdict yet."""
        parts: dict[str, Sequence[Answered | Judged]] = {
            "answers": list(self.results.answers.values()),
            "judge": list(self.results.verdicts.values()),
        }
        return {
            who: {
                "prompt": sum(line.prompt_tokens for line in lines),
                "answer": sum(line.answer_tokens for line in lines),
            }
            for who, lines in parts.items()
        }

    def _cost(self) -> dict[str, float] | None:
        if self.price is None or self.judge_price is None:
            return None
        tokens = self._tokens()
        prices = {"answers": self.price, "judge": self.judge_price}
        cost = {
            who: round(
                (used["prompt"] * prices[who].prompt + used["answer"] * prices[who].answer)
                / _MILLION,
                6,
            )
            for who, used in tokens.items()
        }
        return cost | {"total": round(sum(cost.values()), 6)}


def _figures(rows: Sequence[_Row]) -> dict[str, object]:
    if not rows:
        return {"questions": 0}
    correct = estimate([{"correct": float(row.judged.correct)} for row in rows])["correct"]
    answers = [row.answered for row in rows]
    cited = sum(len(answer.citations) for answer in answers)
    shown = [answer.has_evidence for answer in answers if answer.has_evidence is not None]
    return {
        "questions": len(rows),
        "correct": {
            "mean": round(correct.mean, _DIGITS),
            "low": round(correct.low, _DIGITS),
            "high": round(correct.high, _DIGITS),
        },
        "abstained": _share(answer.abstained for answer in answers),
        "cited": _share(bool(answer.citations) for answer in answers),
        "citations_of_evidence": round(
            sum(answer.cited_evidence for answer in answers) / cited, _DIGITS
        )
        if cited
        else None,
        "invented": sum(answer.invented for answer in answers),
        "evidence": _share(shown) if shown else None,
        "tokens": {
            "prompt": round(sum(a.prompt_tokens for a in answers) / len(answers), 1),
            "answer": round(sum(a.answer_tokens for a in answers) / len(answers), 1),
        },
    }


def _share(flags: Iterable[bool]) -> float:
    values = list(flags)
    return round(sum(values) / len(values), _DIGITS)


def _by_kind(rows: Sequence[_Row]) -> Mapping[str, list[_Row]]:
    kinds = sorted({row.answered.kind for row in rows})
    return {kind: [row for row in rows if row.answered.kind == kind] for kind in kinds}


def _cells(name: str, rows: Sequence[_Row]) -> list[str]:
    correct = estimate([{"correct": float(row.judged.correct)} for row in rows])["correct"]
    answers = [row.answered for row in rows]
    shown = [answer.has_evidence for answer in answers if answer.has_evidence is not None]
    prompt = sum(answer.prompt_tokens for answer in answers) / len(answers)
    said = sum(answer.answer_tokens for answer in answers) / len(answers)
    return [
        name,
        str(len(rows)),
        f"{correct.mean:.3f} [{correct.low:.3f} {correct.high:.3f}]",
        f"{_share(answer.abstained for answer in answers):.3f}",
        f"{_share(shown):.3f}" if shown else "-",
        f"{prompt:,.0f} / {said:,.0f}",
    ]
