"""Finds Chinese time expressions."""

from __future__ import annotations

from graphmem.text.timex.expression import Candidate


def candidates(text: str) -> list[Candidate]:
    """What reads as a time expression, in any order; overlaps are settled by the reader."""
    return []
