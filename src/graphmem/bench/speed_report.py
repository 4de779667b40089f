"""The report of a speed run: one JSON object, the same figures as a table for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.embedders import NONE
from graphmem.bench.speed import BATCH, LIMIT, Speed


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedReport:
    """All sizes of one run of `bench speed`, and the machine they were measured on.

    Attributes:
        embedder: the model that adds and searches used; `none`: their times hold no embedding.
    """

    machine: Mapping[str, object]
    runs: Sequence[Speed]
    embedder: str = NONE

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; times in seconds."""
        return {
            "machine": dict(self.machine),
            "batch": BATCH,
            "limit": LIMIT,
            "embedder": self.embedder,
            "runs": [_run(run) for run in self.runs],
            "version": __version__,
        }

    def tables(self) -> Group:
        """The report for a terminal."""
        facts = ", ".join(f"{name} {value}" for name, value in self.machine.items())
        table = Table(
            title=f"adds of {BATCH} turns, searches for {LIMIT} hits",
            caption="ratio: an add here against one to a memory of 100 turns; " + self._embedding(),
        )
        for name in ("turns", "turns/s", "add p50", "p95", "ratio", "search p50", "p95", "cold"):
            table.add_column(name, justify="right")
        table.add_column("resident", justify="right")
        for run in self.runs:
            table.add_row(
                f"{run.turns:,}",
                f"{run.turns / run.add_seconds:,.0f}",
                _ms(run.add_p50),
                _ms(run.add_p95),
                f"{run.add_ratio:.2f}",
                _ms(run.search_p50),
                _ms(run.search_p95),
                _ms(run.cold_search),
                "-" if run.resident_mib is None else f"{run.resident_mib:.0f} MiB",
            )
        return Group(table, facts)

    def _embedding(self) -> str:
        if self.embedder == NONE:
            return "without embedding"
        return f"embedding with {self.embedder} included"


def _run(run: Speed) -> dict[str, object]:
    return {
        "turns": run.turns,
        "queries": run.queries,
        "add": {
            "turns_per_second": round(run.turns / run.add_seconds, 1),
            "seconds": round(run.add_seconds, 3),
            "p50": round(run.add_p50, 6),
            "p95": round(run.add_p95, 6),
            "ratio": round(run.add_ratio, 3),
        },
        "search": {
            "cold": round(run.cold_search, 6),
            "p50": round(run.search_p50, 6),
            "p95": round(run.search_p95, 6),
        },
        "resident_mib": None if run.resident_mib is None else round(run.resident_mib, 1),
    }


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"
