"""Folding: traditional characters and the signs of time as the grammar knows them, one for one."""

from __future__ import annotations

from typing import Final

from graphmem.text.traditional import simplified

_SIGNS: Final = {
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
    "：": ":",
    "／": "/",
    "．": ".",
    "－": "-",
    "〜": "~",
    "～": "~",
    "（": "(",
    "）": ")",
    "零": "〇",
    "○": "〇",
    "\u3000": " ",
}
_TABLE: Final = str.maketrans(_SIGNS)


def folded(text: str) -> str:
    """The text in simplified characters and half-width signs; offsets stay the same."""
    return simplified(text).translate(_TABLE)
