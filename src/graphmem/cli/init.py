"""`graphmem init`: a settings file with every field and its default."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from graphmem.cli.options import Json
from graphmem.cli.output import print_json, show
from graphmem.errors import ConfigError

_DEFAULT = Path("memory-service.json")


def init(
    path: Annotated[
        Path, typer.Argument(help="The file to write; it must not exist.", readable=False)
    ] = _DEFAULT,
    explain: Annotated[
        bool, typer.Option("--explain", help="Write nothing; say what each field means.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a settings file that states every field with its default.

    Secrets are in no file: GRAPHMEM_API_KEY, and the variable that embedding_api_key_env names.
    """
    if explain:
        _explain(as_json=as_json)
        return
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(default_settings())
    except FileExistsError as error:
        raise ConfigError("path", f"{path} exists already; choose another name") from error
    except OSError as error:
        raise ConfigError("path", f"can't write {path}: {error.strerror}") from error
    if as_json:
        print_json({"path": str(path)})
        return
    typer.echo(f"wrote {path}; use it with: graphmem serve --config {path}")
    typer.echo("`graphmem init --explain` and docs/configuration.md say what each field means")


def default_settings() -> str:
    """The text of a settings file with every field and its default."""
    from graphmem.config import ServiceConfig
    from graphmem.settings import plain

    return json.dumps(plain(ServiceConfig()), indent=2, ensure_ascii=False) + "\n"


def _explain(*, as_json: bool) -> None:
    from rich.table import Table

    from graphmem.config import ServiceConfig
    from graphmem.settings import describe

    if as_json:
        print_json({"fields": [asdict(field) for field in describe(ServiceConfig())]})
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("field", "default", "meaning"):
        table.add_column(title, overflow="fold")
    for field in describe(ServiceConfig()):
        table.add_row(field.path, field.default, f"{field.meaning} Must be {field.wanted}.")
    show(table)
