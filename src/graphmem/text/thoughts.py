"""Thoughts are what a model writes to itself before its answer, between `<think>` and `</think>`."""

from __future__ import annotations

import re
from typing import Final

_END: Final = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_START: Final = re.compile(r"<think(?:ing)?>", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The answer alone: what follows the last thought; drafts in one that was cut off are none."""
    *_, end = 0, *(match.end() for match in _END.finditer(text))
    unended = _START.search(text, end)
    return text[end : unended.start() if unended else None]
