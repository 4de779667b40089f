"""`graphmem ask`: what a memory has to say to a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import TENANT, ConfigFile, DataDir, Json, Memory, Tenant
from graphmem.cli.output import print_json, printable, show
from graphmem.cli.prepare import AskedAt, Options, Question, prepared

if TYPE_CHECKING:
    from rich.table import Table

    from graphmem.domain.prepared import Evidence, Prepared


def ask(
    memory: Memory,
    question: Question,
    option: Options = None,
    asked_at: AskedAt = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show how the question was read, and each channel's share."),
    ] = False,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Print the evidence that a model would read, in its order; works beside a running server."""
    ready = prepared(
        memory,
        question,
        option,
        asked_at,
        tenant=tenant,
        data_dir=data_dir,
        config=config,
        explain=explain,
    )
    if json:
        print_json(ready.to_dict())
        return
    if explain:
        typer.echo(printable(_reading(ready)))
    if ready.evidence:
        show(_table(ready))
    else:
        typer.echo("no evidence found")


def _reading(ready: Prepared) -> str:
    question, usage = ready.trace.question, ready.usage
    readout = ready.trace.optimized_readout
    people = f"; people: {', '.join(question.people)}" if question.people else ""
    dates = "".join(f"; {text}: {date.text()}" for text, date in ready.trace.retrieval.dates)
    labels = "".join(f", {label}" for label in question.labels)
    fallback = " (fallback)" if readout.fallback else ""
    return (
        f"read as {question.kind}{labels}, asks for: {question.answer}{people}{dates}\n"
        f"{usage.turns} turns, {usage.prompt_tokens} tokens ({usage.tokenizer}), "
        f"{readout.used}{fallback}"
    )


def _table(ready: Prepared) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("id", no_wrap=True)
    table.add_column("date", no_wrap=True)
    table.add_column("speaker")
    table.add_column("text", overflow="fold")
    for one in ready.evidence:
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
