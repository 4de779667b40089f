"""The pulse of a service looks, every few seconds, for what other processes did on a shared store."""

from __future__ import annotations

import logging
from typing import Final

from graphmem.errors import ServiceClosedError, StoreError
from graphmem.service.background import Background
from graphmem.service.erasing import Erasing
from graphmem.service.keyring import Keyring
from graphmem.service.shift import Shift

BEAT_SECONDS: Final = 2.0  # a revoked key is refused everywhere after so long
# What a process left that died is found by the others; the look costs a few small queries.
BEATS_TO_A_LOOK: Final = 15

_log = logging.getLogger(__name__)


class Pulse:
    """One thread that takes over keys, and has what works off lists look at them.

    While the store does not answer the keys stay as they are: without it no call is served anyway.

    Args:
        keyring: the keys.
        background: works off what waits for models.
        erasing: works off what is to be erased.
    """

    def __init__(self, keyring: Keyring, background: Background, erasing: Erasing) -> None:
        self._keyring = keyring
        self._background = background
        self._erasing = erasing
        self._shift = Shift(self._run, name="graphmem-pulse")

    def start(self) -> None:
        """Begin."""
        self._shift.start()

    def close(self) -> None:
        """End."""
        self._shift.end()
        self._shift.join()

    def _run(self) -> None:
        beats = 0
        while not self._shift.pause(BEAT_SECONDS):
            beats += 1
            try:
                self._keyring.refresh()
                if beats % BEATS_TO_A_LOOK == 0:
                    self._background.wake()
                    self._erasing.look()
            except ServiceClosedError:
                return
            except StoreError as error:
                _log.debug("the store could not be looked at: %s", type(error).__name__)
