"""An evidence set: conversations with questions and the messages that hold their answers."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceMessage:
    """One message under the id by which the set's questions point at it."""

    id: str
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSession:
    """One sitting, its messages in the order they were said."""

    session_id: str
    messages: tuple[EvidenceMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question about a memory.

    Attributes:
        id: unique within the set.
        text: the question as it is asked.
        kind: the set's own name for this sort of question.
        answer: the reference answer, None when the set gives none.
        evidence: ids of the messages that hold the answer; empty when nothing does.
        evidence_sessions: ids of the sessions that hold it, where the set says so.
        asked_at: when it was asked (ISO 8601), None when the set does not say.
        rubric: what an answer is judged by, in the set's words; empty where it gives none.
    """

    id: str
    text: str
    kind: str
    answer: str | None = None
    evidence: tuple[str, ...] = ()
    evidence_sessions: tuple[str, ...] = ()
    asked_at: str | None = None
    rubric: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceMemory:
    """One conversation: sessions in order, and the questions about them."""

    memory_id: str
    sessions: tuple[EvidenceSession, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSet:
    """A named collection of conversations with questions."""

    name: str
    licence: str
    memories: tuple[EvidenceMemory, ...]

    @property
    def turns(self) -> int:
        """How many messages the set holds."""
        return sum(len(s.messages) for memory in self.memories for s in memory.sessions)

    @property
    def questions(self) -> int:
        """How many questions the set asks."""
        return sum(len(memory.questions) for memory in self.memories)
