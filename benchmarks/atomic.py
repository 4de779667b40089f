"""Measures whether a search of atoms by type and time is slower than one without conditions.

    python benchmarks/atomic.py [ATOMS]      100,000 atoms by default

The four kinds of search take turns, query by query, so that a busy machine hits all of them alike.
It leaves benchmarks/reports/atomic.json, and fails if a condition costs more than `SLACK`.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ATOMIC

REPORT = Path(__file__).resolve().parent / "reports" / "atomic.json"
ATOMS = 100_000
QUERIES = 300
BATCH = 100
SLACK = 1.05  # of the median; what two runs of the same search differ by on a quiet machine
START = datetime(2024, 1, 1, tzinfo=UTC)
THINGS = [
    f"{a}{b}"
    for a in ["apple", "pear", "tea", "cello", "garden", "river", "paper", "window", "train", "cup"]
    for b in range(50)
]
SAYINGS = ("I love {0} and {1}.", "I bought {0} near {1} yesterday.", "Always put {0} before {1}.")


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else ATOMS
    chance = random.Random(7)  # noqa: S311 - made-up sentences
    config = ServiceConfig(dense_retrieval=False)
    with (
        tempfile.TemporaryDirectory(prefix="graphmem-atomic-") as directory,
        MemoryService.open(data_dir=directory, config=config) as service,
    ):
        fill(service, count, chance)
        held = service.count_atoms("t", "m")
        report = measure(service, count, chance) | {"atoms": held}
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))
    plain = report["p50_ms"]["none"]
    return int(any(taken > plain * SLACK for taken in report["p50_ms"].values()))


def fill(service: MemoryService, count: int, chance: random.Random) -> None:
    """Say so many different things, one a minute."""
    for first in range(0, count, BATCH):
        messages = [
            Message(
                role="user",
                content=chance.choice(SAYINGS).format(chance.choice(THINGS), f"number {number}"),
                timestamp=(START + timedelta(minutes=number)).isoformat(),
            )
            for number in range(first, min(first + BATCH, count))
        ]
        service.add("t", "m", f"s{first // 1000}", messages, policy=ATOMIC)


def measure(service: MemoryService, count: int, chance: random.Random) -> dict[str, Any]:
    """Median and 95th percentile of each kind of search."""
    middle = {
        "time_start": (START + timedelta(minutes=count // 4)).isoformat(),
        "time_end": (START + timedelta(minutes=count // 2)).isoformat(),
    }
    narrow = {
        "time_start": (START + timedelta(minutes=count // 2)).isoformat(),
        "time_end": (START + timedelta(minutes=count // 2 + 10)).isoformat(),
    }
    kinds: dict[str, dict[str, Any]] = {
        "none": {},
        "type": {"type": "persona"},
        "time": middle,
        "type and time": {"type": "persona", **middle},
        "type and ten minutes": {"type": "persona", **narrow},
    }
    taken: dict[str, list[float]] = {name: [] for name in kinds}
    service.search_atoms("t", "m", "warm up")
    for _ in range(QUERIES):
        query = f"{chance.choice(THINGS)} and {chance.choice(THINGS)} number"
        for name in chance.sample(list(kinds), len(kinds)):
            began = time.perf_counter()
            service.search_atoms("t", "m", query, limit=10, **kinds[name])
            taken[name].append((time.perf_counter() - began) * 1000)
    return {
        "queries": QUERIES,
        "p50_ms": {name: round(statistics.median(times), 2) for name, times in taken.items()},
        "p95_ms": {
            name: round(statistics.quantiles(times, n=20)[-1], 2) for name, times in taken.items()
        },
    }


if __name__ == "__main__":
    sys.exit(main())
