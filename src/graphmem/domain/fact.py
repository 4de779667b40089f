"""A fragile fact is a detail of a text that a summary would lose (docs/atoms.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

FactKind = Literal[
    "date",
    "duration",
    "number",
    "money",
    "negation",
    "modality",
    "quoted",
    "listed",
    "name",
    "url",
    "code",
]

FACT_KINDS: Final[tuple[FactKind, ...]] = (
    "date",
    "duration",
    "number",
    "money",
    "negation",
    "modality",
    "quoted",
    "listed",
    "name",
    "url",
    "code",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One detail, and where it stands.

    Attributes:
        start: offset of its first character.
        end: offset behind its last one.
        kind: what it is; one place may hold several facts.
    """

    start: int
    end: int
    kind: FactKind
