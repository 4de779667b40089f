"""A thread-safe map that forgets what was used least recently once it holds too many bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class LRUStatistics:
    """What a map holds and how it fared since it was made."""

    nbytes: int
    hits: int
    misses: int


class BytesLRU(Generic[Key, Value]):
    """A map bounded by bytes.

    Args:
        limit_bytes: the most that its values may take together; 0 keeps nothing.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._items: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._nbytes = 0
        self._hits = 0
        self._misses = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Value | None:
        """The value, None when it is not held (any more)."""
        with self._lock:
            item = self._items.get(key)
            if item is None:
                self._misses += 1
                return None
            self._hits += 1
            self._items.move_to_end(key)
            return item[0]

    def drop(self, is_unwanted: Callable[[Key], bool]) -> None:
        """Hold no value any more whose key is unwanted."""
        with self._lock:
            for key in [key for key in self._items if is_unwanted(key)]:
                _, gone = self._items.pop(key)
                self._nbytes -= gone

    def put(self, key: Key, value: Value, nbytes: int) -> None:
        """Hold a value that takes so many bytes."""
        with self._lock:
            _, replaced = self._items.pop(key, (None, 0))
            self._items[key] = (value, nbytes)
            self._nbytes += nbytes - replaced
            while self._nbytes > self._limit and self._items:
                _, (_, gone) = self._items.popitem(last=False)
                self._nbytes -= gone

    def statistics(self) -> LRUStatistics:
        """Counts since the map was made."""
        with self._lock:
            return LRUStatistics(nbytes=self._nbytes, hits=self._hits, misses=self._misses)
