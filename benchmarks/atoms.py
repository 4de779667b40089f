"""Measures what atoms cost: adds to memories of two sizes, and searches with and without filters.

    python benchmarks/atoms.py            writes benchmarks/reports/atoms.json

No embedding model takes part. Every figure is a median; an add is durable and searchable when it
returns. Run it on an otherwise idle machine.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from graphmem.bench.chatter import chatter
from graphmem.bench.machine import machine_facts
from graphmem.config import ServiceConfig
from graphmem.domain.atom_query import NewAtom
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService

REPORT = Path(__file__).resolve().parent / "reports" / "atoms.json"
BATCH = 20
SMALL, BIG = 200, 20_000
ADDS = 60
ATOMS = 100_000
QUERIES = 100


def main() -> int:
    config = ServiceConfig(dense_retrieval=False)
    report: dict[str, object] = {"machine": machine_facts()}
    with (
        tempfile.TemporaryDirectory() as directory,
        MemoryService.open(config=config, data_dir=directory) as service,
    ):
        report |= adds(service)
        report |= searches(service)
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))
    return 0


def adds(service: MemoryService) -> dict[str, object]:
    """An add of 20 turns to a small and to a big memory, in turns, and the speed of filling."""
    began = time.perf_counter()
    fill(service, "big", BIG)
    seconds = time.perf_counter() - began
    fill(service, "small", SMALL)
    times: dict[str, list[float]] = {"small": [], "big": []}
    for number in range(ADDS):
        for memory, taken in times.items():
            if memory == "small" and number % 10 == 9:
                service.delete_memory("bench", "small")  # so that it stays small
                fill(service, "small", SMALL)
            batch = messages(BATCH, 10_000 + number)
            service.search_atoms("bench", memory, "garden")
            taken.append(timed(lambda m=memory, b=batch: service.add("bench", m, "later", b)))
    small, big = (statistics.median(times[name]) for name in ("small", "big"))
    return {
        "fill_turns_per_second": round(BIG / seconds, 1),
        "add_20_to_200_turns_ms": round(small * 1000, 2),
        "add_20_to_20000_turns_ms": round(big * 1000, 2),
        "add_ratio": round(big / small, 3),
    }


def searches(service: MemoryService) -> dict[str, object]:
    """Searches over 100,000 atoms, with conditions and without; and the first one of all."""
    kinds = ("persona", "instruction", "episodic")
    texts = [item.content for item in messages(ATOMS // 10, 77)]
    for start in range(0, ATOMS, 100):
        items = [
            NewAtom(
                content=f"{texts[n % len(texts)][:200]} {n}",
                type=kinds[n % 3],  # type: ignore[arg-type]
            )
            for n in range(start, start + 100)
        ]
        service.create_atoms("bench", "atoms", items)
    cold = timed(lambda: service.search_atoms("bench", "atoms", "the garden in spring"))
    page = service.query_atoms("bench", "atoms", limit=1, offset=ATOMS // 2).items[0]
    middle = page.to_dict()["updated_at"]
    queries = [text[:80] for text in texts[:QUERIES]]
    filters: dict[str, dict[str, object]] = {
        "none": {},
        "type": {"type": "instruction"},
        "time": {"time_start": middle},
        "type_and_time": {"type": "persona", "time_start": middle},
        "all_that_is_rare": {"type": "persona", "time_end": "2000-01-01"},
    }
    found = {name: p50(service, queries, chosen) for name, chosen in filters.items()}
    return {"atoms": ATOMS, "cold_search_ms": round(cold * 1000, 1), "search_p50_ms": found}


def p50(service: MemoryService, queries: Sequence[str], chosen: dict[str, object]) -> float:
    taken = [
        timed(lambda q=query: service.search_atoms("bench", "atoms", q, limit=10, **chosen))  # type: ignore[arg-type]
        for query in queries
    ]
    return round(statistics.median(taken) * 1000, 2)


def fill(service: MemoryService, memory: str, turns: int) -> None:
    said = messages(turns, 1)
    for start in range(0, turns, BATCH):
        service.add("bench", memory, f"s{start // 200}", said[start : start + BATCH])


def messages(count: int, seed: int) -> list[Message]:
    return [message for _, message in chatter(count, seed=seed)]


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
