"""Where the command line writes: results on stdout, progress and errors on stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from graphmem.errors import ConfigError, GraphmemError, InvalidInputError

_PLAIN_WIDTH = 120
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_json(value: object) -> None:
    """Write one JSON object and a line end to stdout, in characters that its encoding has."""
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(value, ensure_ascii=not is_utf8, allow_nan=False) + "\n")


def out() -> Console:
    """The console for results; in a pipe it is wide enough that tables stay whole."""
    plain = not sys.stdout.isatty()
    width = _PLAIN_WIDTH if plain else None
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False, width=width)


def show(*parts: RenderableType) -> None:
    """Write results for people to stdout."""
    console = out()
    for part in parts:
        console.print(part)


def printable(text: str) -> str:
    """The text with control characters made visible: stored text must not drive the terminal."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


@contextmanager
def progress() -> Iterator[Progress]:
    """Progress bars on stderr, shown on a terminal only and gone when the work is done."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bars:
        yield bars


def fail(error: GraphmemError, *, as_json: bool) -> None:
    """Say what went wrong: a sentence on stderr, with `--json` also one object on stdout."""
    if as_json:
        print_json({"error": describe(error)})
    typer.echo(printable(f"graphmem: {error}"), err=True)


def describe(error: GraphmemError) -> dict[str, str]:
    """The error as JSON-ready values: its class as a code, the field where it names one."""
    values = {"code": type(error).__name__.removesuffix("Error"), "message": str(error)}
    if isinstance(error, InvalidInputError | ConfigError):
        values["field"] = error.field
    return values
