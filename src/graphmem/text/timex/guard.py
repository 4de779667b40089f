"""Where no time is read: code, addresses and quoted titles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from graphmem.text.timex.not_prose import stretches

_TITLE: Final = re.compile(r"《[^《》\n]{1,200}》|〈[^〈〉\n]{1,200}〉|『[^『』\n]{1,200}』")
# Quotation marks hold a title when what they hold is short and no whole sentence of speech.
_QUOTED: Final = re.compile(
    r"“[^“”\n]{1,80}”|(?<!\w)\"[^\"\n]{1,80}\"(?!\w)|‘[^‘’\n]{1,80}’(?!\w)|"
    r"(?<!\w)'(?=[A-Z])[^'\n]{1,80}'(?!\w)|「[^「」\n]{1,80}」"
)


class Guard:
    """The guarded places of one text.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        quoted = (m.span() for pattern in (_TITLE, _QUOTED) for m in pattern.finditer(text))
        self._spans = _joined(sorted([*stretches(text), *quoted]))
        self._starts = [start for start, _ in self._spans]

    def covers(self, start: int, end: int) -> bool:
        """Whether a stretch of the text touches a guarded place."""
        at = bisect_right(self._starts, end - 1) - 1
        return at >= 0 and self._spans[at][1] > start


def _joined(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined
