"""A grammar of questions is data: for each language, patterns in order of precedence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.domain.question import AnswerKind, QuestionClass


def any_of(*patterns: str) -> re.Pattern[str]:
    """What is found where one of these is."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """How one language asks.

    Every repetition in a pattern is bounded, so that reading is linear in the question.

    Attributes:
        classes: the first that is found decides; a question that fits none is a lookup.
        compares: tells that things are held against each other.
        resolves: tells that a place of a given level is asked for.
        answers: what would answer, where the class does not say; the first that is found decides.
    """

    classes: Sequence[tuple[QuestionClass, re.Pattern[str]]]
    compares: re.Pattern[str]
    resolves: re.Pattern[str]
    answers: Sequence[tuple[AnswerKind, re.Pattern[str]]]

    def classify(self, text: str) -> QuestionClass:
        """The class of a question in lower case."""
        return next((kind for kind, found in self.classes if found.search(text)), "lookup")

    def answer(self, text: str) -> AnswerKind:
        """What a question's own words ask for."""
        return next((kind for kind, found in self.answers if found.search(text)), "thing")
