"""The pool's queue: by priority, then first come first served, in bounded memory."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import replace

from graphmem.providers.embedding.job import Part, Priority


class WaitingParts:
    """Parts in the order they are due. Not thread-safe: the pool holds its lock around it."""

    def __init__(self, *, max_batch: int, max_characters: int, max_weight: int) -> None:
        self._max_batch = max_batch
        self._max_characters = max_characters
        self._max_weight = max_weight
        self._heap: list[Part] = []
        self._weight = 0

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, parts: Iterable[Part]) -> bool:
        """Take a submission's parts in; False when there is no room.

        Queries always find room: each holds up a caller, so there are not many, and a backlog of
        passages must not turn them away. So does a submission that finds the queue empty.
        """
        arrived = list(parts)
        weight = sum(part.weight for part in arrived)
        is_query = all(part.priority <= Priority.FOR_QUERY for part in arrived)
        if self._heap and not is_query and self._weight + weight > self._max_weight:
            return False
        for part in arrived:
            heapq.heappush(self._heap, part)
        self._weight += weight
        return True

    def put_back_alone(self, parts: Iterable[Part]) -> None:
        """Have each of these embedded by itself, in its old place in the queue."""
        for part in parts:
            heapq.heappush(self._heap, replace(part, is_alone=True))
            self._weight += part.weight

    def pop_batch(self) -> list[Part]:
        """The next part and those right behind it that may share its call; [] when none waits.

        Parts whose submission nobody wants are among them, but take up no place in the call.
        """
        batch: list[Part] = []
        texts = characters = 0
        while self._heap and (not batch or self._may_join(batch[0], texts, characters)):
            part = heapq.heappop(self._heap)
            self._weight -= part.weight
            batch.append(part)
            if part.submission.is_wanted:
                texts += len(part.texts)
                characters += part.characters
        return batch

    def pop_all(self) -> list[Part]:
        """Everything that waits; the queue is empty then."""
        parts, self._heap, self._weight = self._heap, [], 0
        return parts

    def _may_join(self, first: Part, texts: int, characters: int) -> bool:
        following = self._heap[0]
        return (
            following.priority is first.priority
            and not (first.is_alone or following.is_alone)
            and texts + len(following.texts) <= self._max_batch
            and (not texts or characters + following.characters <= self._max_characters)
        )
