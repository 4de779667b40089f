"""What a database server says of itself, for whoever has to keep it fit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseReport:
    """A server and one database of it, as a role sees them.

    Attributes:
        name: host, port and database.
        version: the server's.
        schema: how many steps of graphmem's schema were applied, 0 without tables.
        known_schema: how many this graphmem knows.
        may_make: whether the role may make a schema.
        may_write: whether it may read and write all tables.
        owns: whether it owns them, and so may migrate and vacuum them.
        lacks_fsync: whether the server is set to lose commits in a crash of the machine.
        is_read_only: whether it takes no writes: a standby, or set so.
        max_connections: how many connections the server takes.
    """

    name: str
    version: str
    schema: int
    known_schema: int
    may_make: bool
    may_write: bool
    owns: bool
    lacks_fsync: bool
    is_read_only: bool
    max_connections: int
