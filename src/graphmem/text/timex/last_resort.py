"""The last resort of dating: "just" and 刚 tell when only where nothing else in their sentence does."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from graphmem.text.timex.expression import Candidate

_END: Final = re.compile(r"[.!?…](?=[\s\"'”’)*_]|\Z)|[。！？]|\n")
_DATING: Final = frozenset({"date", "vague"})
# Of now, which says nothing else than that it is recent.
_NOW: Final = frozenset({"now", "nowadays"})


def unless_dated(
    text: str, recent: Iterable[Candidate], dated: Sequence[Candidate]
) -> list[Candidate]:
    """The dated expressions, with those of the recent ones in whose sentence none of them stands."""
    starts = [one.start for one in dated if one.kind in _DATING and not _is_now(text, one)]
    ends = [match.end() for match in _END.finditer(text)]
    alone = [one for one in recent if not _has_another(one.start, starts, ends, len(text))]
    return sorted([*dated, *alone], key=lambda one: one.start)


def _is_now(text: str, one: Candidate) -> bool:
    return text[one.start : one.end].lower() in _NOW


def _has_another(at: int, starts: Sequence[int], ends: Sequence[int], length: int) -> bool:
    """Whether one of the starts lies in the sentence that holds a place."""
    sentence = bisect_right(ends, at)
    first = ends[sentence - 1] if sentence else 0
    last = ends[sentence] if sentence < len(ends) else length
    return bisect_left(starts, first) < bisect_left(starts, last)
