"""How a read-out lays its evidence out between the frame's tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from graphmem.domain.interval import Interval
from graphmem.readout.block import header, line, order_key, short_id, speaker_of
from graphmem.readout.frame import framed
from graphmem.readout.select import Chosen

Layout: TypeAlias = Callable[[Sequence[Chosen]], str]

TABLE_ROWS: Final = 24


def in_order(chosen: Sequence[Chosen]) -> list[Chosen]:
    """By day, session and order of the conversation."""
    return sorted(chosen, key=lambda one: order_key(one.candidate.hit, *_place(one)))


def capsules(chosen: Sequence[Chosen]) -> str:
    """`v5_81`: a block for each session of a day, a line for each turn."""
    blocks = []
    for title, turns in groupby(in_order(chosen), key=_header):
        lines = [line(one.candidate.hit, one.candidate.number, one.text) for one in turns]
        blocks.append("\n".join([title, *lines]))
    return "\n\n".join(blocks)


def cards(chosen: Sequence[Chosen]) -> str:
    """`v5_73`: in each block a card for each speaker, with what they said in order."""
    blocks = []
    for title, turns in groupby(in_order(chosen), key=_header):
        said: dict[str, list[Chosen]] = {}
        for one in turns:
            said.setdefault(speaker_of(one.candidate.hit), []).append(one)
        lines = [title]
        for speaker, ones in said.items():
            lines.append(f"# {speaker}")
            lines += [f"[{short_id(one.candidate.number)}] {one.text}" for one in ones]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def date_table(chosen: Sequence[Chosen], title: str) -> str:
    """`v5_73`: the dates that the shown turns speak of, in order of time, each with its turn.

    Args:
        chosen: best first; the table holds the dates of the best turns.
        title: the line above it.
    """
    rows: list[tuple[int, str]] = []
    for one in chosen:
        hit = one.candidate.hit
        for date in hit.dates:
            said = framed(hit.content[hit.body_start :][date.start : date.end])
            if date.interval.is_about:
                continue
            if said in one.text and len(rows) < TABLE_ROWS:
                value = date.interval.text()
                rows.append(
                    (
                        _begins(date.interval),
                        f"{value} | {said} | [{short_id(one.candidate.number)}]",
                    )
                )
    if not rows:
        return ""
    return "\n".join([title, *(row for _, row in sorted(dict.fromkeys(rows)))])


def _begins(interval: Interval) -> int:
    start = interval.start_us if interval.start_us is not None else interval.end_us
    return start or 0


def _header(one: Chosen) -> str:
    return header(one.candidate.hit, one.candidate.session_no)


def _place(one: Chosen) -> tuple[int, int]:
    return one.candidate.session_no, one.candidate.number
