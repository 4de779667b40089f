from __future__ import annotations

import json

from rich.console import Console

from graphmem.bench.machine import machine_facts
from graphmem.bench.speed import measure
from graphmem.bench.speed_report import SpeedReport


def test_a_size_is_measured_and_reported() -> None:
    done: list[int] = []
    run = measure(120, queries=3, step=done.append)
    assert sum(done) == 123
    assert run.add_seconds > 0
    assert run.search_p50 <= run.search_p95
    report = SpeedReport(machine=machine_facts(), runs=[run])
    values = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert values["runs"][0]["turns"] == 120
    assert values["embedder"] == "none"
    assert set(values["machine"]) == {"cpu", "cores", "system", "python", "sqlite"}
    console = Console(width=200)
    with console.capture() as captured:
        console.print(report.tables())
    assert "turns/s" in captured.get()
    assert "without embedding" in captured.get()


def test_an_embedder_takes_part() -> None:
    run = measure(100, queries=1, step=lambda _: None, embedder="fake")
    console = Console(width=200)
    with console.capture() as captured:
        console.print(SpeedReport(machine={}, runs=[run], embedder="fake").tables())
    assert "embedding with fake included" in captured.get()
