"""Original LoCoMo (`locomo10.json`): two speakers, numbered sessions, turns called `D1:3`.

An image is known by its caption only; it is appended to the turn's text as
`[shares an image: CAPTION]`, so that what a speaker showed can be found like what they said.
Some samples date sessions that never took place; only those with turns are read.
Evidence is written by hand in the source and partly malformed (`"D8:6; D9:17"`, `"D"`): every
turn name in it counts, and names of turns that do not exist are left out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.node import Node, answer_text, optional_text
from graphmem.domain.message import Message

_KINDS: Final = {
    1: "multi_hop",
    2: "temporal",
    3: "open_domain",
    4: "single_hop",
    5: "adversarial",
}
_SESSION: Final = re.compile(r"session_(\d+)\Z")
_TURN: Final = re.compile(r"D:?(\d+):(\d+)")
_DATE_FORMAT: Final = "%I:%M %p on %d %B, %Y"


def matches(top: Node) -> bool:
    """Whether the file has this format's shape."""
    first = top.value[0] if isinstance(top.value, list) and top.value else None
    return isinstance(first, dict) and "conversation" in first


def read(top: Node) -> EvidenceSet:
    """Read all samples.

    Raises:
        InvalidInputError: a field is missing or has a wrong value.
    """
    return EvidenceSet(
        name=top.source.removesuffix(".json"),
        licence="CC BY-NC 4.0, LoCoMo",
        memories=tuple(_sample(node) for node in top.items()),
    )


def _sample(node: Node) -> EvidenceMemory:
    memory_id = node.field("sample_id").name()
    sessions = _sessions(node.field("conversation"))
    known = frozenset(message.id for session in sessions for message in session.messages)
    return EvidenceMemory(
        memory_id=memory_id,
        sessions=sessions,
        questions=tuple(
            _question(item, f"{memory_id}/q{at}", known)
            for at, item in enumerate(node.field("qa").items())
        ),
    )


def _sessions(conversation: Node) -> tuple[EvidenceSession, ...]:
    numbers = sorted(int(m[1]) for name in conversation.names() if (m := _SESSION.match(name)))
    return tuple(_session(conversation, f"session_{number}") for number in numbers)


def _session(conversation: Node, name: str) -> EvidenceSession:
    said = conversation.find(f"{name}_date_time")
    timestamp = None if said is None else _timestamp(said)
    return EvidenceSession(
        session_id=name,
        messages=tuple(_turn(item, timestamp) for item in conversation.field(name).items()),
    )


def _timestamp(node: Node) -> str:
    try:
        read = datetime.strptime(node.text().strip(), _DATE_FORMAT).replace(tzinfo=UTC)
    except ValueError as error:
        raise node.fail("must be a time such as '1:56 pm on 8 May, 2023'") from error
    return read.replace(tzinfo=None).isoformat()


def _turn(node: Node, timestamp: str | None) -> EvidenceMessage:
    caption = optional_text(node.find("blip_caption"))
    image = f"[shares an image: {caption.strip()}]" if caption else ""
    text = optional_text(node.find("text")) or ""
    message = Message(
        role="user",
        speaker=node.field("speaker").name(),
        content=f"{text} {image}".strip(),
        timestamp=timestamp,
    )
    return EvidenceMessage(id=node.field("dia_id").name(), message=message)


def _question(node: Node, question_id: str, known: frozenset[str]) -> Question:
    evidence = node.find("evidence")
    return Question(
        id=question_id,
        text=node.field("question").name(),
        kind=_kind(node.field("category")),
        answer=answer_text(node.find("answer") or node.find("adversarial_answer")),
        evidence=_evidence(evidence.texts() if evidence else (), known),
    )


def _kind(node: Node) -> str:
    kind = _KINDS.get(node.value) if isinstance(node.value, int) else None
    if kind is None:
        raise node.fail(f"must be a whole number from 1 to {max(_KINDS)}")
    return kind


def _evidence(written: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    names = (f"D{int(m[1])}:{int(m[2])}" for text in written for m in _TURN.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name in known))
