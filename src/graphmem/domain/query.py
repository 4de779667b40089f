"""A query is one question to a memory, with how much is wanted back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One question.

    Attributes:
        text: as the caller wrote it.
        options: answer options that may help to find evidence; never an answer themselves.
        limit: the most hits to return, 1 to 1,000.
        session_id: the only session whose turns are wanted, None for all.
        explain: whether hits tell what each channel gave.
        waited_seconds: how long the caller waits already.
    """

    text: str
    options: tuple[str, ...] = ()
    limit: int = 32
    session_id: str | None = None
    explain: bool = False
    waited_seconds: float = 0.0
