"""`graphmem prepare`: the messages with which a chat model answers a question."""

from __future__ import annotations

from typing import Annotated

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
from graphmem.cli.output import print_json, printable

Question = Annotated[str, typer.Argument(help="The question, in English or Chinese.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="An answer option; may be repeated.", show_default=False),
]
AskedAt = Annotated[
    str | None,
    typer.Option(
        help="When the question was asked (ISO 8601); the newest turn's time unless given.",
        show_default=False,
    ),
]


def prepare(
    memory: Memory,
    question: Question,
    option: Options = None,
    asked_at: AskedAt = None,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Print the messages for a chat model, with the evidence in them; works beside a running server."""
    from graphmem.service.memory import MemoryService

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        ready = service.prepare(tenant, memory, question, options=option or (), asked_at=asked_at)
    if json:
        print_json(ready.to_dict())
        return
    for message in ready.messages:
        typer.echo(f"--- {message.role} ---")
        for line in message.content.split("\n"):
            typer.echo(printable(line))
