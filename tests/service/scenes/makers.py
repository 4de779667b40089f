"""Services whose chat model plays a script, and how tests look at what it told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tests.providers.chat.server import said
from tests.providers.server import Answer
from tests.service.conftest import CountingIdentity, StillClock

from graphmem.config import ServiceConfig
from graphmem.domain.scope import Scope
from graphmem.errors import ChatUnavailableError
from graphmem.ports.chat import ChatMessage, ChatModel
from graphmem.ports.scenes import SceneRow
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import Parts
from graphmem.service.memory import MemoryService

SCOPE = Scope(tenant_id="t", memory_id="m")
_SENTENCE = re.compile(r"[^.!?。！？]+[.!?。！？]+")


def lister(messages: Sequence[ChatMessage]) -> str:
    """List what each turn says in the first person; the predicate tells how long the scene was."""
    turns = json.loads(messages[-1].content)
    atoms = [
        {
            "position": turn["position"],
            "quote": sentence.strip(),
            "type": "persona",
            "subject": "I",
            "predicate": "x" * len(turns),
            "value": "",
            "others": [0],
        }
        for turn in turns
        for sentence in _SENTENCE.findall(turn["text"])
        if re.match(r"\s*(I |我)", sentence)
    ]
    return json.dumps({"atoms": atoms})


def told(request: dict[str, Any]) -> Answer:
    """What a server answers that is asked over HTTP."""
    messages = [ChatMessage(**message) for message in request["messages"]]
    return said(lister(messages))(request)


def is_out(messages: Sequence[ChatMessage]) -> str:
    """Give no answer."""
    raise ChatUnavailableError("the chat server is out")


def says_nothing_of_use(messages: Sequence[ChatMessage]) -> str:
    """Answer what can't be used."""
    return "I see nothing to list."


@contextmanager
def told_service(
    store: Store,
    model: ChatModel | None,
    *,
    background: bool = False,
    dense: bool = False,
    **limits: int,
) -> Iterator[MemoryService]:
    """A service that leaves the store open at its end, as a process that was killed does."""
    embedder = FakeEmbedder()
    pool = (
        EmbeddingPool(lambda: embedder, fingerprint=embedder.model.fingerprint, max_batch=4)
        if dense
        else None
    )
    parts = Parts(
        store=store,
        embeddings=pool,
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
        chat=model,
    )
    config = replace(ServiceConfig(), build_overrides={"models": limits} if limits else {})
    service = MemoryService(parts, config)
    if background:
        service.start()
    try:
        yield service
    finally:
        if model:
            model.close()
        service._background.close()
        service._forgetter.erasing.close()
        if pool:
            pool.close()


def scenes(store: Store, scope: Scope = SCOPE) -> list[SceneRow]:
    """The scenes of the memory."""
    with store.read(scope) as snapshot:
        return snapshot.scenes()


def origins(service: MemoryService, memory: str = "m") -> dict[str, str]:
    """What the atoms say, and who found them."""
    found = service.query_atoms("t", memory, limit=100).items
    return {one.atom.content: one.atom.origin for one in found}
