"""Options that several commands share, and the settings they add up to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.domain.scope import DEFAULT_TENANT

if TYPE_CHECKING:
    from graphmem.config import ServiceConfig

# Typer would refuse unreadable paths as wrong usage, in the middle of a doctor's findings.
DataDir = Annotated[
    Path | None,
    typer.Option(
        help="Directory that holds the memories; wins over the settings file.",
        show_default=False,
        readable=False,
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        help="PostgreSQL database that holds the memories instead, postgresql://user@host/database, "
        "without its password (PGPASSWORD).",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", help="Settings file (JSON).", show_default=False, readable=False),
]
Tenant = Annotated[str, typer.Option(help="Tenant that the memory belongs to.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for machines.")]
Memory = Annotated[str, typer.Argument(help="Memory id, such as the id of a user.")]

TENANT = DEFAULT_TENANT


def load_config(
    file: Path | None,
    data_dir: Path | None,
    database_url: str | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
    insecure: bool = False,
) -> ServiceConfig:
    """The settings file with the options laid over it; `data_dir` is relative to here.

    A place that an option names wins over both that the file may name.

    Raises:
        ConfigError: the file can't be read or holds a wrong setting.
    """
    from graphmem.config import ServiceConfig, placed

    config = placed(ServiceConfig.load(file), data_dir=data_dir, database_url=database_url)
    return replace(
        config,
        host=config.host if host is None else host,
        port=config.port if port is None else port,
        insecure=config.insecure or insecure,
    )


def without_chat(config: ServiceConfig) -> ServiceConfig:
    """Settings for what needs neither chat and reranking models nor a tokenizer: none stands in the way."""
    return replace(
        config,
        llm_model="",
        llm_base_url="",
        tokenizer_path="",
        generate_answers=False,
        rerank_model="",
    )


def without_models(config: ServiceConfig) -> ServiceConfig:
    """Settings for what needs no model at all."""
    return replace(without_chat(config), dense_retrieval=False)
