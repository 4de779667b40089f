"""Restoring makes a data directory from a backup: verified and whole, or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.errors import InvalidInputError, StoreFormatError
from graphmem.stores.migration import refuse_newer
from graphmem.stores.sqlite.backup import copy_database
from graphmem.stores.sqlite.connection import Connection, open_writer
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.lock import DirectoryLock
from graphmem.stores.sqlite.migrate import applied_number, known_migrations, migrate
from graphmem.stores.sqlite.place import Place, sync_directory
from graphmem.stores.sqlite.verify import CheckSegment, count, verify

_DRAFT: Final = ".restoring-"
_NOT_OURS: Final = frozenset({"lost+found"})  # of a file system that is mounted here


def restore(
    backup: Path, place: Place, *, check_segment: CheckSegment, tell: TellCopy
) -> BackupReport:
    """Copy a backup into a new or empty directory, migrate and verify it there, then name it.

    Until the end the directory holds no database, whenever the process is killed; what a killed
    one left is cleared away by the next.

    Args:
        backup: the file; it is only read.
        place: where the database shall be.
        check_segment: raises StoreFormatError for a segment that is damaged.
        tell: told of the copying.

    Raises:
        InvalidInputError: there is no such file, or the directory is not empty.
        StoreLockedError: another process uses the directory.
        StoreFullError: the disk is full.
        StoreUnavailableError: the directory can't be written.
        StoreFormatError: the backup is damaged, not graphmem's, or of a newer version.
    """
    backup = backup.absolute()
    with Seam(backup.parent):
        is_file = backup.is_file()
    if not is_file:
        raise InvalidInputError("backup", f"{backup} is not a file; check the path")
    with Seam(place.directory):
        is_new = not place.directory.exists()
    place.make_directory()
    with ExitStack() as undo:
        if is_new:
            undo.callback(_remove_directory, place)
        lock = DirectoryLock(place)
        lock.acquire()
        undo.callback(lock.release)
        _require_empty(place)
        with (
            Seam(place.directory),
            tempfile.TemporaryDirectory(dir=place.directory, prefix=_DRAFT) as directory,
        ):
            draft = Place(directory=Path(directory))
            report = _draft(backup, draft, place, check_segment, tell)
            draft.database.rename(place.database)
        sync_directory(place.directory)
        undo.pop_all()
        lock.release()
    return report


def _draft(
    backup: Path,
    draft: Place,
    place: Place,
    check_segment: CheckSegment,
    tell: TellCopy,
) -> BackupReport:
    draft.make_database()
    with _blaming(backup), closing(Connection.open_file(backup, "ro")) as source:
        done = applied_number(source, backup)
        if not done:
            raise StoreFormatError(f"{backup} holds no memory database; restore an intact backup")
        refuse_newer(done, known_migrations(), str(backup))
        copy_database(source, draft.database, tell)
    with _blaming(backup), closing(open_writer(draft)) as copy:
        migrate(copy, draft.database)
        verify(copy, str(backup), check_segment)
        memories, turns = count(copy)
        schema = applied_number(copy, draft.database)
        # All of it stands in the one file that is renamed.
        copy.run("PRAGMA wal_checkpoint(TRUNCATE)")
        copy.run("PRAGMA journal_mode = DELETE")
    return BackupReport(
        path=str(place.directory),
        size_bytes=draft.database.stat().st_size,
        schema=schema,
        memories=memories,
        turns=turns,
    )


@contextmanager
def _blaming(backup: Path) -> Iterator[None]:
    """Say of damage that SQLite finds that it is the backup's, not its directory's or the copy's."""
    try:
        yield
    except StoreFormatError as error:
        if not isinstance(error.__cause__, sqlite3.Error):
            raise
        raise StoreFormatError(
            f"{backup} is damaged, or no backup of graphmem's; restore an intact backup"
        ) from error


def _require_empty(place: Place) -> None:
    """Refuse a directory that is in use; clear away what an interrupted restore left."""
    with Seam(place.directory):
        names = {path.name for path in place.directory.iterdir()} - {place.lock.name} - _NOT_OURS
        leftovers = {name for name in names if name.startswith(_DRAFT)}
        if names - leftovers:
            raise InvalidInputError(
                "data_dir", f"{place.directory} is not empty; name a new or an empty directory"
            )
        for name in leftovers:
            shutil.rmtree(place.directory / name)


def _remove_directory(place: Place) -> None:
    with suppress(OSError):
        place.lock.unlink(missing_ok=True)
        place.directory.rmdir()
