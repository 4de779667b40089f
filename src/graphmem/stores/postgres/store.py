"""The PostgreSQL store: one database that any number of processes share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from graphmem.domain.scope import Scope
from graphmem.errors import ConfigError, StoreUnavailableError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.keys import KeyRow
from graphmem.ports.store import MemoryRow
from graphmem.stores import rows
from graphmem.stores.gate import Gate
from graphmem.stores.keys import in_order, key_values, to_key
from graphmem.stores.lanes import Lanes
from graphmem.stores.pool import Pool
from graphmem.stores.postgres import queries
from graphmem.stores.postgres.claims import PostgresClaims
from graphmem.stores.postgres.erase import erase
from graphmem.stores.postgres.migrate import migrate, require_current
from graphmem.stores.postgres.rows import decoded_key, decoded_model, lock_number
from graphmem.stores.postgres.transaction import PostgresRead, PostgresWrite

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Connection, Value
    from graphmem.stores.rows import Row

EXTRA: Final = "postgres"
_LEAST_CONNECTIONS: Final = 2


def connector(url: str, password: str | None = None) -> tuple[Callable[[], Connection], str]:
    """What connects to a database, and how people are told it; nothing is sent.

    Raises:
        ConfigError: the extra `postgres` is not installed, or the URL can't be used.
    """
    try:
        # Only now, so that graphmem runs without the extra.
        from graphmem.stores.postgres.connection import Connection  # noqa: PLC0415
        from graphmem.stores.postgres.place import Place  # noqa: PLC0415
    except ImportError as error:
        reason = (
            f"it needs psycopg; install it with: pip install 'graphmem[{EXTRA}]', "
            f"from a checkout with: pip install '.[{EXTRA}]'"
        )
        raise ConfigError("database_url", reason) from error
    place = Place.parse(url, password)
    return partial(Connection, place), place.name


class PostgresStore:
    """Keeps memories in the schema `graphmem` of a database. See `graphmem.ports.store.Store`.

    Writers to one memory take turns, in the order in which they came within one process and one
    after the other between processes; those of different memories go side by side. They don't
    nest. Half of the connections is for writers, so that they never keep readers waiting.

    Attributes:
        claims: tell other processes which memories this one is building.
    """

    def __init__(
        self, connect: Callable[[], Connection], *, max_connections: int, read_only: bool = False
    ) -> None:
        """Use `open`; a store that only reads lends no connection to write."""
        writers = max_connections // 2
        self._read_only = read_only
        self._connect = connect
        self._readers = Pool(connect, size=max_connections - writers)
        self._writers = Pool(connect, size=writers)
        self._lanes = Lanes()
        self.claims = PostgresClaims(connect)
        self._gate = Gate()
        self._stopping = threading.Event()

    @classmethod
    def open(
        cls,
        url: str,
        *,
        password: str | None = None,
        max_connections: int = 10,
        read_only: bool = False,
    ) -> PostgresStore:
        """Open the store of a database, and make its tables unless they are there.

        Args:
            url: `postgresql://user:password@host:port/database`, with libpq's parameters.
            password: the password, where the URL holds none; None leaves it to libpq's own means.
            max_connections: how many connections reads and writes may have at once, 2 or more;
                claims and an erasure take one more each. They are opened when first needed.
            read_only: make and change nothing; writes are refused.

        Raises:
            ConfigError: the extra `postgres` is not installed, or an argument can't be used.
            StoreUnavailableError: the server can't be reached, or refuses us.
            StoreFormatError: the schema is not graphmem's, or of a newer version.
        """
        if max_connections < _LEAST_CONNECTIONS:
            raise ConfigError("max_connections", "it must be 2 or more: one reads, one writes")
        connect, name = connector(url, password)
        store = cls(connect, max_connections=max_connections, read_only=read_only)
        with ExitStack() as undo:
            undo.callback(store.close)
            with (store._readers if read_only else store._writers).lend() as connection:
                (require_current if read_only else migrate)(connection, name)
            undo.pop_all()
        return store

    @contextmanager
    def read(self, scope: Scope) -> Iterator[PostgresRead]:
        with self._gate, self._readers.lend() as connection:
            connection.begin(queries.BEGIN_READ)
            with closing(PostgresRead(connection, scope)) as transaction:
                yield transaction

    @contextmanager
    def write(self, scope: Scope) -> Iterator[PostgresWrite]:
        # Who waits for a memory has no connection meanwhile, so that other memories go on.
        self._require_writer()
        with self._gate, self._lanes.enter(scope), self._writers.lend() as connection:
            connection.begin(queries.BEGIN_WRITE)
            # A memory that isn't there yet has no row to lock, so a number stands for it.
            connection.rows(queries.LOCK_MEMORY, (lock_number(scope),))
            # Whatever is not committed in the end is undone when the connection goes back.
            with closing(PostgresWrite(connection, scope)) as transaction:
                yield transaction
                transaction.check()
                connection.commit()

    def memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> list[MemoryRow]:
        tenant = tenant_id.encode()
        if after is None:
            found = self._rows(queries.LIST_MEMORIES, (tenant, tenant, limit))
        else:
            place = (tenant, tenant, after.encode(), after.encode(), limit)
            found = self._rows(queries.LIST_MEMORIES_AFTER, place)
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
            return [rows.to_scope(row) for row in self._rows(queries.LIST_SCOPES, (limit,))]
        # Two steps, since only within one tenant the index leads straight to a memory.
        page = self.memories(after.tenant_id, after=after.memory_id, limit=limit)
        tenant, rest = after.tenant_id.encode(), limit - len(page)
        found = self._rows(queries.LIST_SCOPES_AFTER_TENANT, (tenant, tenant, rest)) if rest else []
        return [row.scope for row in page] + [rows.to_scope(row) for row in found]

    def graves(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        # No id is empty, so this is before all.
        ids = (after.tenant_id.encode(), after.memory_id.encode()) if after else (b"", b"")
        found = self._rows(queries.LIST_GRAVES, (ids[0], *ids, limit))
        return [rows.to_scope(row) for row in found]

    def models(self) -> list[EmbeddingModel]:
        found = self._rows(queries.LIST_MODELS, ())
        return [rows.to_model(decoded_model(row)) for row in found]

    def access_keys(self) -> list[KeyRow]:
        found = self._rows(queries.LIST_KEYS, ())
        return in_order([to_key(decoded_key(row)) for row in found])

    def put_key(self, key: KeyRow) -> None:
        self._require_writer()
        with self._gate, self._writers.lend() as connection:
            connection.begin(queries.BEGIN_WRITE)
            connection.run_many(queries.INSERT_KEY, [key_values(key)])
            connection.commit()

    def revoke_key(self, key_id: str, revoked_us: int) -> bool:
        self._require_writer()
        with self._gate, self._writers.lend() as connection:
            connection.begin(queries.BEGIN_WRITE)
            found = connection.row(queries.REVOKE_KEY, (revoked_us, key_id))
            connection.commit()
        return found is not None

    def unerased(self) -> int:
        return int(self._rows(queries.COUNT_UNERASED, ())[0][0])

    def erase(self, now_us: Callable[[], int]) -> int:
        self._require_writer()
        with self._gate:
            return erase(self._connect, now_us, self._stopping)

    def ping(self) -> None:
        self._rows(queries.PING, ())

    def close(self) -> None:
        self._stopping.set()
        if self._gate.close():
            self._readers.close()
            self._writers.close()
            self.claims.close()

    def _require_writer(self) -> None:
        if self._read_only:
            raise StoreUnavailableError("the database was opened read-only; open it for writing")

    def _rows(self, sql: str, parameters: Sequence[Value]) -> list[Row]:
        """One statement in a snapshot of its own."""
        with self._gate, self._readers.lend() as connection:
            connection.begin(queries.BEGIN_READ)
            return connection.rows(sql, parameters)
