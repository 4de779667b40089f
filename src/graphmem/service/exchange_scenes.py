"""Scenes in the exchange format: what a chat model told of a memory, so that nobody asks it again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from graphmem.ports.scenes import AnswerRow, SceneRow
from graphmem.ports.store import ReadTransaction
from graphmem.service.exchange import LineKind, Values
from graphmem.service.fields import Fields
from graphmem.service.scenes.teller import is_key_of

_MOST_ATTEMPTS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneLine:
    """A scene, and the answer that tells it, if there is one."""

    row: SceneRow
    answer: AnswerRow | None


def scene_lines(read: ReadTransaction) -> Iterator[tuple[LineKind, Values]]:
    """The lines of a memory's scenes, ordered by place."""
    for row in read.scenes():
        answer = read.answer(row.key) if row.key else None
        yield (
            "scene",
            {
                "session_no": row.session_no,
                "scene_no": row.scene_no,
                "turn_nos": list(row.turn_nos),
                "told": row.told,
                "attempts": row.attempts,
                "key": answer and answer.key,
                "answer": answer and answer.data.decode(),
            },
        )


def read_scene(line: Fields, sessions: Collection[int]) -> SceneLine:
    """A scene of one of these sessions."""
    session_no, scene_no = line.whole("session_no"), line.whole("scene_no")
    if session_no not in sessions:
        raise line.wrong("session_no", "is no session of this memory")
    turn_nos = line.wholes("turn_nos")
    if not turn_nos or list(turn_nos) != sorted(set(turn_nos)):
        raise line.wrong("turn_nos", "must be one number or more, ascending")
    row = SceneRow(
        session_no=session_no,
        scene_no=scene_no,
        turn_nos=turn_nos,
        told=line.whole("told", most=len(turn_nos)),
        attempts=line.whole("attempts", most=_MOST_ATTEMPTS),
    )
    if not line.has("key") and not line.has("answer"):
        return SceneLine(row=row, answer=None)
    return _told(line, row)


def _told(line: Fields, row: SceneRow) -> SceneLine:
    key = line.text("key")
    if not is_key_of(key, row.place):
        raise line.wrong("key", "must be 32 hexadecimal digits, the session and the scene")
    if not row.told:
        raise line.wrong("told", "must be at least 1 where there is an answer")
    answer = AnswerRow(
        key=key,
        session_no=row.session_no,
        scene_no=row.scene_no,
        data=line.text("answer").encode(),
    )
    return SceneLine(row=replace(row, key=key), answer=answer)
