"""Exact vectors: unit vectors rounded to int16, whose dot products are whole numbers in float32.

With components rounded at scale 4,000, every partial sum of a dot product is at most the product
of two lengths (Cauchy-Schwarz), below 2^24, and so exact in float32: its bits do not depend on
the order of summation, hence not on row, slice, batch, library or store.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import StoreFormatError

SCALE: Final = 4000  # top-10 overlap with float32 .996 (LoCoMo); 4,096 would touch 2^24
MAX_DIMENSION: Final = 32_768

_HEADER: Final = struct.Struct("<H")

Quantised: TypeAlias = NDArray[np.int16]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VectorBlock:
    """The vectors of all passages of a contiguous run of turns; one model's.

    Attributes:
        first_turn: `turn_no` of the first turn.
        turns: how many turns it covers.
        vectors: int16 [passages of these turns, dimension].
    """

    first_turn: int
    turns: int
    vectors: Quantised


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class QueryVector:
    """A query as the dense channel needs it.

    Attributes:
        vector: float32 [dimension], quantised components.
        background: float64 [texts]; its dot products with texts that have nothing to do with it.
    """

    vector: NDArray[np.float32]
    background: NDArray[np.float64]

    @property
    def nbytes(self) -> int:
        """Size in bytes."""
        return self.vector.nbytes + self.background.nbytes


def quantise(vectors: NDArray[np.float32]) -> Quantised:
    """Round unit vectors to whole steps of 1/4,000: float32 [n, d] to int16 [n, d].

    Rounding lengthens a vector by at most half the root of `d`, so up to `MAX_DIMENSION`
    components it stays below 4,096 steps.
    """
    steps: Quantised = np.rint(vectors * np.float32(SCALE)).astype(np.int16)
    return steps


def to_bytes(vectors: Quantised) -> bytes:
    """The vectors as the bytes that a store keeps: their dimension, then row by row."""
    return _HEADER.pack(vectors.shape[1]) + vectors.astype("<i2", copy=False).tobytes()


def from_bytes(data: bytes) -> Quantised:
    """The vectors that were written: int16 [n, dimension].

    Raises:
        StoreFormatError: the bytes are not whole vectors.
    """
    try:
        (dimension,) = _HEADER.unpack_from(data)
        flat = np.frombuffer(data, dtype="<i2", offset=_HEADER.size).reshape(-1, dimension)
    except (struct.error, ValueError) as error:
        raise StoreFormatError("stored vectors are damaged; run `graphmem reembed`") from error
    return flat.astype(np.int16, copy=False)


def dots(matrix: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Exact dot products: float32 [n, d] with float32 [d], both holding quantised components.

    einsum and not BLAS: as exact, half the time of a threaded matrix-vector product at 100,000
    rows (10 against 22 ms on one core), and it starts no threads.
    """
    products: NDArray[np.float32] = np.einsum("ij,j->i", matrix, query)
    return products
