"""`graphmem serve`: the HTTP service."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from graphmem.cli.options import ConfigFile, DataDir, load_config


def serve(
    data_dir: DataDir = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=65535,
            help="TCP port, 0 for a free one; 8420 unless set.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to bind; beyond loopback only with a key or --insecure.",
            show_default=False,
        ),
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Requests of /v1 that may be in at once; 16 unless set.",
            show_default=False,
        ),
    ] = None,
    config: ConfigFile = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Serve beyond loopback without a key.")
    ] = False,
    reembed: Annotated[
        bool,
        typer.Option(
            "--reembed", help="Meanwhile move all memories to the embedding model in force."
        ),
    ] = False,
) -> None:
    """Serve the memories over HTTP until interrupted (what `graphmem` alone does too)."""
    from graphmem.server.run import serve as run

    settings = load_config(config, data_dir, host=host, port=port, insecure=insecure)
    if max_requests is not None:
        settings = replace(settings, max_requests=max_requests)

    def announce(url: str) -> None:
        typer.echo(f"graphmem serves {settings.data_dir} at {url} (Ctrl-C stops it)")

    run(settings, on_ready=announce, reembed=reembed)
