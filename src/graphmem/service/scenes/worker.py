"""SceneWorker has scenes told in the background, whoever left them on the list."""

from __future__ import annotations

import logging

from graphmem.domain.scope import Scope
from graphmem.errors import ChatError, ServiceClosedError, StoreError
from graphmem.ports.store import Store
from graphmem.service.locks import ScopeLocks
from graphmem.service.scenes.telling import Telling
from graphmem.service.shift import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Shift

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
        self._shift = Shift(self._run, name="graphmem-scenes", is_idle=telling.teller is None)

    def start(self) -> None:
        """Begin, if there is a model."""
        if self._telling.teller is not None:
            self._shift.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        if self._telling.teller is not None:
            self._shift.wake()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        return self._shift.wait(timeout_seconds)

    def close(self) -> None:
        """End after the scene at hand, whose call the closed model ends. What is left stays listed."""
        self._shift.end()
        self._shift.join()

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._shift.is_over:
            self._shift.look()
            told, has_failed = self._try_sweep()
            if told:
                pause = FIRST_PAUSE_SECONDS
            elif has_failed:
                self._shift.pause(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                self._shift.rest()
                pause = FIRST_PAUSE_SECONDS

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
            self._shift.end()
        except StoreError as error:
            _log.warning("scenes could not be told, will try again: %s", error)
            has_failed = True
        return told, has_failed

    def _try_tell(self, scope: Scope) -> int | None:
        """Have one memory's scenes told; None when the model fails, which keeps no other waiting."""
        try:
            return self._telling.tell(scope, goes_on=lambda: self._may_work(scope))
        except ChatError as error:
            if not self._shift.is_over:
                _log.warning("a scene could not be told, will try again: %s", error)
            return None

    def _may_work(self, scope: Scope) -> bool:
        return not self._shift.is_over and not self._locks.is_used(scope)
