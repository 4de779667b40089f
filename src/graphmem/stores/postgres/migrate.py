"""Migrations bring the database to the present schema, or refuse it."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from graphmem.errors import StoreUnavailableError
from graphmem.stores.migration import Migration, load_migrations, refuse_newer, require_all
from graphmem.stores.postgres import queries

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Connection


def known_migrations() -> list[Migration]:
    """All steps that this version of graphmem knows, in order."""
    return load_migrations("graphmem.stores.postgres")


def migrate(connection: Connection, database: str) -> None:
    """Bring the database to the present schema, each step in a transaction with its record.

    Processes that do so at once take turns, so that each step is applied once. A database that
    is up to date is only read, by a role that may make nothing.

    Raises:
        StoreFormatError: the schema is not graphmem's, or a newer version wrote it.
        StoreUnavailableError: the role may not make a schema.
    """
    migrations = known_migrations()
    while applied_number(connection) < len(migrations):
        _apply_next(connection, migrations)
    refuse_newer(applied_number(connection), migrations, database)


def require_current(connection: Connection, database: str) -> None:
    """Check a database that may not be changed.

    Raises:
        StoreFormatError: its schema is not the present one.
        StoreUnavailableError: there is none.
    """
    done = applied_number(connection)
    if not done:
        raise StoreUnavailableError(
            f"there are no memories in {database}; check the URL, or open it once for writing "
            "to make the tables"
        )
    require_all(done, known_migrations(), database)


def applied_number(connection: Connection) -> int:
    """The number of the last step that was applied, 0 before the first."""
    if connection.row(queries.HAS_MIGRATIONS) != (True,):
        return 0
    row = connection.row(queries.LAST_MIGRATION)
    return int(row[0]) if row else 0


def _apply_next(connection: Connection, migrations: list[Migration]) -> None:
    connection.begin(queries.BEGIN_WRITE)
    with ExitStack() as undo:
        undo.callback(connection.rollback)
        connection.run(queries.WAIT_FOR_EVER)
        connection.rows(queries.LOCK_SCHEMA)
        # Another process may have applied it while this one waited.
        done = applied_number(connection)
        for migration in migrations[done : done + 1]:
            _apply(connection, migration)
        connection.commit()
        undo.pop_all()


def _apply(connection: Connection, migration: Migration) -> None:
    # Not IF NOT EXISTS, which a role that may make no schema is refused even where there is one.
    if connection.row(queries.HAS_SCHEMA) != (True,):
        connection.run(queries.MAKE_SCHEMA)
    connection.run(migration.script)
    record = (migration.number, migration.name)
    connection.run_many(queries.RECORD_MIGRATION, [record])
