"""Holds the reader against cases that were written from docs/time.md without knowing its rules."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typing_extensions import override

from graphmem.domain.moment import Moment
from graphmem.text.timex.reader import read

CASES = Path(__file__).parents[1] / "timex_cases"


@dataclass(frozen=True)
class Miss:
    """A case that was read otherwise than it should."""

    id: str
    text: str
    wanted: list[tuple[str, str]]
    found: list[tuple[str, str]]

    @override
    def __str__(self) -> str:
        return f"{self.id}: {self.text}\n    wanted {self.wanted}\n    found  {self.found}"


def load(name: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((CASES / name).read_text("utf-8"))
    return found


def misses(cases: list[dict[str, Any]]) -> list[Miss]:
    """The cases whose dates are not read: the same values, each at a place that overlaps its own."""
    return [
        Miss(case["id"], case["text"], wanted, found)
        for case in cases
        for wanted in [[(surface, value) for surface, value in case.get("dates", [])]]
        for found in [_read(case)]
        if not _agree(case["text"], wanted, found)
    ]


def _read(case: dict[str, Any]) -> list[tuple[str, str]]:
    expressions = read(
        case["text"], Moment.parse_iso(case["anchor"]), locale=case.get("locale", "en")
    )
    return [(case["text"][e.start : e.end], e.interval.text()) for e in expressions if e.interval]


def _agree(text: str, wanted: list[tuple[str, str]], found: list[tuple[str, str]]) -> bool:
    if [value for _, value in wanted] != [value for _, value in found]:
        return False
    at = 0
    for (surface, _), (read_as, _) in zip(wanted, found, strict=True):
        start = text.index(surface, at)
        if (
            surface not in read_as
            and read_as not in surface
            and not _touch(text, start, surface, read_as)
        ):
            return False
        at = start + 1
    return True


def _touch(text: str, start: int, surface: str, read_as: str) -> bool:
    place = text.find(read_as)
    while place >= 0:
        if place < start + len(surface) and start < place + len(read_as):
            return True
        place = text.find(read_as, place + 1)
    return False


if __name__ == "__main__":
    import sys

    for name in sys.argv[1:]:
        sets = load(name)
        for part in ("cases", "lures"):
            missed = misses(sets[part])
            print(*missed, sep="\n")
            print(f"{name} {part}: {len(sets[part]) - len(missed)} of {len(sets[part])} right")
