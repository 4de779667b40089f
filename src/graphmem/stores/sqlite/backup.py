"""Backing up copies the database while it is served: whole under its name, or not there."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.stores.sqlite.connection import Connection, open_reader
from graphmem.stores.sqlite.draft import draft_of
from graphmem.stores.sqlite.migrate import applied_number
from graphmem.stores.sqlite.place import Place
from graphmem.stores.sqlite.verify import count, require_sound

STEP_PAGES: Final = 256  # 1 MiB a step, after each of which progress is told


def back_up(place: Place, target: Path, tell: TellCopy) -> BackupReport:
    """Copy the database with all that was committed when it began, beside readers and writers.

    The copy is one file that needs no log beside it. It is read through once before it gets its
    name, so that damage is told now and not when the backup is needed.

    Raises:
        InvalidInputError: there is a file of this name.
        StoreFullError: the disk is full.
        StoreUnavailableError: there is no database, or its copy can't be written there.
        StoreFormatError: the database is damaged or not graphmem's.
    """
    target = target.absolute()
    place.require_database()
    with draft_of(target) as draft:
        with closing(open_reader(place, "ro")) as source:
            copy_database(source, draft, tell)
        return _inspect(draft, target)


def copy_database(source: Connection, target: Path, tell: TellCopy) -> None:
    """Copy a snapshot of graphmem's database into an empty file, without side files.

    Raises:
        StoreError: the source is not graphmem's, or one of them can't be read or written.
    """
    source.run("BEGIN")
    applied_number(source, target)  # which also fixes the snapshot
    with closing(Connection.open_file(target, "rw")) as copy:
        # Half a copy is thrown away, so nothing has to be undone in it.
        copy.run("PRAGMA journal_mode = OFF")
        copy.run("PRAGMA synchronous = OFF")
        source.copy_to(copy, pages=STEP_PAGES, tell=tell)
    source.rollback()
    with closing(Connection.open_file(target, "rw")) as copy:
        copy.run("PRAGMA journal_mode = DELETE")


def _inspect(draft: Path, target: Path) -> BackupReport:
    with closing(Connection.open_file(draft, "ro")) as copy:
        require_sound(copy, str(target))
        memories, turns = count(copy)
        schema = applied_number(copy, target)
    return BackupReport(
        path=str(target),
        size_bytes=draft.stat().st_size,
        schema=schema,
        memories=memories,
        turns=turns,
    )
