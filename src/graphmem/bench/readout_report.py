"""The report of a read-out run: one JSON object, the same figures as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from rich.console import Group
from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.embedders import Embedding
from graphmem.bench.evidence import EvidenceSet
from graphmem.bench.intervals import Estimate, estimate, estimate_difference
from graphmem.bench.readout import ReadOut

SHOWN: Final = ("all", "whole", "recall", "precision", "answer")
_DIGITS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadoutReport:
    """Everything that one run of `bench readout` found.

    Attributes:
        runs: for each setting the prompts of all questions; the first is what others are held against.
        ablation: the same questions under changed settings, empty unless it was asked for.
        embedding: what was embedded with.
    """

    evidence: EvidenceSet
    runs: Mapping[str, Sequence[ReadOut]]
    ablation: Mapping[str, Sequence[ReadOut]]
    embedding: Embedding

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; shares are 0 to 1."""
        first = next(iter(self.runs.values()))
        return {
            "set": self.evidence.name,
            "questions": len(first),
            "readouts": {name: _setting(found) for name, found in self.runs.items()},
            "ablation": {
                name: {
                    **_figures(found),
                    "change": {
                        metric: _interval(change)
                        for metric, change in _change(first, found).items()
                        if metric in SHOWN
                    },
                }
                for name, found in self.ablation.items()
            },
            "embedder": self.embedding.name,
            "version": __version__,
        }

    def tables(self) -> Group:
        """The report for a terminal."""
        table = Table(
            title=f"{self.evidence.name}: what stands in the prompt ({self.embedding.name})",
            caption="all, whole: share of questions with all evidence shown, and shown whole; "
            "answer: with the answer written in it; 95% interval",
        )
        table.add_column("setting")
        table.add_column("questions", justify="right")
        table.add_column("tokens (p95)", justify="right")
        for name in SHOWN:
            table.add_column(name, justify="right")
        for name, found in self.runs.items():
            _add_row(table, name, found)
            for kind, part in _by(found, lambda one: one.kind).items():
                _add_row(table, f"  {kind}", part)
        for name, found in self.ablation.items():
            _add_row(table, name, found)
        return Group(table)


def _setting(found: Sequence[ReadOut]) -> dict[str, object]:
    kinds = _by(found, lambda one: one.kind)
    families = _by(found, lambda one: one.family)
    return {
        **_figures(found),
        "by_kind": {kind: _figures(part) for kind, part in kinds.items()},
        "by_family": {family: _figures(part) for family, part in families.items()},
    }


def _figures(found: Sequence[ReadOut]) -> dict[str, object]:
    estimates = estimate([one.scores for one in found])
    tokens = [one.tokens for one in found]
    return {
        "questions": len(found),
        "tokens": {
            "mean": round(float(np.mean(tokens)), 1) if tokens else None,
            "p95": round(float(np.percentile(tokens, 95)), 1) if tokens else None,
        },
        **{name: _interval(estimates[name]) for name in SHOWN if name in estimates},
    }


def _change(before: Sequence[ReadOut], after: Sequence[ReadOut]) -> dict[str, Estimate]:
    return estimate_difference([one.scores for one in before], [one.scores for one in after])


def _interval(found: Estimate) -> dict[str, float]:
    return {
        "mean": round(found.mean, _DIGITS),
        "low": round(found.low, _DIGITS),
        "high": round(found.high, _DIGITS),
    }


def _by(found: Sequence[ReadOut], key: Callable[[ReadOut], str]) -> dict[str, list[ReadOut]]:
    """The prompts by a property of their questions, in alphabetical order."""
    return {
        name: [one for one in found if key(one) == name] for name in sorted(set(map(key, found)))
    }


def _add_row(table: Table, label: str, found: Sequence[ReadOut]) -> None:
    estimates = estimate([one.scores for one in found])
    tokens = [one.tokens for one in found]
    price = f"{np.mean(tokens):,.0f} ({np.percentile(tokens, 95):,.0f})" if tokens else "-"
    cells = [
        f"{estimates[name].mean:.3f} [{estimates[name].low:.3f} {estimates[name].high:.3f}]"
        if name in estimates
        else "-"
        for name in SHOWN
    ]
    table.add_row(label, str(len(found)), price, *cells)
