"""Our own evidence-set format: one object with named memories, sessions, messages, questions."""

from __future__ import annotations

from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.node import Node, answer_text, optional_text
from graphmem.domain.message import Message


def matches(top: Node) -> bool:
    """Whether the file has this format's shape."""
    return isinstance(top.value, dict) and "memories" in top.value


def read(top: Node) -> EvidenceSet:
    """Read the whole set.

    Raises:
        InvalidInputError: a field is missing or has a wrong value.
    """
    return EvidenceSet(
        name=top.field("name").name(),
        licence=optional_text(top.find("licence")) or "",
        memories=tuple(_memory(node) for node in top.field("memories").items()),
    )


def _memory(node: Node) -> EvidenceMemory:
    sessions = tuple(_session(item) for item in node.field("sessions").items())
    memory = EvidenceMemory(
        memory_id=node.field("memory_id").name(),
        sessions=sessions,
        questions=tuple(_question(item) for item in node.field("questions").items()),
    )
    _check_evidence(node, memory)
    return memory


def _session(node: Node) -> EvidenceSession:
    return EvidenceSession(
        session_id=node.field("session_id").name(),
        messages=tuple(_message(item) for item in node.field("messages").items()),
    )


def _message(node: Node) -> EvidenceMessage:
    message = Message(
        role=node.field("role").name(),
        content=node.field("content").text(),
        speaker=optional_text(node.find("speaker")),
        timestamp=optional_text(node.find("timestamp")),
    )
    return EvidenceMessage(id=node.field("id").name(), message=message)


def _question(node: Node) -> Question:
    evidence, sessions = node.find("evidence"), node.find("evidence_sessions")
    rubric = node.find("rubric")
    return Question(
        id=node.field("id").name(),
        text=node.field("question").name(),
        kind=node.field("kind").name(),
        answer=answer_text(node.find("answer")),
        evidence=evidence.texts() if evidence else (),
        evidence_sessions=sessions.texts() if sessions else (),
        asked_at=optional_text(node.find("asked_at")),
        rubric=rubric.texts() if rubric else (),
    )


def _check_evidence(node: Node, memory: EvidenceMemory) -> None:
    """Refuse a question that points at nothing: its recall could never be 1."""
    messages = {message.id for session in memory.sessions for message in session.messages}
    sessions = {session.session_id for session in memory.sessions}
    asked = zip(node.field("questions").items(), memory.questions, strict=True)
    for place, question in asked:
        for name, ids, known in (
            ("evidence", question.evidence, messages),
            ("evidence_sessions", question.evidence_sessions, sessions),
        ):
            unknown = [id_ for id_ in ids if id_ not in known]
            if unknown:
                raise place.field(name).fail(f"names {unknown[0]!r}, which the memory has not")
