"""`graphmem rebuild`: makes again what is derived from the turns of a memory, or of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import TENANT, ConfigFile, DatabaseUrl, DataDir, Json, Tenant, load_config
from graphmem.cli.output import print_json, progress

if TYPE_CHECKING:
    from graphmem.cli.remote import Remote
    from graphmem.service.rebuild import RebuildProgress, RebuildReport

    Tell = Callable[[RebuildProgress], None]


def rebuild(
    memory: Annotated[str | None, typer.Argument(help="Memory id, unless --all.")] = None,
    every: Annotated[
        bool, typer.Option("--all", help="All memories of all tenants that need it.")
    ] = False,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Bring memories up to the settings: after another embedding model, or another release.

    MEMORY gets its index and its atoms anew, and the vectors that it lacks; --all leaves out what is
    up to date. Interrupt it freely: run again, it goes on. Beside a running server MEMORY is rebuilt
    by it.
    """
    from graphmem.cli.remote import Remote, open_writer

    if (memory is None) == (not every):
        raise typer.BadParameter("give either MEMORY or --all", param_hint="MEMORY")
    with open_writer(load_config(config, data_dir, database_url)) as writer:
        if isinstance(writer, Remote):
            report = _ask(writer, tenant, memory)
        elif memory is None:
            report = watched(lambda tell: writer.rebuild_all(progress=tell))
        else:
            report = watched(lambda tell: writer.rebuild(tenant, memory, progress=tell))
    if json:
        print_json(report.to_dict())
    else:
        _show(report)


def _ask(remote: Remote, tenant: str, memory: str | None) -> RebuildReport:
    """Let the server rebuild a memory."""
    from graphmem.cli.answers import read_rebuild

    if memory is None:
        raise remote.refuse_all()
    body = {"memory_id": memory}
    answer = remote.post("/v1/rebuild", body, tenant_id=tenant, is_repeatable=True)
    return read_rebuild(answer, remote.address)


def watched(run: Callable[[Tell], RebuildReport]) -> RebuildReport:
    """Run it with progress bars, and say what an interruption leaves behind."""
    with progress() as bars:
        memories = bars.add_task("memories", total=None)
        turns = bars.add_task("turns embedded", total=None)

        def tell(now: RebuildProgress) -> None:
            bars.update(memories, completed=now.memories_done, total=now.memories)
            bars.update(turns, completed=now.turns_done)

        try:
            return run(tell)
        except KeyboardInterrupt:
            typer.echo(
                "graphmem: interrupted; what is done stays done, run it again to go on", err=True
            )
            raise


def _show(report: RebuildReport) -> None:
    typer.echo(
        f"indexes made anew: {report.reindexed}; atoms made anew: {report.remade}; turns embedded: {report.turns}; "
        f"memories looked at: {report.memories}"
    )
    if report.refused:
        typer.echo(f"turns that the model refused, whose memories stay pending: {report.refused}")
