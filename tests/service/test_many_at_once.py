"""32 threads that read and write 8 memories: no error, no lock in the way, and no growth."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT

THREADS: Final = 32
MEMORIES: Final = 8
# Memories keep their size, so what the process holds may only grow by what it has not used yet:
# threads' arenas, buffers of the caches (bounded by themselves), SQLite's pages. Measured: 3.8 MB
# in 5 s.
MOST_GROWTH_BYTES: Final = 48 * 1024 * 1024
LEAST_STEPS: Final = 16  # each thread works on until it has done each kind of step
MOST_NEW_HANDLES: Final = 16  # a pool opens connections when it first needs them
_PROC: Final = Path("/proc/self")
_SESSIONS_KEPT: Final = 3


class Worker:
    """One thread's work: it adds, searches, replays, and deletes its oldest sessions."""

    def __init__(self, service: MemoryService, number: int) -> None:
        self._service = service
        self._number = number
        self._policy = PRODUCT if number % 2 else ADD_SEARCH
        self.memory = f"m-{number % MEMORIES}"
        self._sessions: list[str] = []
        self._last: tuple[str, str, list[Message]] | None = None
        self.turns = 0
        self.steps = 0

    def run(self, until: float) -> None:
        while time.monotonic() < until or self.steps < LEAST_STEPS:
            self.steps += 1
            [self._add, self._search, self._search, self._replay][self.steps % 4]()
            if self.steps % 16 == 0:
                self._forget()

    def _add(self) -> None:
        session = f"s-{self._number}-{self.steps // 16}"
        said = [
            Message(role="user", content=f"turn {self._number} {self.steps} {i} of the choir")
            for i in range(1 + self.steps % 3)
        ]
        request = f"r-{self._number}-{self.steps}"
        receipt = self._service.add(
            "t", self.memory, session, said, request_id=request, policy=self._policy
        )
        assert (receipt.state, receipt.replayed) == ("ready", False)
        self._last = session, request, said
        self.turns += len(said)
        if session not in self._sessions:
            self._sessions.append(session)

    def _search(self) -> None:
        if self._last is None:
            return
        _, _, said = self._last
        found = self._service.retrieve(
            "t", self.memory, said[0].content, limit=10, policy=self._policy
        )
        assert said[0].content in {hit.content for hit in found.hits}

    def _replay(self) -> None:
        if self._last is None:
            return
        session, request, said = self._last
        assert self._service.add(
            "t", self.memory, session, said, request_id=request, policy=self._policy
        ).replayed

    def _forget(self) -> None:
        while len(self._sessions) > _SESSIONS_KEPT:
            session = self._sessions.pop(0)
            self.turns -= self._service.delete_session("t", self.memory, session).turns


def _held() -> tuple[int, int]:
    """Bytes in memory, and open handles."""
    pages = int((_PROC / "statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(list((_PROC / "fd").iterdir()))


def _work(service: MemoryService, seconds: float, look: Callable[[], None]) -> list[Worker]:
    workers = [Worker(service, number) for number in range(THREADS)]
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(worker.run, until) for worker in workers]
        threading.Event().wait(seconds / 3)
        look()
        for future in running:
            future.result()
    look()
    return workers


@pytest.mark.skipif(not _PROC.exists(), reason="needs /proc")
@pytest.mark.parametrize(
    "seconds", [5.0, pytest.param(60.0, marks=[pytest.mark.slow, pytest.mark.long])]
)
@pytest.mark.timeout(300)
def test_many_threads_read_and_write(
    tmp_path: Path, seconds: float, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    looks: list[tuple[int, int]] = []
    config = ServiceConfig(data_dir=tmp_path, embedding_model="fake")
    with MemoryService.open(config=config) as service:
        workers = _work(service, seconds, lambda: looks.append(_held()))
        kept: Counter[str] = Counter()
        for worker in workers:
            kept[worker.memory] += worker.turns
        page = service.list_memories("t")
        assert {memory.memory_id: memory.turns for memory in page.memories} == kept
        assert {memory.state for memory in page.memories} == {"ready"}
    assert min(worker.steps for worker in workers) >= LEAST_STEPS
    assert caplog.messages == []
    (bytes_before, handles_before), (bytes_after, handles_after) = looks
    assert bytes_after - bytes_before < MOST_GROWTH_BYTES
    assert handles_after - handles_before < MOST_NEW_HANDLES
    print(f"{sum(w.steps for w in workers)} steps, {bytes_after - bytes_before:,} bytes more")
