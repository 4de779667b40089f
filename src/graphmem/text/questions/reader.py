"""The reader says what a question asks for; docs/questions.md is the definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphmem.domain.moment import Moment
from graphmem.domain.question import AnswerKind, Label, Question, QuestionClass
from graphmem.text import script
from graphmem.text.questions import chinese, english
from graphmem.text.questions.grammar import Grammar
from graphmem.text.questions.people import people
from graphmem.text.timex.reader import read

READ: Final = 2000
"""Characters that are read of a question; a longer one is a document with a question in front."""

_ANSWERS: Final[dict[QuestionClass, AnswerKind]] = {
    "duration": "duration",
    "temporal_point": "time",
    "count": "number",
}
_CHOICES: Final = frozenset({"comparison", "preference"})
"""Classes whose "Is ...?" and "怎么" ask for a thing."""


def analyse_question(
    text: str, anchor: Moment | None = None, *, known: Sequence[str] = ()
) -> Question:
    """Read a question, English or Chinese.

    Args:
        text: the question.
        anchor: when it was asked, which its relative dates are seen from; None leaves them unread.
        known: names of the memory's speakers.
    """
    asked = text[:READ]
    grammar = chinese.GRAMMAR if script.has_han(asked) else english.GRAMMAR
    plain = asked.lower().replace("’", "'").strip()
    kind = grammar.classify(plain)
    times = read(asked, anchor)
    return Question(
        kind=kind,
        labels=_labels(grammar, kind, plain),
        people=people(asked, known, times),
        dates=tuple(
            mention
            for found in times
            if found.certain is not None and (mention := found.mention()) is not None
        ),
        answer=_ANSWERS.get(kind) or _answer(grammar, kind, plain),
    )


def _labels(grammar: Grammar, kind: QuestionClass, plain: str) -> tuple[Label, ...]:
    labels: list[Label] = []
    if kind == "comparison" or grammar.compares.search(plain):
        labels.append("comparison")
    if grammar.resolves.search(plain):
        labels.append("geographic_resolution")
    return tuple(labels)


def _answer(grammar: Grammar, kind: QuestionClass, plain: str) -> AnswerKind:
    found = grammar.answer(plain)
    return "thing" if kind in _CHOICES and found in {"truth", "manner"} else found
