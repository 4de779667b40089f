"""`graphmem bench`: measures retrieval quality and speed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import Json
from graphmem.cli.output import print_json, progress, show

if TYPE_CHECKING:
    from graphmem.bench.evidence import EvidenceSet
    from graphmem.bench.report import RetrievalReport

app = typer.Typer(no_args_is_help=True, help="Measure retrieval quality and speed.")


@app.command()
def retrieval(
    file: Annotated[
        Path, typer.Argument(help="Evidence set: ours, original LoCoMo or LongMemEval.")
    ],
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, max=1000, help="A further depth besides 1, 5, 10, 32, 100."),
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Ask again without each channel of the ranking.")
    ] = False,
    embedder: Annotated[str, typer.Option(help="The embedder to use.")] = "none",
    json: Json = False,
) -> None:
    """Measure how much of the evidence retrieval finds, by kind of question."""
    from graphmem.bench.datasets import load
    from graphmem.bench.embedders import check_embedder
    from graphmem.bench.metrics import DEFAULT_DEPTHS

    check_embedder(embedder)
    depths = sorted({*DEFAULT_DEPTHS, *(k or ())})
    report = _run_retrieval(load(file), depths, embedder, ablate=ablate)
    if json:
        print_json(report.to_dict())
    else:
        show(report.tables())


def _run_retrieval(
    evidence: EvidenceSet, depths: list[int], embedder: str, *, ablate: bool
) -> RetrievalReport:
    from graphmem.bench import retrieval as runner
    from graphmem.bench.ablation import ablate as compare
    from graphmem.bench.report import RetrievalReport
    from graphmem.retrieval.recipe import ABLATIONS

    rounds = 1 + (len(ABLATIONS) if ablate else 0)
    with progress() as bars:
        tasks = {
            "add": bars.add_task("sessions", total=sum(len(m.sessions) for m in evidence.memories)),
            "ask": bars.add_task("questions", total=runner.count_scored(evidence) * rounds),
        }

        def step(stage: str) -> None:
            bars.advance(tasks[stage])

        with runner.loaded(evidence, step=step) as bench:
            outcomes = runner.ask(bench, depths=depths, step=step)
            changes = compare(bench, outcomes, depths=depths, step=step) if ablate else None
    return RetrievalReport(
        evidence=evidence,
        outcomes=outcomes,
        depths=depths,
        add_seconds=bench.add_seconds,
        embedder=embedder,
        ablation=changes,
    )


@app.command()
def speed(
    size: Annotated[
        list[int] | None,
        typer.Option(min=100, help="Turns in the memory; 1000 and 10000 unless given."),
    ] = None,
    queries: Annotated[int, typer.Option(min=1, help="Distinct queries for each size.")] = 200,
    json: Json = False,
) -> None:
    """Measure adds and searches on made-up English and Chinese conversations."""
    from graphmem.bench import speed as runner
    from graphmem.bench.machine import machine_facts
    from graphmem.bench.speed_report import SpeedReport

    sizes = size or list(runner.DEFAULT_SIZES)
    with progress() as bars:
        task = bars.add_task("turns and queries", total=sum(sizes) + queries * len(sizes))
        runs = [
            runner.measure(turns, queries=queries, step=lambda done: bars.advance(task, done))
            for turns in sizes
        ]
    report = SpeedReport(machine=machine_facts(), runs=runs)
    if json:
        print_json(report.to_dict())
    else:
        show(report.tables())
