"""Scenes and replies about them."""

from __future__ import annotations

import json

from graphmem.domain.moment import Moment
from graphmem.domain.turn import Turn


def turn(place: int, content: str, *, speaker: str | None = "Ann", role: str = "user") -> Turn:
    """The turn at a place of the scene, said on Monday 8 May 2023."""
    return Turn(
        turn_no=10 + place,
        turn_id=f"t_{place}",
        session_no=0,
        session_id="s",
        position=place,
        role=role,
        content=content,
        speaker=speaker,
        listener=None,
        parts=None,
        occurred=Moment.parse_iso("2023-05-08T13:56:00Z"),
        recorded_us=0,
        version=1,
    )


def scene(*contents: str) -> list[Turn]:
    """Turns of Ann and Tom, who take turns."""
    return [
        turn(at, text, speaker="AnnTom"[3 * (at % 2) :][:3]) for at, text in enumerate(contents)
    ]


def item(
    quote: str,
    position: object,
    *others: object,
    type: object = "episodic",  # noqa: A002
    subject: object = "Ann",
    predicate: object = "do",
    value: object = "",
    statement: object = "",
    **more: object,
) -> dict[str, object]:
    """An atom as a model writes it."""
    written: dict[str, object] = {
        "position": position,
        "others": list(others),
        "type": type,
        "subject": subject,
        "predicate": predicate,
        "value": value,
        "polarity": "affirmed",
        "modality": "asserted",
        "quote": quote,
        "statement": statement,
        "when": "",
    }
    return written | more


def answer(*items: object) -> str:
    """The reply that lists these."""
    return json.dumps({"atoms": list(items)}, ensure_ascii=False)
