"""Claims of memories as advisory locks, which end with the connection that holds them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from graphmem.domain.scope import Scope
from graphmem.errors import StoreError
from graphmem.stores.postgres import queries
from graphmem.stores.postgres.rows import claim_numbers

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Connection
    from graphmem.stores.rows import Row


class PostgresClaims:
    """One connection that holds all claims of a process. See `graphmem.ports.claims.Claims`.

    It is opened when it is first needed, and again when it was lost.
    """

    def __init__(self, connect: Callable[[], Connection]) -> None:
        self._connect = connect
        self._connection: Connection | None = None
        self._held: Counter[Scope] = Counter()
        self._lock = threading.Lock()
        self._is_closed = False

    def claim(self, scope: Scope) -> None:
        with self._lock:
            if not self._held[scope]:
                self._ask(queries.CLAIM, scope)
            self._held[scope] += 1

    def release(self, scope: Scope) -> None:
        with self._lock:
            self._held[scope] -= 1
            if not self._held[scope]:
                del self._held[scope]
                if self._connection is not None:
                    self._try(queries.RELEASE, scope)

    def is_claimed(self, scope: Scope) -> bool:
        with self._lock:
            return self._ask(queries.IS_CLAIMED, scope) == (True,)

    def close(self) -> None:
        """Give all claims back, for good."""
        with self._lock:
            self._is_closed = True
            self._drop()

    def _ask(self, sql: str, scope: Scope) -> Row | None:
        """Run a statement about a memory, on a new connection if the one there is was lost."""
        was_open = self._connection is not None
        answer = self._try(sql, scope)
        return self._try(sql, scope) if answer is None and was_open else answer

    def _try(self, sql: str, scope: Scope) -> Row | None:
        """The statement's row; None, and no connection, if the server does not answer."""
        if self._is_closed:
            return None
        try:
            if self._connection is None:
                self._connection = self._connect()
                for held in list(self._held):
                    self._connection.rows(queries.CLAIM, claim_numbers(held))
            return self._connection.row(sql, claim_numbers(scope))
        except StoreError:
            self._drop()
            return None

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(StoreError):
                connection.close()
