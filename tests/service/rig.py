"""A service of the product's policy on any store, with a model that tests hold in their hands."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.domain.scope import Scope
from graphmem.ports.claims import Claims
from graphmem.ports.store import Head, Store
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from tests.service.conftest import CountingIdentity, StillClock

SCOPE = Scope(tenant_id="t", memory_id="m")
PATIENCE = 30.0


@dataclass
class StrictRig:
    store: Store
    model: FakeEmbedder
    service: MemoryService

    def head(self, scope: Scope = SCOPE) -> Head:
        with self.store.read(scope) as snapshot:
            head = snapshot.head()
        assert head is not None
        return head

    def landed(self, scope: Scope = SCOPE) -> int:
        with self.store.read(scope) as snapshot:
            spans = snapshot.vector_spans(self.model.model.fingerprint)
        return sum(span.turns for span in spans)


@contextmanager
def strict_rig(
    store: Store,
    *,
    model: FakeEmbedder | None = None,
    background: bool = False,
    silence_seconds: float = 1.0,
    model_timeout_seconds: float = 20.0,
    in_call_seconds: float = 0.1,
    is_local: bool = False,
    claims: Claims | None = None,
) -> Iterator[StrictRig]:
    """A service that leaves the store open at its end, as a process that was killed does."""
    held = model or FakeEmbedder()
    pool = EmbeddingPool(
        lambda: held, fingerprint=held.model.fingerprint, max_batch=4, is_local=is_local
    )
    parts = Parts(
        store=store,
        embeddings=pool,
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
        claims=claims,
    )
    dense = DenseConfig(in_call_seconds=in_call_seconds, timeout_seconds=silence_seconds)
    config = ServiceConfig(dense=dense, model_timeout_seconds=model_timeout_seconds)
    service = MemoryService(parts, config)
    if background:
        service.start()
    try:
        yield StrictRig(store, held, service)
    finally:
        held.recover()
        service._background.close()
        pool.close()


def until(holds: Callable[[], bool]) -> None:
    done = threading.Event()
    for _ in range(int(PATIENCE / 0.01)):
        if holds():
            return
        done.wait(0.01)
    raise AssertionError("it did not come about in time")
