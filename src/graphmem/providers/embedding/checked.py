"""A guard around any embedder, so that nothing but proper unit vectors reaches an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from graphmem.errors import EmbeddingResponseError
from graphmem.ports.embedder import Embedder, EmbeddingModel, Vectors

NORM_TOLERANCE: Final = 1e-3


class CheckedEmbedder:
    """Enforces the port's laws on another embedder; as thread-safe as that one."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def model(self) -> EmbeddingModel:
        return self._inner.model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = self._inner.embed_passages(texts)
        return check_vectors(vectors, count=len(texts), dimension=self.model.dimension)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        vectors = self._inner.embed_queries(texts)
        return check_vectors(vectors, count=len(texts), dimension=self.model.dimension)

    def close(self) -> None:
        self._inner.close()


def check_vectors(vectors: Vectors, *, count: int, dimension: int) -> Vectors:
    """The vectors themselves: float32 [count, dimension].

    Raises:
        EmbeddingResponseError: they are too few or many, of another dimension or type, not finite
            or not of length 1.
    """
    if vectors.shape != (count, dimension):
        shape = "x".join(str(size) for size in vectors.shape)
        raise EmbeddingResponseError(
            f"the embedding model gave vectors of shape {shape} where {count}x{dimension} was due"
        )
    if vectors.dtype != np.float32:
        raise EmbeddingResponseError(
            f"the embedding model gave {vectors.dtype} vectors, not float32"
        )
    if not np.isfinite(vectors).all():
        raise EmbeddingResponseError("the embedding model gave a vector with NaN or infinity in it")
    lengths = np.sqrt(np.square(vectors, dtype=np.float64).sum(axis=1))
    if (np.abs(lengths - 1.0) > NORM_TOLERANCE).any():
        raise EmbeddingResponseError("the embedding model gave a vector that is not of length 1")
    return vectors
