"""Backing up copies the database while it is served: whole under its name, or not there."""

from __future__ import annotations

import os
import tempfile
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.errors import InvalidInputError
from graphmem.stores.sqlite.connection import Connection, open_reader
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.migrate import applied_number
from graphmem.stores.sqlite.place import Place, sync_directory
from graphmem.stores.sqlite.verify import count, require_sound

STEP_PAGES: Final = 256  # 1 MiB a step, after each of which progress is told
_SIDE_FILES: Final = ("", "-journal", "-wal", "-shm")


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
    _refuse(target)
    with ExitStack() as undo:
        draft = _make_draft(target)
        undo.callback(_remove, draft)
        with closing(open_reader(place, "ro")) as source:
            copy_database(source, draft, tell)
        report = _inspect(draft, target)
        _publish(draft, target)
    sync_directory(target.parent)
    return report


def copy_database(source: Connection, target: Path, tell: TellCopy) -> None:
    """Copy a snapshot of graphmem's database into an empty file, durably and without side files.

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
    with Seam(target.parent):
        descriptor = os.open(target, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _refuse(target: Path) -> None:
    with Seam(target.parent):
        is_taken = os.path.lexists(target)
    if is_taken:
        raise InvalidInputError("path", f"{target} exists already; choose another name")


def _make_draft(target: Path) -> Path:
    """An empty file beside the target, for this user alone."""
    with Seam(target.parent):
        descriptor, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=".partial"
        )
        os.close(descriptor)
    return Path(name)


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


def _publish(draft: Path, target: Path) -> None:
    """Give the draft its name, unless somebody took it meanwhile."""
    with Seam(target.parent):
        try:
            os.link(draft, target)
        except FileExistsError:
            _refuse(target)
        except OSError:  # a file system without links; a race could only cost the other file
            _refuse(target)
            draft.replace(target)


def _remove(draft: Path) -> None:
    for suffix in _SIDE_FILES:
        with suppress(OSError):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)
