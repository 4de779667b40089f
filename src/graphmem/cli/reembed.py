"""`graphmem reembed`: moves all memories to the embedding model in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from graphmem.cli.options import ConfigFile, DatabaseUrl, DataDir, Json, load_config
from graphmem.cli.output import print_json
from graphmem.cli.rebuild import watched

if TYPE_CHECKING:
    from graphmem.service.rebuild import RebuildReport


def reembed(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Give every turn a vector of the model in the settings, and drop those of other models.

    Turns that have one already cost nothing. Interrupt it freely: run again, it goes on.
    """
    from graphmem.cli.remote import Remote, open_writer

    with open_writer(load_config(config, data_dir, database_url)) as writer:
        if isinstance(writer, Remote):
            raise writer.refuse_all()
        report = watched(lambda tell: writer.reembed(progress=tell))
    if json:
        print_json(report.to_dict())
    else:
        _show(report)


def _show(report: RebuildReport) -> None:
    typer.echo(f"turns embedded: {report.turns}; memories looked at: {report.memories}")
    if report.refused:
        typer.echo(f"turns that the model refused, found by words only: {report.refused}")
