"""`graphmem search`: finds the evidence for a question."""

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

if TYPE_CHECKING:
    from rich.table import Table

    from graphmem.domain.hit import Hit, Retrieval


def search(
    memory: Memory,
    query: Annotated[str, typer.Argument(help="The question, in English or Chinese.")],
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most hits to show.")] = 10,
    tenant: Tenant = TENANT,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each channel gave to each score.")
    ] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Find the turns that answer a question, best first; works beside a running server."""
    from graphmem.service.memory import MemoryService

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        found = service.retrieve(tenant, memory, query, limit=limit, explain=explain)
    if json:
        print_json(found.to_dict())
    elif found.hits:
        show(_table(found))
    else:
        typer.echo("nothing found")


def _table(found: Retrieval) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("date", no_wrap=True)
    table.add_column("speaker")
    table.add_column("text", overflow="fold")
    for hit in found.hits:
        table.add_row(
            f"{hit.score:.3f}",
            hit.occurred.stamp() if hit.occurred else "-",
            printable(hit.speaker or hit.role),
            printable(_text(hit)),
        )
    return table


def _text(hit: Hit) -> str:
    """What was said, its dates resolved, and the shares of its score where they are known."""
    text = hit.text.strip()
    if not hit.shares:
        return text
    shares = ", ".join(f"{name} {share:.3f}" for name, share in hit.shares.items())
    return f"{text}\n({shares})"
