"""What the tests of atoms say, and how they look at a memory's atoms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from tests.service.conftest import CountingIdentity, StillClock

from graphmem.config import ServiceConfig
from graphmem.domain.atom_query import FoundAtom
from graphmem.domain.message import Message
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService
from graphmem.service.policy import PRODUCT, Policy

# Some say the same, to the letter or nearly; some tell nothing; some are kept only verbatim.
TEXTS = (
    "I love sushi.",
    "I hate sushi.",
    "i love  sushi!",
    "I live in Berlin. My sister is a nurse.",
    "I live in Paris.",
    "Thanks, that's great!",
    "Always answer in French.",
    "20.04, 3 kg, Bob",
    "我喜欢关西线路。",
    "以后都用中文回答。",
    "我上周去了上海。我住在北京。",
    "I visited Rome in 2021.",
    "I visited Rome in 2023.",
)


@contextmanager
def service_on(
    store: Store,
    *,
    clock: StillClock | None = None,
    dense: bool = False,
    model: FakeEmbedder | None = None,
    semantic: bool = True,
) -> Iterator[MemoryService]:
    """A service whose ids and times are the same every time; nothing runs in the background."""
    dense = dense or model is not None
    model = model or FakeEmbedder()
    parts = Parts(
        store=store,
        embeddings=(
            EmbeddingPool(lambda: model, fingerprint=model.model.fingerprint, max_batch=4)
            if dense
            else None
        ),
        clock=clock or StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
    )
    config = replace(ServiceConfig(), semantic_build=semantic)
    yield MemoryService(parts, config)


def say(
    service: MemoryService,
    *texts: str,
    speaker: str | None = "Ann",
    session: str = "s",
    at: str | None = None,
    policy: Policy = PRODUCT,
    request_id: str | None = None,
) -> tuple[str, ...]:
    """Add messages; give their ids."""
    messages = [Message(role="user", content=t, speaker=speaker, timestamp=at) for t in texts]
    return service.add("t", "m", session, messages, policy=policy, request_id=request_id).turn_ids


def atoms(service: MemoryService, memory: str = "m") -> list[FoundAtom]:
    """All atoms of the memory, ordered by id."""
    found: list[FoundAtom] = []
    while True:
        page = service.query_atoms("t", memory, limit=100, offset=len(found))
        found += page.items
        if len(found) >= page.total:
            return sorted(found, key=lambda one: one.atom.atom_id)


def contents(service: MemoryService) -> list[str]:
    """What the atoms say, sorted."""
    return sorted(one.atom.content for one in atoms(service))


def held(service: MemoryService) -> list[str]:
    """What the atoms say that no newer value took the place of, sorted."""
    return sorted(one.atom.content for one in atoms(service) if not one.is_superseded)


def only(service: MemoryService, content: str) -> FoundAtom:
    """The one atom that says this."""
    (found,) = [one for one in atoms(service) if one.atom.content == content]
    return found
