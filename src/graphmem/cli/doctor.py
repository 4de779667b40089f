"""`graphmem doctor`: whether this machine and these settings are fit to serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import ConfigFile, DataDir, Json, load_config
from graphmem.cli.output import print_json, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from graphmem.cli.findings import Finding


def doctor(
    data_dir: DataDir = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to look at.", show_default=False)
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Address to look at.", show_default=False)
    ] = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Check Python, SQLite, model, data directory, port and key; exit 1 if one fails."""
    from graphmem.cli.checks import run_checks

    findings = run_checks(load_config(config, data_dir, host=host, port=port))
    healthy = all(finding.state != "fail" for finding in findings)
    if json:
        print_json({"ok": healthy, "checks": [finding.to_dict() for finding in findings]})
    else:
        show(_table(findings))
    if not healthy:
        raise typer.Exit(1)


def _table(findings: Sequence[Finding]) -> Table:
    from rich.table import Table

    colours = {"ok": "green", "warn": "yellow", "fail": "red"}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        remedy = f"\n-> {finding.remedy}" if finding.remedy else ""
        table.add_row(
            finding.state,
            finding.check,
            finding.detail + remedy,
            style=None if finding.state == "ok" else colours[finding.state],
        )
    return table
