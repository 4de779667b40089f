"""Background is all the work that goes on without a caller: late vectors, and scenes to be told."""

from __future__ import annotations

import time

from graphmem.service.catchup import CatchUp
from graphmem.service.scenes.worker import SceneWorker


class Background:
    """The threads of a service that work off lists.

    Args:
        catch_up: brings vectors that are late.
        scenes: has scenes told.
    """

    def __init__(self, catch_up: CatchUp, scenes: SceneWorker) -> None:
        self._catch_up = catch_up
        self._scenes = scenes

    def start(self) -> None:
        """Begin."""
        self._catch_up.start()
        self._scenes.start()

    def wake(self) -> None:
        """Look again now: there is new work."""
        self._catch_up.wake()
        self._scenes.wake()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nothing is left to do; whether that came in time."""
        until = time.monotonic() + timeout_seconds
        is_done = self._catch_up.wait(timeout_seconds)
        return is_done and self._scenes.wait(max(0.0, until - time.monotonic()))

    def close(self) -> None:
        """End after the slices at hand. What is left stays on the lists."""
        self._catch_up.close()
        self._scenes.close()
