"""Cutting out the clause in which an expression stands."""

from __future__ import annotations

import re


def behind_last(pattern: re.Pattern[str], text: str) -> str:
    """What stands behind the last match; the whole text without one."""
    last = 0
    for match in pattern.finditer(text):
        last = match.end()
    return text[last:]
