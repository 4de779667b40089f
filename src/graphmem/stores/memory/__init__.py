"""The in-memory store: the oracle that other stores are tested against."""

from __future__ import annotations

from graphmem.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
