"""Workers run the engine's blocking calls off the event loop, each surface on threads of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import copy_context
from functools import partial
from typing import Final, TypeVar

from graphmem.errors import OverloadedError
from graphmem.ports.stage import stage

# A call that waits for the embedding model holds its thread, so there are more threads than cores.
# They share one interpreter lock: without a model they add no throughput, and the event loop waits
# longer for its turn. 320 adds of 20 messages with 512 searches from 96 clients on 2 cores: 2+2
# threads took 3.8 s and /health 11 ms at the median, 4+4 4.0 s and 21 ms, 8+8 3.7 s and 51 ms.
ADD_THREADS: Final = 8
SEARCH_THREADS: Final = 8
PARSE_THREADS: Final = 1
OPERATION_THREADS: Final = 1
# The evaluation platform holds 64 adds and 256 searches open; this is 16 times that.
MOST_WAITING: Final = 4096

_Result = TypeVar("_Result")
_Key = tuple[str, str]


class _Queue:
    """The calls of one key: one runs, the others wait in order of arrival."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class Lane:
    """A few threads and the bounded queue before them.

    Calls with the same key run one after the other in order of arrival. A call whose caller is
    gone still runs to its end.

    Args:
        name: the lane's name in thread names and metrics.
        threads: how many calls run at once.
        most_waiting: further calls are refused while that many wait.
    """

    def __init__(self, name: str, *, threads: int, most_waiting: int = MOST_WAITING) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"graphmem-{name}")
        self._slots = asyncio.Semaphore(threads)
        self._queues: dict[_Key, _Queue] = {}
        self._most_waiting = most_waiting
        self.waiting = 0
        self.running = 0

    async def run(self, call: Callable[[], _Result], *, key: _Key | None = None) -> _Result:
        """Run a blocking call on one of the lane's threads.

        Raises:
            OverloadedError: too many calls wait already; nothing was run.
        """
        if self.waiting >= self._most_waiting:
            raise OverloadedError
        async with AsyncExitStack() as held:
            with stage("wait"):
                await held.enter_async_context(self._turn(key))
                await held.enter_async_context(self._slot())
            work = partial(copy_context().run, call)
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Wait for the running calls and end the threads."""
        self._pool.shutdown(wait=True)

    @asynccontextmanager
    async def _turn(self, key: _Key | None) -> AsyncIterator[None]:
        self.waiting += 1
        try:
            if key is None:
                yield
                return
            queue = self._queues.setdefault(key, _Queue())
            queue.users += 1
            try:
                async with queue.lock:
                    yield
            finally:
                queue.users -= 1
                if not queue.users:
                    del self._queues[key]
        finally:
            self.waiting -= 1

    @asynccontextmanager
    async def _slot(self) -> AsyncIterator[None]:
        async with self._slots:
            self.waiting -= 1
            self.running += 1
            try:
                yield
            finally:
                self.running -= 1
                self.waiting += 1


class Workers:
    """The lanes of one server; separate, so that no surface starves another."""

    def __init__(self, *, product_threads: int) -> None:
        self.adds = Lane("add", threads=ADD_THREADS)
        self.searches = Lane("search", threads=SEARCH_THREADS)
        self.atomic_writes = Lane("atomic-write", threads=ADD_THREADS)
        self.atomic_reads = Lane("atomic-read", threads=SEARCH_THREADS)
        # As many as may be in at once: none waits for another's model.
        self.product = Lane("product", threads=product_threads)
        self.parsing = Lane("parse", threads=PARSE_THREADS)
        self.operations = Lane("operations", threads=OPERATION_THREADS)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """All lanes, in the order in which a request passes them."""
        return (
            self.parsing,
            self.adds,
            self.searches,
            self.atomic_writes,
            self.atomic_reads,
            self.product,
            self.operations,
        )

    def close(self) -> None:
        """Wait for all running calls and end the threads."""
        for lane in self.lanes:
            lane.close()
