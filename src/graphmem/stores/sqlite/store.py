"""The SQLite store: one file, one writer at a time, readers that never wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.scope import Scope
from graphmem.errors import StoreError, StoreUnavailableError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.keys import KeyRow
from graphmem.ports.store import MemoryRow
from graphmem.stores import rows
from graphmem.stores.gate import Gate
from graphmem.stores.keys import in_order, key_values, to_key
from graphmem.stores.pool import Pool
from graphmem.stores.rows import Row, Value
from graphmem.stores.sqlite import queries
from graphmem.stores.sqlite.backup import back_up
from graphmem.stores.sqlite.connection import Connection, open_reader, open_writer
from graphmem.stores.sqlite.erase import Eraser
from graphmem.stores.sqlite.lock import DirectoryLock
from graphmem.stores.sqlite.migrate import migrate, require_current
from graphmem.stores.sqlite.place import Place
from graphmem.stores.sqlite.transaction import SqliteRead, SqliteWrite
from graphmem.stores.turnstile import Turnstile

_READERS: Final = 8


class SqliteStore:
    """Keeps memories in `memory.sqlite` of one directory. See `graphmem.ports.store.Store`.

    Writes of all memories take turns, in the order in which they came; they don't nest. Reads
    share a few connections, each a snapshot of its own: a thread that keeps one open while it
    waits for another takes from the rest, and enough of them wait for ever.
    """

    def __init__(
        self,
        place: Place,
        *,
        readers: Pool[Connection],
        writer: Pool[Connection] | None,
        lock: DirectoryLock | None,
    ) -> None:
        """Use `open`; a store without writer and lock only reads."""
        self._place = place
        self._readers = readers
        self._writer = writer
        self._lock = lock
        self._gate = Gate()
        self._turnstile = Turnstile()
        self._eraser = Eraser(place, self._turnstile)

    @classmethod
    def open(
        cls, directory: Path, *, read_only: bool = False, address: str | None = None
    ) -> SqliteStore:
        """Open the store of a directory, and make it unless it is there.

        Args:
            directory: where the files are.
            read_only: read beside the process that holds the directory; the database is neither
                made nor changed, though SQLite may leave its two empty side files.
            address: the loopback address to name to others who want the directory.

        Raises:
            StoreLockedError: another process, or another store of this one, holds it.
            StoreFullError: the disk is full.
            StoreUnavailableError: the directory can't be made, read or written.
            StoreFormatError: the file is not graphmem's, damaged, or of another version.
        """
        place = Place(directory=directory.absolute())
        return cls._open_beside(place) if read_only else cls._open_held(place, address)

    @classmethod
    def _open_held(cls, place: Place, address: str | None) -> SqliteStore:
        place.make_directory()
        lock = DirectoryLock(place)
        lock.acquire()
        with ExitStack() as undo:
            undo.callback(lock.release)
            lock.announce(address)
            place.make_database()
            writer = Pool(partial(open_writer, place), size=1)
            undo.callback(writer.close)
            with writer.lend() as connection:
                migrate(connection, place.database)
            undo.pop_all()
        readers = Pool(partial(open_reader, place, "rw"), size=_READERS)
        return cls(place, readers=readers, writer=writer, lock=lock)

    @classmethod
    def _open_beside(cls, place: Place) -> SqliteStore:
        place.require_database()
        readers = Pool(partial(open_reader, place, "ro"), size=_READERS)
        with ExitStack() as undo:
            undo.callback(readers.close)
            with readers.lend() as connection:
                require_current(connection, place.database)
            undo.pop_all()
        return cls(place, readers=readers, writer=None, lock=None)

    def announce(self, address: str) -> None:
        """Name the address at which this process serves to others who want the directory."""
        with self._gate:
            if self._lock is not None:
                self._lock.announce(address)

    def back_up(self, target: Path, tell: TellCopy) -> BackupReport:
        """Copy the database while it is in use; see `graphmem.stores.sqlite.backup.back_up`."""
        with self._gate:
            return back_up(self._place, target, tell)

    @contextmanager
    def read(self, scope: Scope) -> Iterator[SqliteRead]:
        with self._gate, self._readers.lend() as connection:
            connection.run("BEGIN")
            with closing(SqliteRead(connection, scope)) as transaction:
                yield transaction

    @contextmanager
    def write(self, scope: Scope) -> Iterator[SqliteWrite]:
        with self._writing() as connection, closing(SqliteWrite(connection, scope)) as transaction:
            yield transaction
            transaction.check()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """The writer within a transaction that is committed at the end of the block."""
        writer = self._require_writer()
        with self._gate, self._turnstile, writer.lend() as connection:
            connection.run("BEGIN IMMEDIATE")
            # Whatever is not committed in the end is undone when the connection goes back.
            yield connection
            connection.run("COMMIT")

    def memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> list[MemoryRow]:
        tenant = tenant_id.encode()
        if after is None:
            found = self._rows(queries.LIST_MEMORIES, (tenant, limit))
        else:
            found = self._rows(queries.LIST_MEMORIES_AFTER, (tenant, after.encode(), limit))
        return [rows.to_memory(tenant_id, row) for row in found]

    def pending_scopes(self, model: str) -> list[Scope]:
        return [rows.to_scope(row) for row in self._rows(queries.LIST_PENDING_SCOPES, (model,))]

    def scene_scopes(self) -> list[Scope]:
        return [rows.to_scope(row) for row in self._rows(queries.LIST_SCENE_SCOPES, ())]

    def stale_scopes(self, build: str) -> list[Scope]:
        return [
            rows.to_scope(row) for row in self._rows(queries.LIST_STALE_SCOPES, (build.encode(),))
        ]

    def scopes(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        if after is None:
            found = self._rows(queries.LIST_SCOPES, (limit,))
        else:
            place = (after.tenant_id.encode(), after.memory_id.encode(), limit)
            found = self._rows(queries.LIST_SCOPES_AFTER, place)
        return [rows.to_scope(row) for row in found]

    def graves(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        if after is None:
            found = self._rows(queries.LIST_GRAVES, (limit,))
        else:
            place = (after.tenant_id.encode(), after.memory_id.encode(), limit)
            found = self._rows(queries.LIST_GRAVES_AFTER, place)
        return [rows.to_scope(row) for row in found]

    def models(self) -> list[EmbeddingModel]:
        return [rows.to_model(row) for row in self._rows(queries.LIST_MODELS, ())]

    def access_keys(self) -> list[KeyRow]:
        return in_order([to_key(row) for row in self._rows(queries.LIST_KEYS, ())])

    def put_key(self, key: KeyRow) -> None:
        with self._writing() as connection:
            connection.run(queries.INSERT_KEY, key_values(key))

    def revoke_key(self, key_id: str, revoked_us: int) -> bool:
        with self._writing() as connection:
            return connection.row(queries.REVOKE_KEY, (revoked_us, key_id)) is not None

    def unerased(self) -> int:
        return int(self._rows(queries.COUNT_UNERASED, ())[0][0])

    def erase(self, now_us: Callable[[], int]) -> int:
        self._require_writer()
        with self._gate:
            return self._eraser.erase(now_us)

    def ping(self) -> None:
        self._rows(queries.PING, ())

    def close(self) -> None:
        self._eraser.stop()
        if not self._gate.close():
            return
        with ExitStack() as steps:
            if self._lock is not None:
                steps.callback(self._lock.release)
            if self._writer is not None:
                steps.callback(self._writer.close)
                steps.callback(_checkpoint, self._writer)
            steps.callback(self._readers.close)

    def _require_writer(self) -> Pool[Connection]:
        if self._writer is None:
            raise StoreUnavailableError(
                f"{self._place.directory} was opened read-only; open it for writing, "
                "or write through the process that holds it"
            )
        return self._writer

    def _rows(self, sql: str, parameters: Sequence[Value]) -> list[Row]:
        """One statement that is a snapshot by itself."""
        with self._gate, self._readers.lend() as connection:
            return connection.rows(sql, parameters)


def _checkpoint(writer: Pool[Connection]) -> None:
    """Leave all in the database file itself, as far as readers beside allow."""
    # On a full disk it stays in the log, no less durable, for the next opening to find.
    with suppress(StoreError), writer.lend() as connection:
        connection.run("PRAGMA busy_timeout = 100")
        connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
