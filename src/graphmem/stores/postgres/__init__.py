"""The shared store: one PostgreSQL database, any number of processes."""

from __future__ import annotations

from graphmem.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
