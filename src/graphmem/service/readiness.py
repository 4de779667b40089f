"""Readiness says whether a service can do its work now, and why not, without ids."""

from __future__ import annotations

import logging
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from graphmem.errors import StoreError
from graphmem.ports.store import Store
from graphmem.service.build import Build
from graphmem.service.statistics import read_backlog

# An add of 1 MiB takes some MiB with its index, vectors and log; SQLite needs room to fold the log.
LEAST_FREE_BYTES: Final = 64 * 1024 * 1024
_log = logging.getLogger(__name__)

Part = Literal["store", "disk", "model", "chat", "answers", "rerank", "rebuild"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """Something that is not as it should be."""

    part: Part
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """Whether calls can be served.

    Attributes:
        blockers: why they can't, empty when they can.
        degraded: what is worse than usual while they can.
    """

    blockers: tuple[Reason, ...]
    degraded: tuple[Reason, ...]

    @property
    def is_ready(self) -> bool:
        """Whether calls can be served."""
        return not self.blockers

    def to_dict(self) -> dict[str, object]:
        """The readiness as JSON-ready values."""
        return {
            "status": "ready" if self.is_ready else "not ready",
            "reasons": [asdict(reason) for reason in self.blockers],
            "degraded": [asdict(reason) for reason in self.degraded],
        }


def check_readiness(
    store: Store,
    directory: Path | None,
    *,
    build: Build,
    model_is_well: bool,
    chat_is_well: bool = True,
    answers_are_well: bool = True,
    reranker_is_well: bool = True,
) -> Readiness:
    """Look at everything that an add or a search needs.

    Args:
        store: where memories are kept.
        directory: whose disk has to have room; looked at only while it is there;
            None for a database, whose server minds its disk.
        build: the build in force.
        model_is_well: whether the embedding model, or the one that should be there, answers.
        chat_is_well: whether the chat model answers, or there is none.
        answers_are_well: whether the chat model that answers questions did so when last asked.
        reranker_is_well: whether the reranking model worked when last asked, or there is none.
    """
    blockers, degraded = [], []
    try:
        store.ping()
        pending = read_backlog(store, build).pending_memories
    except StoreError as error:
        _log.warning("not ready: %s", type(error).__name__)
        reason = f"the store does not answer ({type(error).__name__}); graphmem doctor says more"
        blockers.append(Reason(part="store", reason=reason))
        pending = 0
    if (
        directory is not None
        and directory.is_dir()
        and shutil.disk_usage(directory).free < LEAST_FREE_BYTES
    ):
        mib = LEAST_FREE_BYTES // (1024 * 1024)
        reason = f"less than {mib} MiB are free where the memories are; free some"
        blockers.append(Reason(part="disk", reason=reason))
    if not model_is_well:
        reason = "the embedding model is out: search goes by words, new turns wait for vectors"
        degraded.append(Reason(part="model", reason=reason))
    if not chat_is_well:
        reason = "the chat model is out: rules find the atoms of new turns until it is back"
        degraded.append(Reason(part="chat", reason=reason))
    if not answers_are_well:
        reason = "the chat model gave no answer when it was last asked; prepare needs none"
        degraded.append(Reason(part="answers", reason=reason))
    if not reranker_is_well:
        reason = "the reranking model failed when it was last asked: searches go on without it"
        degraded.append(Reason(part="rerank", reason=reason))
    if pending:
        reason = f"memories that wait for a model or for a rebuild: {pending}"
        degraded.append(Reason(part="rebuild", reason=reason))
    return Readiness(blockers=tuple(blockers), degraded=tuple(degraded))
