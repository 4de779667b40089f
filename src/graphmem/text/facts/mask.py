"""A mask keeps which places of a text are spoken for, so that a detail is not read as two kinds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Span = tuple[int, int]
"""A half-open range of offsets: lighter than `segment.Span`, which every finder makes many of."""


class Mask:
    """The places of one text that are taken.

    Args:
        length: of the text, in characters.
    """

    def __init__(self, length: int) -> None:
        self._taken = bytearray(length)
        self._length = length

    def take(self, spans: Iterable[Span]) -> None:
        """Mark places as taken."""
        for start, end in spans:
            self._taken[start:end] = b"\x01" * (min(end, self._length) - start)

    def covers(self, start: int, end: int) -> bool:
        """Whether a stretch touches a taken place."""
        return self._taken.find(1, start, end) >= 0

    def free(self, spans: Iterable[Span]) -> Iterator[Span]:
        """Those of the spans that touch no taken place."""
        return (span for span in spans if not self.covers(*span))

    def joined(self, other: Mask) -> Mask:
        """What either of two masks of one text has taken."""
        both = Mask(self._length)
        union = int.from_bytes(self._taken, "big") | int.from_bytes(other._taken, "big")
        both._taken = bytearray(union.to_bytes(self._length, "big"))
        return both
