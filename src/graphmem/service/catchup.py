"""CatchUp brings in, in the background, the vectors that did not make it into their add."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from graphmem.domain.scope import Scope
from graphmem.errors import EmbeddingError, ServiceClosedError, StoreError
from graphmem.ports.clock import Clock
from graphmem.ports.store import Span, Store
from graphmem.service.dense import Dense
from graphmem.service.landing import cut, land, redraft

SLICE_TURNS: Final = 32  # one transaction, hence one version, for so many late turns
FIRST_PAUSE_SECONDS: Final = 0.5
LONGEST_PAUSE_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


class CatchUp:
    """One thread that works off the durable list of turns without vectors.

    It begins with what an earlier process left, tries again with growing pauses while the model
    is out, and publishes a new version with each slice that lands.
    """

    def __init__(self, store: Store, dense: Dense, clock: Clock) -> None:
        self._store = store
        self._dense = dense
        self._clock = clock
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._filling = threading.Lock()
        self._idle = threading.Condition()
        self._is_idle = False
        self._thread = threading.Thread(target=self._run, name="graphmem-catch-up", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._dense.on_failure = self.wake
        self._thread.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        with self._idle:
            self._is_idle = False
            self._wake.set()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        with self._idle:
            return self._idle.wait_for(lambda: self._is_idle, timeout_seconds)

    def close(self) -> None:
        """End after the slice at hand. What is left stays on the list."""
        self._closing.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._closing.is_set():
            self._wake.clear()
            progressed, finished = self._try_sweep()
            if finished:
                self._rest()
                if not self._closing.is_set():  # `close` sets it before it wakes
                    self._wake.wait()
                pause = FIRST_PAUSE_SECONDS
            else:
                pause = FIRST_PAUSE_SECONDS if progressed else min(2 * pause, LONGEST_PAUSE_SECONDS)
                self._closing.wait(0.0 if progressed else pause)

    def _rest(self) -> None:
        with self._idle:
            self._is_idle = not self._wake.is_set()
            self._idle.notify_all()

    def _try_sweep(self) -> tuple[bool, bool]:
        """Work once through the list: whether anything landed, whether nothing is left."""
        try:
            return self._sweep()
        except EmbeddingError:
            return False, False
        except ServiceClosedError:
            self._closing.set()
            return False, False
        except StoreError as error:
            _log.warning("late vectors could not be stored, will try again: %s", error)
            return False, False

    def _sweep(self) -> tuple[bool, bool]:
        if not self._dense.is_well and not self._dense.probe():
            return False, False
        scopes = self._store.pending_scopes(self._dense.fingerprint)
        landed = sum(self.fill_memory(scope) for scope in scopes)
        return landed > 0, not scopes

    def fill_memory(self, scope: Scope, landed: Callable[[int], None] = lambda _: None) -> int:
        """Embed and store what waits in one memory; what the model refuses goes on waiting.

        Args:
            scope: the memory.
            landed: told after each slice how many turns got their vectors.

        Returns:
            How many turns got their vectors.

        Raises:
            EmbeddingError: the model is out; what landed before stays.
            StoreError: the store failed.
        """
        total = 0
        with self._filling:  # two at the same list would embed everything twice
            with self._store.read(scope) as snapshot:
                waiting = snapshot.pending(self._dense.fingerprint)
            for span in waiting:
                for piece in cut(span, SLICE_TURNS):
                    if self._closing.is_set():
                        return total
                    turns = self._fill(scope, piece)
                    landed(turns)
                    total += turns
        return total

    def _fill(self, scope: Scope, span: Span) -> int:
        """Embed and store one slice: how many of its turns landed."""
        with self._store.read(scope) as snapshot:
            turns = snapshot.turns(range(span.first_turn, span.first_turn + span.turns))
        vectors = self._dense.embed_in_background(redraft(turns))
        found = sum(vector is not None for vector in vectors)
        if not found:
            return 0
        with self._store.write(scope) as tx:
            tx.put_model(self._dense.model)
            done = land(tx, self._dense.fingerprint, span, vectors, self._clock.now_us())
        return found if done else 0
