"""How a segment is written to and read from the bytes that a store keeps.

Layout, little-endian: magic, the first turn, five counts, the columns, then the speakers and
the vocabulary as UTF-8 joined by U+0000, which neither can hold.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import StoreFormatError
from graphmem.index.segment import Counts, Ints, Keys, Postings, Segment

_HEADER: Final = struct.Struct("<4s6I")
_MAGIC: Final = b"GMS1"

Number = TypeVar("Number", bound=np.generic)


def encode(segment: Segment) -> bytes:
    """The segment as bytes; equal segments give equal bytes."""
    postings = segment.postings
    speakers = "\0".join(segment.speakers).encode()
    header = _HEADER.pack(
        _MAGIC,
        segment.first_turn,
        segment.turns,
        segment.passages,
        len(postings.vocabulary),
        len(postings.passages),
        len(speakers),
    )
    columns = (
        segment.turn_key.astype("<u8"),
        segment.turn_session.astype("<i4"),
        segment.turn_speaker.astype("<i4"),
        segment.passage_turn.astype("<i4"),
        segment.passage_length.astype("<i4"),
        postings.offsets.astype("<i4"),
        postings.passages.astype("<i4"),
        postings.counts.astype("<u2"),
    )
    vocabulary = "\0".join(postings.vocabulary).encode()
    return b"".join([header, *(column.tobytes() for column in columns), speakers, vocabulary])


def decode(data: bytes) -> Segment:
    """The segment that was encoded; its columns are read-only views of `data`.

    Raises:
        StoreFormatError: the bytes are not a segment that this release reads.
    """
    if data[: len(_MAGIC)] != _MAGIC:
        raise StoreFormatError("an index segment is of a version that this release can't read")
    try:
        return _read(data)
    except (struct.error, ValueError) as error:
        raise StoreFormatError("an index segment is damaged; restore a backup") from error


def _read(data: bytes) -> Segment:
    _, first_turn, turns, passages, terms, postings, names = _HEADER.unpack_from(data)
    read = _Reader(data, _HEADER.size)
    return Segment(
        first_turn=first_turn,
        turn_key=read.keys(turns),
        turn_session=read.ints(turns),
        turn_speaker=read.ints(turns),
        passage_turn=read.ints(passages),
        passage_length=read.ints(passages),
        postings=Postings(
            offsets=read.ints(terms + 1),
            passages=read.ints(postings),
            counts=read.counts(postings),
            vocabulary=_split(data[read.at + names :]),
        ),
        speakers=_split(data[read.at : read.at + names]),
    )


@dataclass(slots=True)
class _Reader:
    """Takes one column after the other."""

    data: bytes
    at: int

    def ints(self, count: int) -> Ints:
        return self._column(np.dtype("<i4"), count).astype(np.int32, copy=False)

    def keys(self, count: int) -> Keys:
        return self._column(np.dtype("<u8"), count).astype(np.uint64, copy=False)

    def counts(self, count: int) -> Counts:
        return self._column(np.dtype("<u2"), count).astype(np.uint16, copy=False)

    def _column(self, kind: np.dtype[Number], count: int) -> NDArray[Number]:
        column = np.frombuffer(self.data, dtype=kind, count=count, offset=self.at)
        self.at += column.nbytes
        return column


def _split(data: bytes) -> tuple[str, ...]:
    return tuple(data.decode().split("\0")) if data else ()
