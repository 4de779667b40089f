"""The cache of compiled views: bounded by bytes, least recently used out first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from graphmem.domain.scope import Scope
from graphmem.index.codec import decode
from graphmem.index.vectors import VectorBlock, from_bytes
from graphmem.index.view import CompiledView
from graphmem.ports.store import Head, ReadTransaction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Shown:
    """A view with the generation of the rows that it was compiled from."""

    view: CompiledView
    generation: int

    def is_up_to(self, head: Head) -> bool:
        """Whether it is what this head publishes, or later."""
        return self.generation >= head.generation and self.view.version >= head.ready_version


@dataclass(slots=True, eq=False)
class _Entry:
    """One memory's newest view; its lock makes one reader load what all wait for."""

    shown: _Shown = field(default_factory=lambda: _Shown(view=CompiledView.empty(), generation=0))
    lock: threading.Lock = field(default_factory=threading.Lock)
    nbytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheStatistics:
    """What the cache holds and how it fared since it was made."""

    memories: int
    nbytes: int
    hits: int
    misses: int


class ViewCache:
    """Newest views of memories in use.

    Args:
        limit_bytes: the most that all views may hold together; the one in use always stays.
        model: fingerprint of the model whose vectors the views hold, None for none.
    """

    def __init__(self, limit_bytes: int, model: str | None = None) -> None:
        self._limit = limit_bytes
        self._model = model
        self._entries: OrderedDict[Scope, _Entry] = OrderedDict()
        self._lock = threading.Lock()
        self._nbytes = 0
        self._hits = 0
        self._misses = 0

    def view(self, scope: Scope, read: ReadTransaction, head: Head) -> CompiledView:
        """The memory's published view or, when others are ahead, a later one.

        Args:
            scope: the memory.
            read: an open snapshot of it.
            head: the memory's state in that snapshot.
        """
        entry = self._entry(scope)
        if entry.shown.is_up_to(head):
            self._hits += 1
            return entry.shown.view
        with entry.lock:
            if not entry.shown.is_up_to(head):
                self._misses += 1
                entry.shown = self._next(entry.shown, read, head)
                self._account(scope, entry)
            return entry.shown.view

    def private_view(self, read: ReadTransaction, head: Head) -> CompiledView:
        """The published view for one caller alone, whatever the shared one shows."""
        return self._extended(CompiledView.empty(), read, head.ready_version)

    def drop(self, scope: Scope) -> None:
        """Hold nothing of a memory; readers that have its view keep it until they are done."""
        with self._lock:
            entry = self._entries.pop(scope, None)
            if entry is not None:
                self._nbytes -= entry.nbytes

    def _next(self, shown: _Shown, read: ReadTransaction, head: Head) -> _Shown:
        is_same = shown.generation == head.generation
        known = shown.view if is_same else CompiledView.empty()
        view = self._extended(known, read, head.ready_version)
        return _Shown(view=view, generation=head.generation)

    def _extended(self, view: CompiledView, read: ReadTransaction, version: int) -> CompiledView:
        segments = read.segments(since=view.version)
        vectors = read.vectors(self._model, since=view.version) if self._model else []
        return view.extended(
            [decode(row.data) for row in segments],
            [
                VectorBlock(
                    first_turn=row.first_turn, turns=row.turns, vectors=from_bytes(row.data)
                )
                for row in vectors
                # What has landed for the next version is published when all of it has.
                if row.version <= version
            ],
            version,
        )

    def statistics(self) -> CacheStatistics:
        """Counts since the cache was made."""
        with self._lock:
            return CacheStatistics(
                memories=len(self._entries),
                nbytes=self._nbytes,
                hits=self._hits,
                misses=self._misses,
            )

    def _entry(self, scope: Scope) -> _Entry:
        with self._lock:
            entry = self._entries.get(scope)
            if entry is None:
                entry = self._entries[scope] = _Entry()
            self._entries.move_to_end(scope)
            return entry

    def _account(self, scope: Scope, entry: _Entry) -> None:
        nbytes = entry.shown.view.nbytes
        with self._lock:
            if self._entries.get(scope) is not entry:  # evicted while it was loaded
                return
            self._nbytes += nbytes - entry.nbytes
            entry.nbytes = nbytes
            while self._nbytes > self._limit and len(self._entries) > 1:
                oldest, evicted = next(iter(self._entries.items()))
                del self._entries[oldest]
                self._nbytes -= evicted.nbytes
