"""A query is one question to a memory, with how much is wanted back."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.address import WHOLE, Part
from graphmem.domain.moment import Moment
from graphmem.domain.window import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question.

    Attributes:
        text: as the caller wrote it.
        options: answer options that may help to find evidence; never an answer themselves.
        limit: the most hits to return, 1 to 1,000.
        session_id: the only session whose turns are wanted, None for all.
        part: the sessions whose turns are wanted, by the names of the atomic contract.
        said: only turns that were said, else recorded, in this time; None for all.
        window: the time that is asked about, None for all.
        as_of_us: nothing said later counts; microseconds since 1970 UTC, None for all.
        asked_at: when the question was asked; None for the time of the newest turn.
        explain: whether hits tell what each channel gave.
        waited_seconds: how long the caller waits already.
    """

    text: str
    options: tuple[str, ...] = ()
    limit: int = 32
    session_id: str | None = None
    part: Part = WHOLE
    said: Window | None = None
    window: Window | None = None
    as_of_us: int | None = None
    asked_at: Moment | None = None
    explain: bool = False
    waited_seconds: float = 0.0
