"""A question as it was read: what it asks for (docs/questions.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from graphmem.domain.mention import Mention

QuestionClass = Literal[
    "lookup",
    "yes_no",
    "instruction",
    "assistant_said",
    "temporal_point",
    "temporal_order",
    "duration",
    "list",
    "count",
    "comparison",
    "preference",
    "inference",
]
Label = Literal["comparison", "geographic_resolution"]
AnswerKind = Literal[
    "person", "place", "time", "duration", "number", "reason", "manner", "truth", "thing"
]
Family = Literal["lookup", "list", "temporal", "inference"]

FAMILIES: Final[Mapping[QuestionClass, Family]] = MappingProxyType(
    {
        "lookup": "lookup",
        "yes_no": "lookup",
        "instruction": "lookup",
        "assistant_said": "lookup",
        "temporal_point": "temporal",
        "temporal_order": "temporal",
        "duration": "temporal",
        "list": "list",
        "count": "list",
        "comparison": "list",
        "preference": "inference",
        "inference": "inference",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a question asks for.

    Attributes:
        kind: its class.
        labels: what else it is, in the order of `Label`.
        people: the persons it names, in order, as written.
        dates: the times it speaks of, by offsets into the question.
        answer: the kind of thing that would answer it; of a list, the kind of its items.
    """

    kind: QuestionClass
    labels: tuple[Label, ...] = ()
    people: tuple[str, ...] = ()
    dates: tuple[Mention, ...] = ()
    answer: AnswerKind = "thing"

    @property
    def family(self) -> Family:
        """The class as budgets and read-outs know it."""
        return FAMILIES[self.kind]
