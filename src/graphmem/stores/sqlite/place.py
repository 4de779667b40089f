"""A place is the directory of one store, the files in it, and their making."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from graphmem.errors import StoreUnavailableError
from graphmem.stores.sqlite.errors import Seam


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The absolute directory of one store and the names of its files."""

    directory: Path

    @property
    def database(self) -> Path:
        """The database; SQLite keeps `-wal` and `-shm` beside it."""
        return self.directory / "memory.sqlite"

    @property
    def lock(self) -> Path:
        """The file whose lock says that a process holds the directory."""
        return self.directory / "memory.lock"

    @property
    def holder(self) -> Path:
        """Who that process is, as JSON."""
        return self.directory / "memory.holder.json"

    def make_directory(self) -> None:
        """Make the directory, for this user alone, unless it is there."""
        with Seam(self.directory):
            try:
                self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            except FileExistsError:
                raise StoreUnavailableError(
                    f"{self.directory} is a file, not a directory; choose another data directory"
                ) from None

    def make_database(self) -> None:
        """Make an empty database file, for this user alone, unless it is there."""
        with Seam(self.directory):
            try:
                # SQLite would make it readable for all; its -wal and -shm copy this mode.
                os.close(os.open(self.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            except FileExistsError:
                return
        for directory in (self.directory, self.directory.parent):
            sync_directory(directory)

    def has_database(self) -> bool:
        """Whether the database is there.

        Raises:
            StoreUnavailableError: this user may not know.
        """
        with Seam(self.directory):
            return self.database.is_file()

    def require_database(self) -> None:
        """Refuse to go on without a database.

        Raises:
            StoreUnavailableError: there is none.
        """
        if not self.has_database():
            raise StoreUnavailableError(
                f"there is no memory database in {self.directory}; check the path, "
                "or open it once for writing to make one"
            )


def sync_directory(directory: Path) -> None:
    """Make new names in the directory survive a power cut, where the system can."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
