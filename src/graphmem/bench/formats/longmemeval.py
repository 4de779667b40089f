"""Original LongMemEval: each question brings its own haystack of sessions, hence its own memory.

Turns marked `has_answer` are the evidence, and `answer_session_ids` the evidence's sessions.
Questions whose id ends in `_abs` ask for what was never said: they are of kind `abstention` and
have no evidence, whatever the file points at.
"""

from __future__ import annotations

import re
from typing import Final

from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.node import Node, answer_text
from graphmem.domain.message import Message

_DATE: Final = re.compile(r"(\d{4})/(\d{2})/(\d{2})(?: \(\w+\))?(?: (\d{2}:\d{2}))?\Z")
_ABSTENTION: Final = "_abs"


def matches(top: Node) -> bool:
    """Whether the file has this format's shape."""
    first = top.value[0] if isinstance(top.value, list) and top.value else None
    return isinstance(first, dict) and "haystack_sessions" in first


def read(top: Node) -> EvidenceSet:
    """Read all questions with their haystacks.

    Raises:
        InvalidInputError: a field is missing or has a wrong value.
    """
    return EvidenceSet(
        name=top.source.removesuffix(".json"),
        licence="MIT, LongMemEval",
        memories=tuple(_memory(node) for node in top.items()),
    )


def _memory(node: Node) -> EvidenceMemory:
    question_id = node.field("question_id").name()
    names = list(node.field("haystack_session_ids").items())
    dates = list(node.field("haystack_dates").items())
    haystack = list(node.field("haystack_sessions").items())
    if not len(names) == len(dates) == len(haystack):
        raise node.field("haystack_sessions").fail(
            f"has {len(haystack)} sessions, but {len(names)} ids and {len(dates)} dates"
        )
    sessions: list[EvidenceSession] = []
    marked: list[str] = []
    for at, (name, date, turns) in enumerate(zip(names, dates, haystack, strict=True)):
        session, answers = _session(at, name.name(), _timestamp(date), turns)
        sessions.append(session)
        marked += answers
    return EvidenceMemory(
        memory_id=question_id,
        sessions=tuple(sessions),
        questions=(_question(node, question_id, tuple(marked)),),
    )


def _session(at: int, name: str, timestamp: str, turns: Node) -> tuple[EvidenceSession, list[str]]:
    """The session and the ids of its turns that hold the answer; ids go by place, `3:0`."""
    messages: list[EvidenceMessage] = []
    marked: list[str] = []
    for position, turn in enumerate(turns.items()):
        message = Message(
            role=turn.field("role").name(),
            content=turn.field("content").text(),
            timestamp=timestamp,
        )
        messages.append(EvidenceMessage(id=f"{at}:{position}", message=message))
        answers = turn.find("has_answer")
        if answers is not None and answers.value is True:
            marked.append(messages[-1].id)
    return EvidenceSession(session_id=name, messages=tuple(messages)), marked


def _question(node: Node, question_id: str, marked: tuple[str, ...]) -> Question:
    abstains = question_id.endswith(_ABSTENTION)
    asked = node.find("question_date")
    return Question(
        id=question_id,
        text=node.field("question").name(),
        kind="abstention" if abstains else node.field("question_type").name(),
        answer=answer_text(node.find("answer")),
        evidence=() if abstains else marked,
        evidence_sessions=() if abstains else node.field("answer_session_ids").texts(),
        asked_at=None if asked is None else _timestamp(asked),
    )


def _timestamp(node: Node) -> str:
    match = _DATE.match(node.text())
    if match is None:
        raise node.fail("must be a time such as '2023/05/30 (Tue) 23:40'")
    year, month, day, clock = match.groups()
    return f"{year}-{month}-{day}T{clock}:00" if clock else f"{year}-{month}-{day}"
