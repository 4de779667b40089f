"""`graphmem status`: what a memory holds, or which memories there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import TENANT, ConfigFile, DatabaseUrl, DataDir, Json, Tenant, load_config
from graphmem.cli.output import print_json, printable, show
from graphmem.cli.paging import all_memories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from graphmem.domain.receipt import MemoryStatus


def status(
    memory: Annotated[str | None, typer.Argument(help="Memory id; all memories without.")] = None,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Show one memory, or list the tenant's; works beside a running server.

    `embedded` turns have a vector of the model in the settings, `waiting` ones get it later.
    """
    from graphmem.service.memory import MemoryService

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        if memory is not None:
            found = [service.status(tenant, memory)]
        else:
            found = list(all_memories(service, tenant))
    if json:
        values = [item.to_dict() for item in found]
        print_json({"memories": values} if memory is None else values[0])
    elif found:
        show(_table(found))
    else:
        typer.echo(printable(f"tenant {tenant} has no memories here"))


def _table(found: Sequence[MemoryStatus]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("memory", overflow="fold")
    for name in ("turns", "embedded", "waiting", "sessions", "KiB", "version"):
        table.add_column(name, justify="right")
    table.add_column("state")
    table.add_column("updated", no_wrap=True)
    for item in found:
        table.add_row(
            printable(item.memory_id),
            str(item.turns),
            str(item.embedded_turns),
            str(item.waiting_turns),
            str(item.sessions),
            f"{item.content_bytes / 1024:.1f}",
            str(item.version),
            "rebuild" if item.needs_rebuild else item.state,
            item.updated_at,
        )
    return table
