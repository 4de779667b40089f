"""`graphmem serve`: the HTTP service."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated, Literal

import typer

from graphmem.cli.options import ConfigFile, DatabaseUrl, DataDir, Json, load_config
from graphmem.cli.output import print_json

MaxRequests = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=1000,
        help="Requests of /v1 that may be in at once; 16 unless set.",
        show_default=False,
    ),
]
LogFormat = Annotated[
    Literal["text", "json"] | None,
    typer.Option(help="How the log on stderr is written.", show_default=False),
]
LogLevel = Annotated[
    Literal["debug", "info", "warning", "error"] | None,
    typer.Option(help="The least that is logged.", show_default=False),
]
Tracing = Annotated[
    bool, typer.Option("--tracing", help="Send OpenTelemetry spans (extra `otel`).")
]


def serve(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
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
    max_requests: MaxRequests = None,
    config: ConfigFile = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Serve beyond loopback without a key.")
    ] = False,
    log_format: LogFormat = None,
    log_level: LogLevel = None,
    tracing: Tracing = False,
    reembed: Annotated[
        bool,
        typer.Option(
            "--reembed", help="Meanwhile move all memories to the embedding model in force."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Serve the memories over HTTP until interrupted (what `graphmem` alone does too)."""
    from graphmem.server.logs import configure_logging
    from graphmem.server.run import serve as run

    settings = load_config(config, data_dir, database_url, host=host, port=port, insecure=insecure)
    if max_requests is not None:
        settings = replace(settings, max_requests=max_requests)
    settings = replace(
        settings,
        log_format=log_format or settings.log_format,
        log_level=log_level or settings.log_level,
        tracing=tracing or settings.tracing,
    )
    configure_logging(settings.log_format, settings.log_level)

    def announce(url: str) -> None:
        if json:
            print_json({"place": settings.place, "url": url})
        else:
            typer.echo(f"graphmem serves {settings.place} at {url} (Ctrl-C stops it)")
        sys.stdout.flush()

    run(settings, on_ready=announce, reembed=reembed)
