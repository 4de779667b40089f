"""The rows of scenes: what a chat model was asked about, what it answered, and what it still owes.

A scene is a stretch of a session. A store knows neither words nor answers; it keeps scenes by their
place, and answers by their key within the memory, so that no two memories ever share one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

ScenePlace: TypeAlias = tuple[int, int]
"""The number of a session, and of the scene in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRow:
    """One scene.

    Attributes:
        session_no: its session.
        scene_no: its place in the session, 0 upwards.
        turn_nos: its turns, ascending.
        told: how many of them, from the first, need no model any more.
        key: names the answer that tells them; empty while there is none, and when the model was
            given up, so that rules tell them.
        attempts: how often the model failed at what is not told.
    """

    session_no: int
    scene_no: int
    turn_nos: tuple[int, ...]
    told: int = 0
    key: str = ""
    attempts: int = 0

    @property
    def place(self) -> ScenePlace:
        """Where it is; unique within the memory."""
        return self.session_no, self.scene_no

    @property
    def waits(self) -> bool:
        """Whether some of its turns are still to be told."""
        return self.told < len(self.turn_nos)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerRow:
    """An answer of a chat model, as it came.

    Attributes:
        key: names what was asked; unique within the memory.
        session_no: the session of the scene.
        scene_no: the scene.
        data: the answer, opaque to the store.
    """

    key: str
    session_no: int
    scene_no: int
    data: bytes


class SceneReads(Protocol):
    """The part of a snapshot that shows scenes."""

    def scenes(self) -> list[SceneRow]:
        """All scenes, ordered by place."""
        ...

    def waiting_scenes(self) -> list[SceneRow]:
        """The scenes that wait, ordered by place."""
        ...

    def scenes_at(self, places: Sequence[ScenePlace]) -> list[SceneRow]:
        """The scenes that the memory has at these places, ordered by place."""
        ...

    def answer(self, key: str) -> AnswerRow | None:
        """The answer with this key, None when there is none."""
        ...

    def chat_tokens(self) -> int:
        """How many tokens chat models took for the memory so far."""
        ...


class SceneWrites(SceneReads, Protocol):
    """The part of a write that changes scenes."""

    def put_scenes(self, scenes: Sequence[SceneRow]) -> None:
        """Insert scenes, or replace those at the same places."""
        ...

    def delete_scenes(self, places: Sequence[ScenePlace]) -> None:
        """Remove the scenes at these places; their answers stay."""
        ...

    def put_answer(self, answer: AnswerRow) -> None:
        """Insert an answer, or replace the one with the same key."""
        ...

    def delete_answers(self, places: Sequence[ScenePlace]) -> None:
        """Remove all answers about the scenes at these places."""
        ...

    def add_chat_tokens(self, tokens: int) -> None:
        """Count what a call took, 0 or more."""
        ...
