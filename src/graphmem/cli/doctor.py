"""`graphmem doctor`: whether this machine and these settings are fit to serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import ConfigFile, DatabaseUrl, DataDir, Json, load_config
from graphmem.cli.output import print_json, show
from graphmem.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.table import Table

    from graphmem.cli.findings import Finding
    from graphmem.config import ServiceConfig


def doctor(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to look at.", show_default=False)
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="Address to look at.", show_default=False)
    ] = None,
    config: ConfigFile = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read every page and message of the database, too.")
    ] = False,
    json: Json = False,
) -> None:
    """Check settings, Python, SQLite, model, data directory, port and key; exit 1 if one fails."""
    from graphmem.cli.checks import run_checks

    settings, found = _settings(config, data_dir, database_url, host=host, port=port)
    findings = [found] if settings is None else [found, *run_checks(settings, deep=deep)]
    healthy = all(finding.state != "fail" for finding in findings)
    if json:
        print_json({"ok": healthy, "checks": [finding.to_dict() for finding in findings]})
    else:
        show(_table(findings))
    if not healthy:
        raise typer.Exit(1)


def _settings(
    file: Path | None,
    data_dir: Path | None,
    database_url: str | None,
    *,
    host: str | None,
    port: int | None,
) -> tuple[ServiceConfig | None, Finding]:
    """The settings, None if they are wrong, and what there is to say about them."""
    from graphmem.cli.findings import Finding
    from graphmem.retrieval.recipe import overridden
    from graphmem.service.scenes.limits import limited

    try:
        config = load_config(file, data_dir, database_url, host=host, port=port)
        overridden(config.runtime_overrides)
        limited(config.build_overrides)
    except ConfigError as error:
        remedy = "correct it; `graphmem init --explain` lists the fields"
        return None, Finding(check="settings", state="fail", detail=str(error), remedy=remedy)
    detail = f"{file} is understood" if file else "the defaults; no file was named"
    return config, Finding(check="settings", state="ok", detail=detail)


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
