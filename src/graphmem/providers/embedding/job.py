"""What waits in the pool: a submission, and the parts that it is embedded in."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np

from graphmem.errors import EmbeddingError
from graphmem.ports.embedder import Vectors


class Priority(enum.IntEnum):
    """Which of two waiting parts goes first: the lower."""

    QUERY = 0
    FOR_QUERY = 1  # passages that a query waits for
    IN_CALL = 2
    BACKGROUND = 3


class Submission:
    """Texts that were handed in together and are answered by one future.

    Its future stays pending until it is settled, so that it can be cancelled while some of its
    parts are done. Not thread-safe: the pool calls `take` and `drop` under its lock.
    """

    def __init__(self) -> None:
        self.future: Future[Vectors] = Future()
        self._done: dict[int, Vectors] = {}
        self._missing = 0
        self._is_settled = False

    @property
    def is_wanted(self) -> bool:
        """Whether anybody still waits for it."""
        return not (self._is_settled or self.future.cancelled())

    def split(self, texts: Sequence[str], *, size: int, characters: int) -> Sequence[Sequence[str]]:
        """Its parts, of at most so many texts and characters, but of one text at least.

        One part without texts where there are none.
        """
        parts: list[list[str]] = [[]]
        left = characters
        for text in texts:
            left -= len(text)
            if parts[-1] and (len(parts[-1]) == size or left < 0):
                parts.append([])
                left = characters - len(text)
            parts[-1].append(text)
        self._missing = len(parts)
        return parts

    def take(self, index: int, vectors: Vectors) -> bool:
        """Keep a part's vectors; True when that was the last one, to be followed by `finish`."""
        self._done[index] = vectors
        is_last = len(self._done) == self._missing and not self._is_settled
        self._is_settled |= is_last
        return is_last

    def drop(self) -> bool:
        """Give it up; True for the one call that settles it, to be followed by `fail`."""
        is_first = not self._is_settled
        self._is_settled = True
        self._done.clear()
        return is_first

    def finish(self) -> None:
        """Answer its future. Runs callbacks, so no lock may be held."""
        if self.future.set_running_or_notify_cancel():
            rows = [self._done[index] for index in sorted(self._done)]
            self.future.set_result(rows[0] if len(rows) == 1 else np.concatenate(rows))

    def fail(self, error: EmbeddingError) -> None:
        """Fail its future. Runs callbacks, so no lock may be held."""
        if self.future.set_running_or_notify_cancel():
            self.future.set_exception(error)


@dataclass(order=True, frozen=True, slots=True, kw_only=True)
class Part:
    """Texts embedded in one call; ordered as they leave the queue.

    Attributes:
        priority: of its submission.
        due: when its turn comes: as many parts after the one then served as stand before it in
            its submission.
        number: of its arrival.
        index: its place in the submission.
        texts: at most the pool's `max_batch` of them.
        is_alone: it is not joined with others, since a joined call failed before.
    """

    priority: Priority
    due: int
    number: int
    index: int = field(compare=False)
    texts: Sequence[str] = field(compare=False)
    submission: Submission = field(compare=False)
    is_alone: bool = field(compare=False, default=False)

    @property
    def characters(self) -> int:
        """How long its texts are together."""
        return sum(map(len, self.texts))

    @property
    def weight(self) -> int:
        """Memory that it holds, about: characters, and what a string and its part take."""
        return sum(len(text) + 128 for text in self.texts)
