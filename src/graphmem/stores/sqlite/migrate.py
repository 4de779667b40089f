"""Migrations bring the database file to the present schema, or refuse it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from graphmem.errors import StoreFormatError
from graphmem.stores.migration import Migration, load_migrations, refuse_newer, require_all
from graphmem.stores.sqlite.connection import Connection, use_write_ahead_log

APPLICATION_ID: Final = 1_735_552_357  # "grme", set by the first migration


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, since `executescript` would end the transaction."""
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""


def known_migrations() -> list[Migration]:
    """All steps that this version of graphmem knows, in order."""
    return load_migrations("graphmem.stores.sqlite")


def migrate(connection: Connection, database: Path) -> None:
    """Bring the database to the present schema, each step in a transaction with its record.

    Raises:
        StoreFormatError: the file is not graphmem's, or a newer version wrote it.
    """
    done = applied_number(connection, database)
    migrations = known_migrations()
    refuse_newer(done, migrations, str(database))
    use_write_ahead_log(connection)
    for migration in migrations[done:]:
        _apply(connection, migration)


def require_current(connection: Connection, database: Path) -> None:
    """Check a database that may not be changed.

    Raises:
        StoreFormatError: the file is not graphmem's, or its schema is not the present one.
    """
    done = applied_number(connection, database)
    if connection.row("PRAGMA page_count") == (0,):
        raise StoreFormatError(
            f"{database} is empty: nothing was ever stored in it, or it was cut off; if it held "
            "memories, restore a backup into another directory"
        )
    require_all(done, known_migrations(), str(database))


def applied_number(connection: Connection, database: Path) -> int:
    """The number of the last step that was applied, 0 for an empty file.

    Raises:
        StoreFormatError: the file holds something, but it is not graphmem's.
    """
    if connection.row("PRAGMA application_id") == (APPLICATION_ID,):
        row = connection.row("SELECT coalesce(max(number), 0) FROM migrations")
        return int(row[0]) if row else 0
    if connection.row("PRAGMA application_id") == (0,) and not connection.rows(
        "SELECT 1 FROM sqlite_schema LIMIT 1"
    ):
        return 0
    raise StoreFormatError(
        f"{database} is a database of another program; choose another data directory"
    )


def _apply(connection: Connection, migration: Migration) -> None:
    connection.run("BEGIN IMMEDIATE")
    with ExitStack() as undo:
        undo.callback(connection.rollback)
        for statement in statements(migration.script):
            connection.run(statement)
        connection.run(
            "INSERT INTO migrations (number, name) VALUES (?, ?)",
            (migration.number, migration.name),
        )
        connection.run("COMMIT")
        undo.pop_all()
