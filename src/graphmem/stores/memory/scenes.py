"""The scenes of one memory in a transaction of the in-memory store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from graphmem.ports.scenes import AnswerRow, ScenePlace, SceneRow
from graphmem.stores.memory.state import State


class MemorySceneReads(ABC):
    """The scenes of a state."""

    _current: State

    @abstractmethod
    def _state(self) -> State:
        """The state; raises once the transaction is over."""

    def scenes(self) -> list[SceneRow]:
        return [row for _, row in sorted(self._state().scenes.items())]

    def waiting_scenes(self) -> list[SceneRow]:
        return [row for row in self.scenes() if row.waits]

    def scenes_at(self, places: Sequence[ScenePlace]) -> list[SceneRow]:
        known = self._state().scenes
        return [known[place] for place in sorted(set(places)) if place in known]

    def answer(self, key: str) -> AnswerRow | None:
        return self._state().answers.get(key)

    def chat_tokens(self) -> int:
        return self._state().chat_tokens


class MemorySceneWrites(MemorySceneReads):
    """The scenes of the one write transaction."""

    @abstractmethod
    def _require_memory(self) -> None:
        """Fail unless there is a memory."""

    def put_scenes(self, scenes: Sequence[SceneRow]) -> None:
        self._require_memory()
        new = {row.place: row for row in scenes}
        self._current = replace(self._state(), scenes=self._state().scenes | new)

    def delete_scenes(self, places: Sequence[ScenePlace]) -> None:
        self._require_memory()
        kept = {at: row for at, row in self._state().scenes.items() if at not in frozenset(places)}
        self._current = replace(self._state(), scenes=kept)

    def put_answer(self, answer: AnswerRow) -> None:
        self._require_memory()
        answers = self._state().answers | {answer.key: answer}
        self._current = replace(self._state(), answers=answers)

    def delete_answers(self, places: Sequence[ScenePlace]) -> None:
        self._require_memory()
        gone, rows = frozenset(places), self._state().answers
        kept = {key: row for key, row in rows.items() if (row.session_no, row.scene_no) not in gone}
        self._current = replace(self._state(), answers=kept)

    def add_chat_tokens(self, tokens: int) -> None:
        self._require_memory()
        state = self._state()
        self._current = replace(state, chat_tokens=state.chat_tokens + tokens)
