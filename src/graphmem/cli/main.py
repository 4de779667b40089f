"""The entry point: the commands, and what each way to end means to the shell.

Exit codes: 0 done, 1 it failed, 2 the command line was wrong, 130 interrupted.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import Annotated, Final

import typer

from graphmem._version import __version__
from graphmem.cli import bench, keys
from graphmem.cli.add import add
from graphmem.cli.ask import ask
from graphmem.cli.backup import backup, restore
from graphmem.cli.bench_answer import answer as bench_answer
from graphmem.cli.doctor import doctor
from graphmem.cli.exchange import export, import_
from graphmem.cli.forgetting import delete, purge
from graphmem.cli.init import init
from graphmem.cli.inspect import inspect
from graphmem.cli.output import fail
from graphmem.cli.prepare import prepare
from graphmem.cli.rebuild import rebuild
from graphmem.cli.reembed import reembed
from graphmem.cli.search import search
from graphmem.cli.serve import serve
from graphmem.cli.status import status
from graphmem.cli.why import why
from graphmem.errors import GraphmemError

_DEBUG: Final = "--debug"
_OWN_OPTIONS: Final = frozenset({"--help", "--version"})

app = typer.Typer(
    name="graphmem",
    help="Long-term memory for AI agents, in English and Chinese.",
    epilog="`graphmem` without a command means `graphmem serve` and takes its options.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for command in (
    serve,
    add,
    search,
    prepare,
    ask,
    status,
    delete,
    purge,
    rebuild,
    reembed,
    backup,
    restore,
    export,
    doctor,
    init,
    inspect,
    why,
):
    app.command()(command)
app.command(name="import")(import_)
bench.app.command(name="answer")(bench_answer)
app.add_typer(bench.app, name="bench")
app.add_typer(keys.app, name="keys")


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"graphmem {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", is_eager=True, callback=_show_version),
    ] = False,
    debug: Annotated[
        bool, typer.Option(_DEBUG, help="Show the traceback of an unexpected failure.")
    ] = False,
) -> None:
    """Read the options that come before a command; `main` and `_show_version` act on them."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (by default the process's own) and exit."""
    given = with_default_command(sys.argv[1:] if arguments is None else arguments)
    flags = set(takewhile(lambda argument: argument != "--", given))
    _escape_what_the_terminal_cannot_show()
    try:
        app(given, prog_name="graphmem")
    except GraphmemError as error:
        fail(error, as_json="--json" in flags)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if _DEBUG in flags:
            raise
        # Only its type: its text may repeat what somebody said.
        typer.echo(f"graphmem: unexpected failure: {type(error).__name__}", err=True)
        typer.echo(f"`graphmem {_DEBUG} ...` shows where; please report it", err=True)
        sys.exit(1)


def with_default_command(arguments: Sequence[str]) -> list[str]:
    """The arguments with `serve` put in where they name no command."""
    own = list(takewhile(lambda argument: argument == _DEBUG, arguments))
    rest = list(arguments[len(own) :])
    if not rest or (rest[0].startswith("-") and rest[0] not in _OWN_OPTIONS):
        rest.insert(0, "serve")
    return own + rest


def _escape_what_the_terminal_cannot_show() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
