"""What `prepare` answers: messages for a chat model, the evidence in them, and how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from graphmem.domain.aid import Aid
from graphmem.domain.hit import Trace
from graphmem.domain.question import Family, Question

Lane = Literal["stage", "focus"]
LeftOutReason = Literal["sentence_too_long", "no_room"]
Readout = Literal["v5_81", "v5_73"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message to a chat model."""

    role: Literal["system", "user"]
    content: str

    def to_dict(self) -> dict[str, str]:
        """The message as chat APIs take it."""
        return {"role": self.role, "content": self.content}


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One turn as it stands in the prompt.

    Attributes:
        id: its short id in the prompt, by which an answer cites it; the same in every prompt.
        turn_id: the turn.
        session_id: the turn's session.
        role: the message's role.
        speaker: who said it, None if nobody is known.
        event_time: when it was said: ISO 8601, None if undated.
        text: what the prompt shows of it, dates resolved, on one line.
        is_whole: whether that is all of it; else it is whole sentences of it.
        lane: the stage that chose it.
        score: what retrieval gave it.
        shares: what each channel gave to the score; only when asked to explain.
    """

    id: str
    turn_id: str
    session_id: str
    role: str
    speaker: str | None
    event_time: str | None
    text: str
    is_whole: bool
    lane: Lane
    score: float
    shares: Mapping[str, float] | None = None

    def to_dict(self) -> dict[str, object]:
        """The evidence as JSON-ready values; `shares` only when it was asked for."""
        values = {name: getattr(self, name) for name in self.__slots__ if name != "shares"}
        return values if self.shares is None else values | {"shares": dict(self.shares)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the messages cost.

    Attributes:
        prompt_tokens: all messages together, without what a chat template adds.
        evidence_tokens: the part of it between the frame's tags.
        max_prompt_tokens: the ceiling.
        turns: how many turns are shown.
        tokenizer: what was counted with.
        is_approximate: whether it stands in for a tokenizer that is not there.
    """

    prompt_tokens: int
    evidence_tokens: int
    max_prompt_tokens: int
    turns: int
    tokenizer: str
    is_approximate: bool

    def to_dict(self) -> dict[str, object]:
        """The usage as JSON-ready values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A turn, or a sentence of it, that was wanted and is not shown."""

    turn_id: str
    reason: LeftOutReason


@dataclass(frozen=True, slots=True, kw_only=True)
class OptimizedReadout:
    """What became of the read-out that was asked for.

    Attributes:
        asked: the read-out of the settings.
        used: the read-out of these messages.
        fallback: whether they are another's, since the ceiling left no room.
        stage_wanted: turns that the stage chose.
        stage_kept: those of them that the ceiling left.
        focus_wanted: turns that the source-focus chose.
        focus_kept: those of them that the ceiling left.
    """

    asked: Readout
    used: Readout
    fallback: bool
    stage_wanted: int
    stage_kept: int
    focus_wanted: int
    focus_kept: int

    def to_dict(self) -> dict[str, object]:
        """The read-out as JSON-ready values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrepareTrace:
    """How the messages came about.

    Attributes:
        retrieval: how the turns were found.
        question: what the question was read as.
        stage_turns: the most turns of its class of question.
        stage_tokens: the most evidence tokens of it.
        optimized_readout: what became of the read-out that was asked for.
        left_out: what was wanted and is not shown.
        aids: what was computed from the evidence and stands behind it.
    """

    retrieval: Trace
    question: Question
    stage_turns: int
    stage_tokens: int
    optimized_readout: OptimizedReadout
    left_out: tuple[LeftOut, ...]
    aids: tuple[Aid, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """The trace as JSON-ready values."""
        family: Family = self.question.family
        return {
            "retrieval": self.retrieval.to_dict(),
            "question": {
                "class": self.question.kind,
                "family": family,
                "labels": list(self.question.labels),
                "people": list(self.question.people),
                "answer": self.question.answer,
            },
            "stage": {"turns": self.stage_turns, "tokens": self.stage_tokens},
            "optimized_readout": self.optimized_readout.to_dict(),
            "left_out": [{"turn_id": one.turn_id, "reason": one.reason} for one in self.left_out],
            "aids": [aid.to_dict() for aid in self.aids],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Messages for a chat model, and what they hold.

    Attributes:
        messages: a system and a user message that any chat model takes.
        evidence: the turns that they show, in the order in which they show them.
        usage: what they cost.
        trace: how they came about.
    """

    messages: tuple[ChatMessage, ...]
    evidence: tuple[Evidence, ...]
    usage: Usage
    trace: PrepareTrace

    def to_dict(self) -> dict[str, object]:
        """All of it as JSON-ready values."""
        return {
            "messages": [message.to_dict() for message in self.messages],
            "evidence": [one.to_dict() for one in self.evidence],
            "usage": self.usage.to_dict(),
            "trace": self.trace.to_dict(),
        }
