"""A place is where the memories of a service are: a data directory, or a PostgreSQL database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn, Protocol

from typing_extensions import override

from graphmem.config import ServiceConfig
from graphmem.database_url import shown_database
from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.database import DatabaseReport
from graphmem.domain.holder import Holder
from graphmem.errors import StoreError, StoreUnavailableError
from graphmem.ports.claims import Claims
from graphmem.ports.store import Store
from graphmem.stores.postgres import inspect
from graphmem.stores.postgres.store import PostgresStore
from graphmem.stores.sqlite import backup, lock
from graphmem.stores.sqlite.connection import Connection
from graphmem.stores.sqlite.place import Place as SqlitePlace
from graphmem.stores.sqlite.store import SqliteStore
from graphmem.stores.sqlite.verify import require_as_brought, require_sound

BackUp = Callable[[Path, TellCopy], BackupReport]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An open store.

    Attributes:
        store: the memories.
        announce: tells other processes at which address this one serves.
        back_up: copies the whole store into a file.
        claims: tell other processes which memories this one is building, None where it is alone on
            the store.
    """

    store: Store
    announce: Callable[[str], None]
    back_up: BackUp
    claims: Claims | None = None


class Place(Protocol):
    """Where memories are. Nothing is opened, made or changed but by `open`."""

    def open(self, *, read_only: bool) -> Opened:
        """Open the store, and make it unless it is there or is only read.

        Raises:
            ConfigError: an extra is missing.
            StoreError: it can't be opened.
        """
        ...

    def find_holder(self) -> Holder | None:
        """The process that has it for itself, None without one."""
        ...

    def has_data(self) -> bool:
        """Whether the store was made.

        Raises:
            StoreError: that can't be known.
        """
        ...

    def require_data(self) -> None:
        """Refuse to go on where it was not.

        Raises:
            StoreUnavailableError: it was not.
        """
        ...

    def check_pages(self) -> None:
        """Read every page.

        Raises:
            StoreError: it is damaged, can't be read, or has other means for that.
        """
        ...

    def back_up(self, target: Path, tell: TellCopy) -> BackupReport:
        """Copy the whole store into a file without opening it, so that an older schema is no bar.

        Raises:
            StoreError: it can't be copied, or has other means for that.
        """
        ...


def place_of(config: ServiceConfig) -> Place:
    """The place that the settings name; a database goes before a directory."""
    if config.database_url:
        return Database(url=config.database_url, password=config.database_password)
    return Directory(path=config.data_dir)


@dataclass(frozen=True, slots=True, kw_only=True)
class Directory(Place):
    """A data directory, which one process holds. See `Place`."""

    path: Path

    @override
    def open(self, *, read_only: bool) -> Opened:
        store = SqliteStore.open(self.path, read_only=read_only)
        return Opened(store=store, announce=store.announce, back_up=store.back_up)

    @override
    def find_holder(self) -> Holder | None:
        return lock.find_holder(self._place)

    @override
    def has_data(self) -> bool:
        return self._place.has_database()

    @override
    def require_data(self) -> None:
        self._place.require_database()

    @override
    def check_pages(self) -> None:
        with closing(Connection.open(self._place, "ro")) as connection:
            require_sound(connection, str(self._place.database))
            require_as_brought(connection, str(self._place.database))

    @override
    def back_up(self, target: Path, tell: TellCopy) -> BackupReport:
        return backup.back_up(self._place, target, tell)

    @property
    def _place(self) -> SqlitePlace:
        return SqlitePlace(directory=self.path.absolute())


@dataclass(frozen=True, slots=True, kw_only=True)
class Database(Place):
    """A PostgreSQL database, which any number of processes share. See `Place`."""

    url: str
    password: str | None = field(repr=False)

    @override
    def open(self, *, read_only: bool) -> Opened:
        store = PostgresStore.open(self.url, password=self.password, read_only=read_only)
        # Others write to the database themselves; no process has to tell where it serves.
        return Opened(
            store=store,
            announce=lambda _: None,
            back_up=self.back_up,
            claims=store.claims,
        )

    @override
    def find_holder(self) -> None:
        return None

    @override
    def has_data(self) -> bool:
        return inspect.has_schema(self.url, self.password)

    @override
    def require_data(self) -> None:
        if not self.has_data():
            raise StoreUnavailableError(
                f"there are no memories in {shown_database(self.url)}; check the URL, or add "
                "something to make the tables"
            )

    @override
    def check_pages(self) -> NoReturn:
        raise StoreError("the pages of a PostgreSQL database are checked by pg_amcheck")

    @override
    def back_up(self, target: Path, tell: TellCopy) -> NoReturn:
        raise StoreError(
            "a PostgreSQL database is backed up by its own tools, such as "
            "pg_dump --schema=graphmem; for a file that any graphmem reads, use `graphmem export`"
        )

    def look_at(self) -> DatabaseReport:
        """What there is to say about the server and the database; raises as `has_data` does."""
        return inspect.look_at(self.url, self.password)
