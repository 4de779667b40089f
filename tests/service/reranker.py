"""A reranker that tests hold in their hands: it likes texts that share words with the query."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from graphmem.errors import RerankError


class FakeReranker:
    """Thread-safe. What is public may be changed while it is in use.

    Attributes:
        failure: raised instead of an answer, None for none.
        asked: the query and the texts of each call.
        is_closed: whether it was.
    """

    name = "fake-reranker"
    fingerprint = "fake-reranker:1"

    def __init__(self) -> None:
        self.failure: RerankError | None = None
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.is_closed = False
        self._lock = threading.Lock()

    def score(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        with self._lock:
            self.asked.append((query, tuple(texts)))
        if self.failure is not None:
            raise self.failure
        words = set(query.casefold().split())
        return tuple(
            -5.0 + sum(word in words for word in text.casefold().split()) for text in texts
        )

    def close(self) -> None:
        self.is_closed = True
