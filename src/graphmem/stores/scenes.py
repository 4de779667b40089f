"""The scenes of one memory in a transaction, as all stores that speak SQL have them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, Generic

from graphmem.ports.scenes import AnswerRow, ScenePlace, SceneRow
from graphmem.stores import rows
from graphmem.stores.atoms import Own
from graphmem.stores.rows import Row, Value
from graphmem.stores.statements import Statements

_PLACE: Final = attrgetter("place")


class SqlSceneReads(ABC, Generic[Own]):
    """The scenes of a snapshot."""

    _ns: Own | None
    _statements: Statements

    @abstractmethod
    def _rows(self, sql: str, parameters: Sequence[Own | Value]) -> list[Row]:
        """What a query finds."""

    def scenes(self) -> list[SceneRow]:
        found = self._rows(self._statements.select_scenes, (self._ns,))
        return sorted(map(rows.to_scene, found), key=_PLACE)

    def waiting_scenes(self) -> list[SceneRow]:
        found = self._rows(self._statements.select_waiting_scenes, (self._ns,))
        return sorted(map(rows.to_scene, found), key=_PLACE)

    def scenes_at(self, places: Sequence[ScenePlace]) -> list[SceneRow]:
        return [
            rows.to_scene(row)
            for place in sorted(set(places))
            for row in self._rows(self._statements.select_scene, (self._ns, *place))
        ]

    def answer(self, key: str) -> AnswerRow | None:
        found = self._rows(self._statements.select_answer, (self._ns, key.encode()))
        return rows.to_answer(key, found[0]) if found else None

    def chat_tokens(self) -> int:
        found = self._rows(self._statements.select_chat_tokens, (self._ns,))
        return int(found[0][0]) if found else 0


class SqlSceneWrites(SqlSceneReads[Own]):
    """The scenes of the one write transaction of a memory."""

    @abstractmethod
    def _memory(self) -> Own:
        """The memory's number; raises unless there is one."""

    @abstractmethod
    def _run(self, sql: str, lines: Iterable[Sequence[Own | Value]]) -> None:
        """Run a statement once for each line."""

    def put_scenes(self, scenes: Sequence[SceneRow]) -> None:
        ns = self._memory()
        self._run(self._statements.upsert_scene, [rows.scene_values(ns, row) for row in scenes])

    def delete_scenes(self, places: Sequence[ScenePlace]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_scene, [(ns, *place) for place in places])

    def put_answer(self, answer: AnswerRow) -> None:
        line = rows.answer_values(self._memory(), answer)
        self._run(self._statements.upsert_answer, [line])

    def delete_answers(self, places: Sequence[ScenePlace]) -> None:
        ns = self._memory()
        self._run(self._statements.delete_answers, [(ns, *place) for place in places])

    def add_chat_tokens(self, tokens: int) -> None:
        self._run(self._statements.add_chat_tokens, [(self._memory(), tokens)])
