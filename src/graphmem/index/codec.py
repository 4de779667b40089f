"""How a segment is written to and read from the bytes that a store keeps.

Layout, little-endian: magic, the first turn, six counts, the columns, then the speakers and
the vocabulary as UTF-8 joined by U+0000, which neither can hold. Where turns were deleted (`GMS3`),
the first column holds the numbers of those that are left. The first layout (`GMS1`) knew no times:
it had no count of events and none of their columns, and is still read.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import StoreFormatError
from graphmem.index.events import Events, Times
from graphmem.index.segment import (
    NO_TIME,
    Counts,
    Ints,
    Keys,
    Postings,
    Segment,
)

_HEADER: Final = struct.Struct("<4s7I")
_MAGIC: Final = b"GMS2"
_MAGIC_GAPS: Final = b"GMS3"
_HEADER_WITHOUT_TIMES: Final = struct.Struct("<4s6I")
_MAGIC_WITHOUT_TIMES: Final = b"GMS1"

Number = TypeVar("Number", bound=np.generic)


def encode(segment: Segment) -> bytes:
    """The segment as bytes; equal segments give equal bytes."""
    postings = segment.postings
    speakers = "\0".join(segment.speakers).encode()
    has_gaps = segment.end_turn - segment.first_turn != segment.turns
    header = _HEADER.pack(
        _MAGIC_GAPS if has_gaps else _MAGIC,
        segment.first_turn,
        segment.turns,
        segment.passages,
        len(postings.vocabulary),
        len(postings.passages),
        len(speakers),
        len(segment.events),
    )
    columns = (
        *([segment.turn_no.astype("<i4")] if has_gaps else []),
        segment.turn_key.astype("<u8"),
        segment.turn_session.astype("<i4"),
        segment.turn_speaker.astype("<i4"),
        segment.turn_time.astype("<i8"),
        *_event_columns(segment.events),
        segment.passage_turn.astype("<i4"),
        segment.passage_length.astype("<i4"),
        postings.offsets.astype("<i4"),
        postings.passages.astype("<i4"),
        postings.counts.astype("<u2"),
    )
    vocabulary = "\0".join(postings.vocabulary).encode()
    return b"".join([header, *(column.tobytes() for column in columns), speakers, vocabulary])


def _event_columns(events: Events) -> tuple[NDArray[np.generic], ...]:
    return (
        events.turn.astype("<i4"),
        events.start.astype("<i8"),
        events.end.astype("<i8"),
        events.text_start.astype("<i4"),
        events.text_end.astype("<i4"),
        events.zone.astype("<i2"),
        events.form.astype("u1"),
    )


def decode(data: bytes) -> Segment:
    """The segment that was encoded; its columns are read-only views of `data`.

    Raises:
        StoreFormatError: the bytes are not a segment that this release reads.
    """
    magic = data[: len(_MAGIC)]
    if magic not in {_MAGIC, _MAGIC_GAPS, _MAGIC_WITHOUT_TIMES}:
        raise StoreFormatError("an index segment is of a version that this release can't read")
    try:
        has_times, has_gaps = magic != _MAGIC_WITHOUT_TIMES, magic == _MAGIC_GAPS
        return _read(data, has_times=has_times, has_gaps=has_gaps)
    except (struct.error, ValueError) as error:
        raise StoreFormatError("an index segment is damaged; restore a backup") from error


def _read(data: bytes, *, has_times: bool, has_gaps: bool) -> Segment:
    header = _HEADER if has_times else _HEADER_WITHOUT_TIMES
    _, first_turn, turns, passages, terms, postings, names, *events = header.unpack_from(data)
    read = _Reader(data, header.size)
    whole: Ints = np.arange(first_turn, first_turn + turns, dtype=np.int32)
    return Segment(
        turn_no=read.ints(turns) if has_gaps else whole,
        turn_key=read.keys(turns),
        turn_session=read.ints(turns),
        turn_speaker=read.ints(turns),
        turn_time=read.times(turns) if has_times else np.full(turns, NO_TIME, dtype=np.int64),
        events=read.events(*events),
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

    def times(self, count: int) -> Times:
        return self._column(np.dtype("<i8"), count).astype(np.int64, copy=False)

    def events(self, count: int = 0) -> Events:
        return Events(
            turn=self.ints(count),
            start=self.times(count),
            end=self.times(count),
            text_start=self.ints(count),
            text_end=self.ints(count),
            zone=self._column(np.dtype("<i2"), count).astype(np.int16, copy=False),
            form=self._column(np.dtype("u1"), count),
        )

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
