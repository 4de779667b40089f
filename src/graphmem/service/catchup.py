"""CatchUp completes, in the background, what was not built when its add was answered."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final

from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import EmbeddingError, ServiceClosedError, StoreError
from graphmem.index.vectors import Quantised
from graphmem.ports.store import Store
from graphmem.service.builder import Builder
from graphmem.service.dense import Dense
from graphmem.service.landing import redraft
from graphmem.service.shift import FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS, Shift

SLICE_TURNS: Final = 32  # one transaction, hence one version, for so many late turns

_log = logging.getLogger(__name__)


class CatchUp:
    """One thread that works off the durable list of turns without vectors.

    It begins with what an earlier process left: memories that were not published, and those whose
    index is of another version, which costs no model. Then it tries again with growing pauses
    while the model is out. Memories that somebody waits for are left to their callers.

    Args:
        store: the memories.
        dense: the embedding model, None without one.
        builder: does the work.
    """

    def __init__(self, store: Store, dense: Dense | None, builder: Builder) -> None:
        self._store = store
        self._dense = dense
        self._builder = builder
        self._is_tidy = False
        self._shift = Shift(self._run, name="graphmem-catch-up")

    def start(self) -> None:
        """Begin."""
        if self._dense:
            self._dense.on_failure = self.wake
        self._shift.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        self._shift.wake()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        return self._shift.wait(timeout_seconds)

    def close(self) -> None:
        """End after the slice at hand. What is left stays on the list."""
        self._shift.end()
        self._shift.join()

    def _run(self) -> None:
        pause = FIRST_PAUSE_SECONDS
        while not self._shift.is_over:
            self._shift.look()
            progressed, finished = self._try_sweep()
            if finished:
                self._shift.rest()
                pause = FIRST_PAUSE_SECONDS
            else:
                pause = FIRST_PAUSE_SECONDS if progressed else min(2 * pause, LONGEST_PAUSE_SECONDS)
                self._shift.pause(0.0 if progressed else pause)

    def _try_sweep(self) -> tuple[bool, bool]:
        """Work once through the list: whether anything landed, whether nothing is left."""
        try:
            is_tidy = self._tidy()
            progressed, finished = self._sweep()
            return progressed, finished and is_tidy
        except EmbeddingError:
            return False, False
        except ServiceClosedError:
            self._shift.end()
            return False, False
        except StoreError as error:
            _log.warning("memories could not be completed, will try again: %s", error)
            return False, False

    def _tidy(self) -> bool:
        """Once, do what earlier processes left and what needs no model; whether nothing failed.

        Memories in use are looked at again when their callers are done, who may leave them as
        they are: a replay builds nothing.
        """
        if self._is_tidy:
            return True
        failed = skipped = 0
        for scope in self._store.stale_scopes(self._builder.build.to_text()):
            if not self._may_work(scope):
                skipped += 1
            elif not self._try_tidy(scope):
                failed += 1
        self._is_tidy = not (failed or skipped)
        return not failed

    def _try_tidy(self, scope: Scope) -> bool:
        """Tidy one memory; its failure keeps no other from being tidied."""
        try:
            self._builder.tidy(scope)
        except StoreError as error:
            _log.warning("a memory could not be completed, will try again: %s", error)
            return False
        return True

    def _sweep(self) -> tuple[bool, bool]:
        dense = self._dense
        if dense is None:
            return False, True
        if not dense.is_well and not dense.probe():
            return False, False
        scopes = [s for s in self._store.pending_scopes(dense.fingerprint) if self._may_work(s)]
        landed = sum(self._fill(dense, scope) for scope in scopes)
        return landed > 0, not scopes

    def _fill(self, dense: Dense, scope: Scope) -> int:
        def embed(turns: Sequence[Turn]) -> tuple[Sequence[Quantised | None], None]:
            return dense.embed_in_background(redraft(turns)), None

        return self._builder.fill(
            scope, embed, slice_turns=SLICE_TURNS, goes_on=lambda: self._may_work(scope)
        )

    def _may_work(self, scope: Scope) -> bool:
        return not self._shift.is_over and not self._builder.locks.is_used(scope)
