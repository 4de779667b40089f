"""A pool bounds how many connections a store has, and lends them one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import LifoQueue
from typing import Generic, Protocol, TypeVar

from graphmem.errors import StoreError


class Lendable(Protocol):
    """A connection as the pool sees it."""

    def rollback(self) -> None:
        """Undo the running transaction, if there is one.

        Raises:
            StoreError: the connection is broken.
        """
        ...

    def close(self) -> None:
        """Give it back."""
        ...


C = TypeVar("C", bound=Lendable)


class Pool(Generic[C]):
    """Lends connections, at most `size` at once; opened when first needed.

    The last one given back is lent first, so that its cache is warm. A pool of one is how the
    connection of a single writer is kept.
    """

    def __init__(self, connect: Callable[[], C], *, size: int) -> None:
        self._connect = connect
        self._slots: LifoQueue[C | None] = LifoQueue()
        self._size = size
        for _ in range(size):
            self._slots.put(None)

    @contextmanager
    def lend(self) -> Iterator[C]:
        """Lend a connection; a transaction left open on it is undone."""
        slot = self._slots.get()
        try:
            if slot is None:
                slot = self._connect()
            yield slot
        finally:
            self._slots.put(None if slot is None else _cleaned(slot))

    def close(self) -> None:
        """Close all connections; none may be on loan."""
        for _ in range(self._size):
            slot = self._slots.get_nowait()
            if slot is not None:
                slot.close()


def _cleaned(connection: C) -> C | None:
    try:
        connection.rollback()
    except StoreError:
        # Nothing more can be known about this connection; the next loan opens a new one.
        connection.close()
        return None
    return connection
