"""`graphmem export` and `graphmem import`: memories as JSON Lines, out and in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import (
    ConfigFile,
    DatabaseUrl,
    DataDir,
    Json,
    load_config,
    without_models,
)
from graphmem.cli.output import print_json, progress

if TYPE_CHECKING:
    from graphmem.domain.exchange import ExchangeProgress
    from graphmem.service.portable import TellExchange

_STANDARD = Path("-")
Tenant = Annotated[
    str | None, typer.Option(help="Only this tenant's memories.", show_default=False)
]
Memory = Annotated[
    str | None, typer.Option(help="Only the memory with this id.", show_default=False)
]


def export(
    path: Annotated[
        Path, typer.Argument(help="The file to make, or - for stdout.", readable=False)
    ],
    tenant: Tenant = None,
    memory: Memory = None,
    no_vectors: Annotated[
        bool, typer.Option("--no-vectors", help="Leave vectors out: smaller, made anew on import.")
    ] = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Write memories as JSON Lines; works beside a running server. Keys are not in it."""
    from graphmem.service.memory import MemoryService

    if json and path == _STANDARD:
        raise typer.BadParameter("stdout can't take both", param_hint="--json")
    settings = without_models(load_config(config, data_dir, database_url))
    with MemoryService.open(config=settings, read_only=True) as service, _bars() as tell:
        report = service.export(
            sys.stdout.buffer if path == _STANDARD else path,
            tenant_id=tenant,
            memory_id=memory,
            vectors=not no_vectors,
            progress=tell,
        )
    if json:
        print_json(report.to_dict())
    else:
        said = f"exported {report.turns} turns of {report.memories} memories"
        typer.echo(said, err=path == _STANDARD)


def import_(
    path: Annotated[
        Path, typer.Argument(help="A file of `graphmem export`, or - for stdin.", readable=False)
    ],
    tenant: Tenant = None,
    memory: Memory = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Bring in memories of an export; no server may hold the directory.

    Each comes in whole or not at all. Interrupt it freely: run again, it goes on.
    """
    from graphmem.errors import InvalidInputError
    from graphmem.service.memory import MemoryService

    if path != _STANDARD and not path.is_file():  # before a data directory is made for nothing
        raise InvalidInputError("path", f"can't read {path}: there is no such file")
    with (
        MemoryService.open(config=load_config(config, data_dir, database_url)) as service,
        _bars() as tell,
    ):
        report = service.import_(
            sys.stdin.buffer if path == _STANDARD else path,
            tenant_id=tenant,
            memory_id=memory,
            progress=tell,
        )
    if json:
        print_json(report.to_dict())
        return
    said = f"imported {report.turns} turns; memories: {report.imported} new"
    for count, what in (
        (report.unchanged, "here already"),
        (report.skipped, "not asked for"),
        (report.pending, "still without vectors, which a server or `graphmem rebuild` makes"),
    ):
        said += f", {count} {what}" if count else ""
    typer.echo(said)


@contextmanager
def _bars() -> Iterator[TellExchange]:
    with progress() as bars:
        memories = bars.add_task("memories", total=None)
        turns = bars.add_task("turns", total=None)

        def tell(now: ExchangeProgress) -> None:
            bars.update(memories, completed=now.memories)
            bars.update(turns, completed=now.turns)

        yield tell
