"""`graphmem bench answer`: questions end to end, with a model that answers and one that judges."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.bench import EmbedderName, EvidenceFile, loaded
from graphmem.cli.options import ConfigFile, Json
from graphmem.cli.output import print_json, show

if TYPE_CHECKING:
    from graphmem.bench.answer import Run
    from graphmem.bench.answer_plan import Plan, Sheet
    from graphmem.bench.answer_report import AnswerReport

Results = Annotated[
    Path | None,
    typer.Option(
        help="Where answers and verdicts are kept, to go on with; FILE.answers.jsonl in the "
        "current directory unless given.",
        show_default=False,
    ),
]
Model = Annotated[
    str | None,
    typer.Option(help="The model that answers; wins over the settings.", show_default=False),
]
Url = Annotated[
    str | None,
    typer.Option(help="Its OpenAI-compatible API; wins over the settings.", show_default=False),
]
KeyVariable = Annotated[
    str | None,
    typer.Option(help="The environment variable that holds its key.", show_default=False),
]
JudgeModel = Annotated[
    str | None,
    typer.Option(help="The model that judges; the same unless given.", show_default=False),
]
JudgeUrl = Annotated[
    str | None,
    typer.Option(help="Its OpenAI-compatible API; the same unless given.", show_default=False),
]
Concurrency = Annotated[int, typer.Option(min=1, max=64, help="Questions under way at once.")]
Limit = Annotated[
    int | None,
    typer.Option(min=1, help="Only the first so many questions of a memory.", show_default=False),
]
Money = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="IN OUT",
        help="Money for a million tokens of prompts, and of answers.",
        show_default=False,
    ),
]


def answer(
    file: EvidenceFile,
    results: Results = None,
    config: ConfigFile = None,
    model: Model = None,
    base_url: Url = None,
    api_key_env: KeyVariable = None,
    judge_model: JudgeModel = None,
    judge_base_url: JudgeUrl = None,
    judge_api_key_env: KeyVariable = None,
    embedder: EmbedderName = None,
    concurrency: Concurrency = 4,
    limit: Limit = None,
    price: Money = None,
    judge_price: Money = None,
    json: Json = False,
) -> None:
    """Let a model answer every question from memory and another judge it; run again to go on.

    Costs money where the models do. Exit 1 if questions are left without a verdict.
    """
    from graphmem.bench.answer_plan import Plan, opened
    from graphmem.bench.answer_report import AnswerReport, Price
    from graphmem.bench.datasets import load
    from graphmem.bench.embedders import Embedding, choose, default_cache
    from graphmem.config import ServiceConfig, answered_by

    evidence = load(file)
    embedding = Embedding(name=choose(embedder), cache=default_cache())
    answering = answered_by(
        embedding.applied_to(ServiceConfig.load(config)),
        model=model,
        base_url=base_url,
        api_key_env=api_key_env,
    )
    plan = Plan(
        evidence=evidence,
        embedding=embedding,
        answering=answering,
        judging=answered_by(
            answering, model=judge_model, base_url=judge_base_url, api_key_env=judge_api_key_env
        ),
        results=results or Path(f"{file.name}.answers.jsonl"),
        limit=limit,
        concurrency=concurrency,
    )
    paid = Price(*price) if price else None
    with opened(plan) as sheet:
        report = AnswerReport(
            header=sheet.header,
            tasks=sheet.tasks,
            results=sheet.file.results,
            run=_carried_out(plan, sheet),
            price=paid,
            judge_price=Price(*judge_price) if judge_price else paid,
        )
    _show(report, as_json=json)
    if not report.is_whole:
        raise typer.Exit(1)


def _show(report: AnswerReport, *, as_json: bool) -> None:
    if as_json:
        print_json(report.to_dict())
    else:
        show(*report.parts())


def _carried_out(plan: Plan, sheet: Sheet) -> Run:
    from graphmem.bench.answer import Run, left_of, run

    left = left_of(sheet.tasks, sheet.file)
    if not left:  # nothing to pay for, and nothing to wait for
        return Run()
    with loaded(plan.evidence, plan.embedding, questions=len(left), config=plan.answering) as (
        bench,
        step,
    ):
        return run(
            bench,
            sheet.judge,
            left,
            sheet.file,
            concurrency=plan.concurrency,
            step=lambda: step("ask"),
        )
