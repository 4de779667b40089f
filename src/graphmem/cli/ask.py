"""`graphmem ask`: what a memory has to say to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import (
    TENANT,
    ConfigFile,
    DatabaseUrl,
    DataDir,
    Json,
    Memory,
    Tenant,
    load_config,
)
from graphmem.cli.output import print_json, printable, show
from graphmem.cli.prepare import AskedAt, Options, Question
from graphmem.errors import ChatError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.table import Table

    from graphmem.domain.answer import Answer
    from graphmem.domain.hit import Reranked
    from graphmem.domain.prepared import Evidence, Prepared, PrepareTrace, Usage


def ask(
    memory: Memory,
    question: Question,
    option: Options = None,
    asked_at: AskedAt = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show how the question was read, and each channel's share."),
    ] = False,
    no_answer: Annotated[
        bool, typer.Option("--no-answer", help="Show the evidence alone; no model is asked.")
    ] = False,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Print the evidence that a model would read and, where the settings enable it, its answer.

    It works beside a running server. Answers come with generate_answers in the settings file.
    """
    from graphmem.service.memory import MemoryService

    def told_by(call: Callable[..., Answer | Prepared]) -> Answer | Prepared:
        return call(
            tenant, memory, question, options=option or (), asked_at=asked_at, explain=explain
        )

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        is_answered = service.config.generate_answers and not no_answer
        try:
            told = told_by(service.answer if is_answered else service.prepare)
        except ChatError:
            if not json:  # the evidence is worth reading without the model, too
                _show(told_by(service.prepare), explain=explain)
            raise
    if json:
        print_json(told.to_dict())
    else:
        _show(told, explain=explain)


def _show(told: Answer | Prepared, *, explain: bool) -> None:
    from graphmem.domain.answer import Answer

    if isinstance(told, Answer):
        reading = _reading(told.trace.prepare, told.usage.prompt)
    else:
        reading = _reading(told.trace, told.usage)
    if explain:
        typer.echo(printable(reading))
    _show_evidence(told.evidence)
    if isinstance(told, Answer):
        _show_answer(told)


def _show_evidence(evidence: Sequence[Evidence]) -> None:
    if evidence:
        show(_table(evidence))
    else:
        typer.echo("no evidence found")


def _show_answer(answer: Answer) -> None:
    typer.echo()
    for line in answer.text.split("\n"):
        typer.echo(printable(line))
    usage, trace = answer.usage, answer.trace
    invented = f"; taken out, not in the evidence: {', '.join(trace.invented)}"
    cut = {"length": "; cut off at max_output_tokens", "content_filter": "; cut off by its filter"}
    typer.echo(
        f"({printable(trace.model)}: {usage.prompt_tokens} + {usage.answer_tokens} tokens"
        f"{cut.get(trace.finish, '')}{invented if trace.invented else ''})"
        if usage.model_calls
        else "(no model was asked)"
    )


def _reading(trace: PrepareTrace, usage: Usage) -> str:
    question, readout = trace.question, trace.optimized_readout
    people = f"; people: {', '.join(question.people)}" if question.people else ""
    dates = "".join(f"; {text}: {date.text()}" for text, date in trace.retrieval.dates)
    labels = "".join(f", {label}" for label in question.labels)
    fallback = " (fallback)" if readout.fallback else ""
    return (
        f"read as {question.kind}{labels}, asks for: {question.answer}{people}{dates}\n"
        f"{usage.turns} turns, {usage.prompt_tokens} tokens ({usage.tokenizer}), "
        f"{readout.used}{fallback}{_reranked(trace.retrieval.reranked)}"
    )


def _reranked(did: Reranked | None) -> str:
    if did is None:
        return ""
    if did.failure is not None:
        return f"; not reordered by {did.model} ({did.failure})"
    return f"; the first {did.turns} reordered by {did.model}" if did.turns else ""


def _table(evidence: Sequence[Evidence]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("id", no_wrap=True)
    table.add_column("date", no_wrap=True)
    table.add_column("speaker")
    table.add_column("text", overflow="fold")
    for one in evidence:
        table.add_row(
            one.id,
            one.event_time[:10] if one.event_time else "-",
            printable(one.speaker or one.role),
            printable(_text(one)),
        )
    return table


def _text(one: Evidence) -> str:
    if not one.shares:
        return one.text
    shares = ", ".join(f"{name} {share:.3f}" for name, share in one.shares.items())
    return f"{one.text}\n({shares})"
