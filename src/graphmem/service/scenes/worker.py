"""SceneWorker has scenes told in the background, whoever left them on the list."""

from __future__ import annotations

import logging
import threading
from typing import Final

from graphmem.domain.scope import Scope
from graphmem.errors import ChatError, ServiceClosedError, StoreError
from graphmem.ports.store import Store
from graphmem.service.locks import ScopeLocks
from graphmem.service.scenes.telling import Telling

FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


class SceneWorker:
    """One thread that works off the durable lists of scenes, memory by memory.

    It begins with what an earlier process left, and tries again with growing pauses while the model
    is out. Memories that somebody waits for are left to their callers. It is a thread of its own,
    since a call of a chat model may take minutes.

    Args:
        store: the memories.
        telling: does the work.
        locks: tell which memories somebody waits for.
    """

    def __init__(self, store: Store, telling: Telling, locks: ScopeLocks) -> None:
        self._store = store
        self._telling = telling
        self._locks = locks
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._idle = threading.Condition()
        self._is_idle = telling.teller is None
        self._thread = threading.Thread(target=self._run, name="graphmem-scenes", daemon=True)

    def start(self) -> None:
        """Begin, if there is a model."""
        if self._telling.teller is not None:
            self._thread.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        if self._telling.teller is not None:
            with self._idle:
                self._is_idle = False
                self._wake.set()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        with self._idle:
            return self._idle.wait_for(lambda: self._is_idle, timeout_seconds)

    def close(self) -> None:
        """End after the scene at hand, whose call the closed model ends. What is left stays listed."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._closing.is_set():
            self._wake.clear()
            told, has_failed = self._try_sweep()
            if told:
                pause = FIRST_PAUSE_SECONDS
            elif has_failed:
                self._closing.wait(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                self._rest()
                if not self._closing.is_set():  # `close` sets it before it wakes
                    self._wake.wait()
                pause = FIRST_PAUSE_SECONDS

    def _rest(self) -> None:
        with self._idle:
            self._is_idle = not self._wake.is_set()
            self._idle.notify_all()

    def _try_sweep(self) -> tuple[int, bool]:
        """Work once through the list: how many scenes were told, and whether anything failed."""
        told, has_failed = 0, False
        try:
            for scope in self._store.scene_scopes():
                if self._may_work(scope):
                    found = self._try_tell(scope)
                    told += found or 0
                    has_failed |= found is None
        except ServiceClosedError:
            self._closing.set()
        except StoreError as error:
            _log.warning("scenes could not be told, will try again: %s", error)
            has_failed = True
        return told, has_failed

    def _try_tell(self, scope: Scope) -> int | None:
        """Have one memory's scenes told; None when the model fails, which keeps no other waiting."""
        try:
            return self._telling.tell(scope, goes_on=lambda: self._may_work(scope))
        except ChatError as error:
            if not self._closing.is_set():
                _log.warning("a scene could not be told, will try again: %s", error)
            return None

    def _may_work(self, scope: Scope) -> bool:
        return not self._closing.is_set() and not self._locks.is_used(scope)
