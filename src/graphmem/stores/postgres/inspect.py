"""Looks at a server and at one database of it; nothing is made or changed."""

from __future__ import annotations

from contextlib import closing

from graphmem.domain.database import DatabaseReport
from graphmem.stores.postgres import queries
from graphmem.stores.postgres.migrate import applied_number, known_migrations
from graphmem.stores.postgres.store import connector


def has_schema(url: str, password: str | None = None) -> bool:
    """Whether a database holds graphmem's tables.

    Raises:
        ConfigError: the extra `postgres` is not installed, or the URL can't be used.
        StoreUnavailableError: the server can't be reached, or refuses us.
    """
    connect, _ = connector(url, password)
    with closing(connect()) as connection:
        return applied_number(connection) > 0


def look_at(url: str, password: str | None = None) -> DatabaseReport:
    """What there is to say about a database; raises as `has_schema` does."""
    connect, name = connector(url, password)
    with closing(connect()) as connection:
        number = applied_number(connection)
        server = connection.rows(queries.DESCRIBE_SERVER)[0]
        version, may_make, lacks_fsync, is_read_only, most = server
        may_write, owns = connection.rows(queries.DESCRIBE_RIGHTS)[0]
    return DatabaseReport(
        name=name,
        version=version.decode(),
        schema=number,
        known_schema=len(known_migrations()),
        may_make=may_make,
        may_write=may_write,
        owns=owns,
        lacks_fsync=lacks_fsync,
        is_read_only=is_read_only,
        max_connections=most,
    )
