"""What `answer` answers: a model's words, the evidence that they stand on, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphmem.domain.prepared import Evidence, PrepareTrace, Usage

Ending = Literal["stop", "length", "content_filter", "not_asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerUsage:
    """What an answer cost.

    Attributes:
        prompt: the messages, as the budgets count them.
        model_calls: how often the model was asked: 1, or 0 where there was no evidence to ask about.
        prompt_tokens: what the model's server says that the messages cost.
        answer_tokens: what it says that the answer cost, thoughts included.
    """

    prompt: Usage
    model_calls: int
    prompt_tokens: int
    answer_tokens: int

    def to_dict(self) -> dict[str, object]:
        """The usage as JSON-ready values."""
        return {
            "prompt": self.prompt.to_dict(),
            "model_calls": self.model_calls,
            "prompt_tokens": self.prompt_tokens,
            "answer_tokens": self.answer_tokens,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerTrace:
    """How an answer came about.

    Attributes:
        prepare: how the messages did.
        model: the name of the model that the settings ask for.
        finish: why the model's text ends; `not_asked` where there was no evidence.
        invented: ids that it cited and that were not in the prompt, in order; they were taken out.
    """

    prepare: PrepareTrace
    model: str
    finish: Ending
    invented: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """The trace as JSON-ready values."""
        return {
            "prepare": self.prepare.to_dict(),
            "model": self.model,
            "finish": self.finish,
            "invented": list(self.invented),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer to a question.

    Attributes:
        text: the answer with its citations, each of which is the id of a piece of evidence.
        abstained: whether it says only that the memory does not hold the answer.
        citations: the evidence that it cites, in the order of their first citation; what cites
            nothing should be trusted accordingly.
        evidence: all that the model was shown.
        usage: what it cost.
        trace: how it came about.
    """

    text: str
    abstained: bool
    citations: tuple[Evidence, ...]
    evidence: tuple[Evidence, ...]
    usage: AnswerUsage
    trace: AnswerTrace

    def to_dict(self) -> dict[str, object]:
        """The answer as JSON-ready values; citations as the ids of the evidence."""
        return {
            "text": self.text,
            "abstained": self.abstained,
            "citations": [one.id for one in self.citations],
            "evidence": [one.to_dict() for one in self.evidence],
            "usage": self.usage.to_dict(),
            "trace": self.trace.to_dict(),
        }
