"""The composition root: the only place that names concrete stores and providers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.config import ServiceConfig
from graphmem.ports.clock import Clock
from graphmem.ports.identity import IdentitySource
from graphmem.ports.store import Store
from graphmem.providers.clock import SystemClock
from graphmem.providers.identity import RandomIdentity
from graphmem.stores.sqlite.store import SqliteStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Everything that a service reaches the world through.

    Attributes:
        announce: tells other processes at which address this one serves.
    """

    store: Store
    clock: Clock
    identity: IdentitySource
    announce: Callable[[str], None]


def build_parts(config: ServiceConfig, *, read_only: bool) -> Parts:
    """Open what the settings ask for.

    Raises:
        StoreError: the data directory is held by another process, or can't be used.
    """
    store = SqliteStore.open(config.data_dir, read_only=read_only)
    return Parts(
        store=store, clock=SystemClock(), identity=RandomIdentity(), announce=store.announce
    )
