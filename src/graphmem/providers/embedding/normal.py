"""Raw model output to unit vectors, refusing what has no direction."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import EmbeddingResponseError
from graphmem.ports.embedder import Vectors

RawVectors: TypeAlias = NDArray[np.floating] | NDArray[np.integer]


def unit_rows(raw: RawVectors) -> Vectors:
    """Rows scaled to length 1: float32 [rows, dimension], computed in float64.

    Raises:
        EmbeddingResponseError: a row holds NaN or infinity, or is all zeros.
    """
    exact = raw.astype(np.float64)
    if not np.isfinite(exact).all():
        raise EmbeddingResponseError("the embedding model gave a vector with NaN or infinity in it")
    # Scaling by the largest component first keeps the squares of extreme values in range.
    largest = np.abs(exact).max(axis=1, initial=0.0, keepdims=True)
    if not largest.all():
        raise EmbeddingResponseError("the embedding model gave a vector of zeros")
    scaled = exact / largest
    lengths = np.sqrt(np.square(scaled).sum(axis=1, keepdims=True))
    unit: Vectors = (scaled / lengths).astype(np.float32)
    return unit
