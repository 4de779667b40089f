"""Events are the times of which a run of turns speaks, as columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.domain.interval import GRAINS, Interval
from graphmem.domain.mention import Mention

Times: TypeAlias = NDArray[np.int64]

OPEN_START: Final = int(np.iinfo(np.int64).min)
OPEN_END: Final = int(np.iinfo(np.int64).max)
_IS_COMPLETE: Final = 16  # flags in `form`, above the number of the grain
_STATES_OFFSET: Final = 32
_GRAIN: Final = 15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Events:
    """One row for each date that a text mentions, in order of the turns and within them of the text.

    Attributes:
        turn: int32 [events]; the turn of each, counted from the first of the run, ascending.
        start: int64 [events]; microseconds since 1970 UTC, `OPEN_START` when open to the past.
        end: int64 [events]; the first microsecond behind it, `OPEN_END` when open to the future.
        text_start: int32 [events]; offset of the expression in the text without its label.
        text_end: int32 [events]; offset behind it.
        zone: int16 [events]; the offset from UTC in minutes, of the calendar it is counted in.
        form: uint8 [events]; the number of the grain in `GRAINS`, plus flags.
    """

    turn: NDArray[np.int32]
    start: Times
    end: Times
    text_start: NDArray[np.int32]
    text_end: NDArray[np.int32]
    zone: NDArray[np.int16]
    form: NDArray[np.uint8]

    @classmethod
    def of(cls, mentions: Iterable[Sequence[Mention]]) -> Events:
        """The columns of what each of consecutive turns mentions."""
        rows = [(turn, found) for turn, each in enumerate(mentions) for found in each]
        spans = [found.interval for _, found in rows]
        starts = [OPEN_START if span.start_us is None else span.start_us for span in spans]
        ends = [OPEN_END if span.end_us is None else span.end_us for span in spans]
        return cls(
            turn=np.array([turn for turn, _ in rows], dtype=np.int32),
            start=np.array(starts, dtype=np.int64),
            end=np.array(ends, dtype=np.int64),
            text_start=np.array([found.start for _, found in rows], dtype=np.int32),
            text_end=np.array([found.end for _, found in rows], dtype=np.int32),
            zone=np.array([span.offset_minutes for span in spans], dtype=np.int16),
            form=np.array([_form(found) for _, found in rows], dtype=np.uint8),
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self.turn)

    def kept(self, is_kept: NDArray[np.bool_]) -> Events:
        """Those of the turns at these places, counted among them."""
        chosen = is_kept[self.turn]
        columns = {field.name: getattr(self, field.name)[chosen] for field in fields(self)}
        place = np.cumsum(is_kept, dtype=np.int32) - np.int32(1)
        return Events(**columns | {"turn": place[self.turn[chosen]]})

    def moved(self, turns: int) -> Events:
        """The same with the turns counted from elsewhere."""
        columns = {field.name: getattr(self, field.name) for field in fields(self)}
        return Events(**columns | {"turn": self.turn + np.int32(turns)})

    def mentions(self, turn: int) -> tuple[Mention, ...]:
        """What one turn mentions."""
        first, last = np.searchsorted(self.turn, [turn, turn + 1])
        return tuple(self._mention(row) for row in range(first, last))

    def _mention(self, row: int) -> Mention:
        start, end, form = int(self.start[row]), int(self.end[row]), int(self.form[row])
        return Mention(
            start=int(self.text_start[row]),
            end=int(self.text_end[row]),
            interval=Interval(
                start_us=None if start == OPEN_START else start,
                end_us=None if end == OPEN_END else end,
                grain=GRAINS[form & _GRAIN],
                offset_minutes=int(self.zone[row]),
                states_offset=bool(form & _STATES_OFFSET),
            ),
            is_complete=bool(form & _IS_COMPLETE),
        )


def join_events(runs: Sequence[Events], starts: Sequence[int]) -> Events:
    """The events of consecutive runs of turns as one; `starts` are the runs' first turns."""
    moved = [run.moved(start) for run, start in zip(runs, starts, strict=True)]
    return Events(
        **{
            field.name: np.concatenate([getattr(run, field.name) for run in moved])
            for field in fields(Events)
        }
    )


def _form(mention: Mention) -> int:
    grain = GRAINS.index(mention.interval.grain)
    complete = _IS_COMPLETE if mention.is_complete else 0
    return grain + complete + (_STATES_OFFSET if mention.interval.states_offset else 0)
