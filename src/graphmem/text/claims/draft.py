"""A draft is what a grammar of one language reads in one sentence, before it has a place and a date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from graphmem.domain.claim import AtomType, Modality, Polarity

Place: TypeAlias = tuple[int, int]  # from an offset to one behind it, in the sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A claim without its offsets and its event; the fields are those of `Claim`.

    Attributes:
        beside: what its sentence says besides, where it sets an attribute.
    """

    type: AtomType
    subject: str
    predicate: str
    value: str
    polarity: Polarity = "affirmed"
    modality: Modality = "asserted"
    attribute: str = ""
    beside: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who speaks.

    Attributes:
        role: `user`, `assistant` or whatever else the turn says.
        speaker: the name, None without one.
    """

    role: str
    speaker: str | None

    @property
    def name(self) -> str:
        """What the first person means."""
        return self.speaker or ("assistant" if self.role == "assistant" else "user")

    @property
    def is_machine(self) -> bool:
        """Whether an assistant speaks that is no person of a conversation."""
        return self.role == "assistant" and not self.speaker

    @property
    def listener(self) -> str:
        """What the second person means; empty where it can't be told."""
        return "user" if self.is_machine else ""
