"""The embedded store: one SQLite file in one directory."""

from __future__ import annotations

from graphmem.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
