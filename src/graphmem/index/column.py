"""A column is an immutable array, of numbers or of rows, that can be continued without a copy."""

from __future__ import annotations

import threading
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Number = TypeVar("Number", bound=np.generic)


class _Buffer(Generic[Number]):
    """Shared memory of which the first `claimed` elements are spoken for."""

    def __init__(self, values: NDArray[Number], capacity: int) -> None:
        self.array: NDArray[Number] = np.empty((capacity, *values.shape[1:]), dtype=values.dtype)
        self.array[: len(values)] = values
        self.claimed = len(values)
        self.lock = threading.Lock()


class Column(Generic[Number]):
    """An immutable array; only the newest one on a buffer can claim the room behind it.

    Appending costs the appended part; a column that is not the newest is copied instead, so
    that no reader ever sees an element of its column change.
    """

    __slots__ = ("_buffer", "values")

    def __init__(self, values: NDArray[Number], buffer: _Buffer[Number] | None = None) -> None:
        self._buffer: _Buffer[Number] = buffer or _Buffer(values, len(values))
        self.values: NDArray[Number] = self._buffer.array[: len(values)]
        self.values.flags.writeable = False

    def extended(self, values: NDArray[Number]) -> Column[Number]:
        """This column followed by `values`."""
        length = len(self.values) + len(values)
        buffer = self._buffer
        with buffer.lock:
            if buffer.claimed == len(self.values) and length <= len(buffer.array):
                buffer.array[len(self.values) : length] = values
                buffer.claimed = length
                return Column(buffer.array[:length], buffer)
        grown = _Buffer(self.values, length + length // 4 + 16)
        grown.array[len(self.values) : length] = values
        grown.claimed = length
        return Column(grown.array[:length], grown)

    @property
    def nbytes(self) -> int:
        """Size in bytes, with the unclaimed room."""
        return self._buffer.array.nbytes
