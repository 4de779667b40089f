"""The report of a retrieval run: one JSON object, the same figures as tables for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from rich.console import Group
from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.ablation import ABLATION_METRICS, Ablation
from graphmem.bench.embedders import NONE, Embedding
from graphmem.bench.evidence import EvidenceSet
from graphmem.bench.intervals import Estimate, estimate
from graphmem.bench.metrics import NDCG_DEPTH
from graphmem.bench.retrieval import LEXICAL, Outcome

_DIGITS: Final = 4
_BY_DEPTH: Final = ("recall", "all", "session_recall")
_PLAIN: Final = {"mrr": "mrr", "ndcg@10": "ndcg10"}

Estimates = Mapping[str, Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """Everything that one run of `bench retrieval` found.

    Attributes:
        add_seconds: until all was added and all vectors were there.
        embedding: what was embedded with.
        reranker: the reranking model of the settings, empty without one.
        ablation: None unless it was asked for.
    """

    evidence: EvidenceSet
    outcomes: Sequence[Outcome]
    depths: Sequence[int]
    add_seconds: float
    embedding: Embedding = LEXICAL
    ablation: Ablation | None = None
    reranker: str = ""

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; shares are 0 to 1, times in seconds."""
        values: dict[str, object] = {
            "set": self.evidence.name,
            "questions": len(self.outcomes),
            "left_out": self.evidence.questions - len(self.outcomes),
            "turns": self.evidence.turns,
            **self._figures(self.outcomes),
            "by_kind": {kind: self._figures(rows) for kind, rows in self.by_kind().items()},
            "seconds": self._seconds() | self._times_include(),
            "embedder": self.embedding.name,
            "version": __version__,
        }
        if self.reranker:
            values["reranker"] = self.reranker
        if self.ablation is not None:
            values["ablation"] = {
                name: {metric: _interval(change) for metric, change in changes.items()}
                for name, changes in self.ablation.items()
            }
        return values

    def tables(self) -> Group:
        """The report for a terminal."""
        parts = [self._quality_table(), self._seconds_table()]
        if self.ablation is not None:
            parts.append(_ablation_table(self.ablation))
        return Group(*parts)

    def by_kind(self) -> dict[str, list[Outcome]]:
        """The outcomes of each kind of question, kinds in alphabetical order."""
        kinds = sorted({outcome.kind for outcome in self.outcomes})
        return {kind: [o for o in self.outcomes if o.kind == kind] for kind in kinds}

    def _figures(self, outcomes: Sequence[Outcome]) -> dict[str, object]:
        found = estimate([outcome.scores for outcome in outcomes])
        if not found:
            return {"questions": 0}
        return {
            "questions": len(outcomes),
            **_nest(self.depths, {name: _round(e.mean) for name, e in found.items()}),
            "intervals": _nest(self.depths, {name: _bounds(e) for name, e in found.items()}),
        }

    def _seconds(self) -> dict[str, float | None]:
        times = [outcome.seconds for outcome in self.outcomes]
        return {
            "add": round(self.add_seconds, 3),
            "query_p50": _percentile(times, 50),
            "query_p95": _percentile(times, 95),
        }

    def _times_include(self) -> dict[str, bool]:
        """Whether embedding is part of the times, and whether a file may have saved it."""
        return {
            "embedding_included": self.embedding.name != NONE,
            "cached": self.embedding.is_cached,
        }

    def _what_times_include(self) -> str:
        if self.embedding.name == NONE:
            return "without embedding"
        if self.embedding.is_cached:
            return "vectors may come from a cache: no figures of speed"
        return "embedding included"

    def _quality_table(self) -> Table:
        count, left = len(self.outcomes), self.evidence.questions - len(self.outcomes)
        table = Table(
            title=f"{self.evidence.name}: {self.evidence.turns} turns, {count} questions"
            + (f" ({left} without evidence or adversarial left out)" if left else ""),
            caption="R@k: mean share of the evidence among the first k turns; below: 95% interval",
        )
        table.add_column("kind", no_wrap=True)
        table.add_column("n", justify="right")
        shown = self._shown()
        for short in shown.values():
            table.add_column(short, justify="right", no_wrap=True)
        for kind, outcomes in {"overall": self.outcomes, **self.by_kind()}.items():
            found = estimate([outcome.scores for outcome in outcomes])
            cells = [_cell(found, name, spread=kind == "overall") for name in shown]
            table.add_row(kind, str(len(outcomes)), *cells, end_section=kind == "overall")
        return table

    def _shown(self) -> dict[str, str]:
        """The metrics of the table with their headings."""
        shown = {f"recall@{k}": f"R@{k}" for k in self.depths}
        shown |= {f"all@{k}": f"all@{k}" for k in self.depths if k > NDCG_DEPTH}
        return shown | {f"session_recall@{NDCG_DEPTH}": "sess@10", "mrr": "MRR", "ndcg@10": "nDCG"}

    def _seconds_table(self) -> Table:
        table = Table(title="time", caption=self._what_times_include())
        for name in ("add, all turns", "query p50", "query p95", "embedder"):
            table.add_column(name, justify="right")
        seconds = self._seconds()
        table.add_row(
            f"{self.add_seconds:.2f} s",
            _milliseconds(seconds["query_p50"]),
            _milliseconds(seconds["query_p95"]),
            f"{self.embedding.name}, cached" if self.embedding.is_cached else self.embedding.name,
        )
        return table


def _nest(depths: Sequence[int], flat: Mapping[str, object]) -> dict[str, object]:
    """`recall@10` becomes `recall: {"10": ...}`, `ndcg@10` becomes `ndcg10`."""
    nested: dict[str, object] = {
        name: {str(k): flat[f"{name}@{k}"] for k in depths} for name in _BY_DEPTH
    }
    return nested | {written: flat[name] for name, written in _PLAIN.items()}


def _ablation_table(ablation: Ablation) -> Table:
    table = Table(
        title="ablation: change against the whole recipe",
        caption="95% interval, paired by question; negative: the channel pays; * interval without 0",
    )
    table.add_column("recipe")
    for metric in ABLATION_METRICS:
        table.add_column(metric, justify="right", no_wrap=True)
    for name, changes in ablation.items():
        table.add_row(name, *(_change(changes.get(metric)) for metric in ABLATION_METRICS))
    return table


def _change(change: Estimate | None) -> str:
    if change is None:
        return "-"
    mark = "*" if change.low > 0 or change.high < 0 else " "
    return f"{change.mean:+.3f}{mark} [{change.low:+.3f} {change.high:+.3f}]"


def _cell(found: Estimates, name: str, *, spread: bool) -> str:
    if name not in found:
        return "-"
    value = found[name]
    bounds = f"\n{value.low:.3f}\n{value.high:.3f}" if spread else ""
    return f"{value.mean:.3f}{bounds}"


def _round(value: float) -> float:
    return round(value, _DIGITS)


def _bounds(value: Estimate) -> list[float]:
    return [_round(value.low), _round(value.high)]


def _interval(value: Estimate) -> dict[str, object]:
    return {"delta": _round(value.mean), "interval": _bounds(value)}


def _percentile(times: Sequence[float], percent: float) -> float | None:
    return round(float(np.percentile(times, percent)), 6) if times else None


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1000:.1f} ms"
