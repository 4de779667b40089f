"""`graphmem backup` and `graphmem restore`: the whole state as one file, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import ConfigFile, DatabaseUrl, DataDir, Json, load_config
from graphmem.cli.output import print_json, progress
from graphmem.errors import InvalidInputError

_DATABASE = r"postgres(ql)?:/"  # a path has lost the second slash

if TYPE_CHECKING:
    from graphmem.domain.backup import BackupReport, CopyProgress, TellCopy


def backup(
    path: Annotated[
        Path, typer.Argument(help="The file to make; it must not exist.", readable=False)
    ],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Copy all memories into one file, also while a server holds them and writes.

    It holds everything of all tenants: guard it as you guard the data directory.
    """
    from graphmem.service.factory import back_up

    settings = load_config(config, data_dir, database_url)
    with _bar() as tell:
        report = back_up(settings, path, tell)
    _report("backed up", report, as_json=json)


def restore(
    backup: Annotated[
        Path, typer.Argument(help="A file that `graphmem backup` made.", readable=False)
    ],
    data_dir: Annotated[Path, typer.Argument(help="A new or an empty directory.", readable=False)],
    json: Json = False,
) -> None:
    """Make a data directory from a backup; it is verified before the database gets its name."""
    from graphmem.service.factory import restore

    if re.match(_DATABASE, str(data_dir)):
        raise InvalidInputError(
            "data_dir",
            "is a database; restore into a new directory, then bring it over with "
            "`graphmem export` and `graphmem import`",
        )
    with _bar() as tell:
        report = restore(backup, data_dir, tell)
    _report("restored", report, as_json=json)


@contextmanager
def _bar() -> Iterator[TellCopy]:
    with progress() as bars:
        task = bars.add_task("pages", total=None)

        def tell(now: CopyProgress) -> None:
            bars.update(task, completed=now.pages_done, total=now.pages)

        yield tell


def _report(done: str, report: BackupReport, *, as_json: bool) -> None:
    if as_json:
        print_json(report.to_dict())
        return
    size = report.size_bytes / (1024 * 1024)
    typer.echo(
        f"{done} {report.turns} turns of {report.memories} memories ({size:.1f} MiB) to {report.path}"
    )
