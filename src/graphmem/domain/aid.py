"""An aid is a line of a prompt that was computed from the records that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AidKind = Literal["state", "span", "order", "count", "relation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aid:
    """One computed line.

    Attributes:
        kind: `state`: the latest value of something and what it replaced; `span`: the days between two
            dates; `order`: which of two events came first; `count`: how many there are in a closed
            collection; `relation`: what the graph knows of a person, for an inference.
        text: the line as it stands in the prompt.
        ids: the short ids of the records that it follows from; all of them are shown.
    """

    kind: AidKind
    text: str
    ids: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """The aid as JSON-ready values."""
        return {"kind": self.kind, "text": self.text, "ids": list(self.ids)}
