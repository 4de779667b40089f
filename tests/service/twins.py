"""Two services that are asked the same: one on SQLite, and its twin on the memory store."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmem.config import ServiceConfig
from graphmem.errors import ChatUnavailableError, GraphmemError
from graphmem.ports.chat import ChatMessage
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import Parts, restore
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.sqlite.store import SqliteStore
from tests.providers.chat.scripted import ScriptedChat, quotations
from tests.service.conftest import CountingIdentity, StillClock

PATIENCE = 60.0
POISON = "hemlock"


@dataclass(frozen=True)
class Outage:
    """How the model fails: out, or refusing all texts, or one."""

    failure: Failure | None
    poison: tuple[str, ...] = ()


OUTAGES = (Outage(Failure.DOWN), Outage(Failure.WRONG_COUNT), Outage(None, (POISON,)))


def copy_of(store: MemoryStore) -> MemoryStore:
    """The same rows in a store of its own; states are never changed, so sharing them is safe."""
    copy = MemoryStore()
    copy._states, copy._models, copy._keys = store._states, store._models, store._keys
    return copy


class Side:
    """A service with a model, on a store that outlives it."""

    def __init__(self, store: Store, clock: StillClock, *, dense: bool, chat: bool) -> None:
        self._clock = clock
        self._dense = dense
        self._chat = chat
        self._outage: Outage | None = None
        self.store = store
        self._open()

    def _open(self) -> None:
        self.model = FakeEmbedder()
        if self._outage:
            self.fail(self._outage)
        self._script = ScriptedChat(self._answer) if self._chat else None
        pool = EmbeddingPool(lambda: self.model, fingerprint=self.model.model.fingerprint)
        parts = Parts(
            store=self.store,
            embeddings=pool if self._dense else None,
            clock=self._clock,
            identity=CountingIdentity(),
            announce=lambda _: None,
            back_up=getattr(self.store, "back_up", None),
            chat=self._script,
        )
        self.service = MemoryService(parts, ServiceConfig(dense_retrieval=self._dense))

    def _answer(self, messages: Sequence[ChatMessage]) -> str:
        """What the chat model says; useless answers are counted, hence it is out in any outage."""
        if self._outage:
            raise ChatUnavailableError("the scripted model is out")
        return quotations(messages)

    def fail(self, outage: Outage | None) -> None:
        """Let the model fail so from now on, or answer again."""
        self._outage = outage
        self.model.recover()
        self.model.poison = outage.poison if outage else ()
        if outage and outage.failure:
            self.model.break_down(outage.failure)

    @property
    def asked(self) -> int:
        """How often the chat model was asked since the service was opened."""
        return len(self._script.asked) if self._script else 0

    @property
    def is_picky(self) -> bool:
        """Whether the model refuses some texts and answers for others."""
        return self._outage is not None and self._outage.failure is None

    def restart(self, reopen: Callable[[Store], Store]) -> None:
        """Close everything and open it on what the store keeps."""
        self.service.close()
        self.store = reopen(self.store)
        self._open()

    def close(self) -> None:
        self.service.close()


class Twins:
    """Both sides; what is asked of both must be answered alike, to the byte."""

    def __init__(self, *, dense: bool, chat: bool) -> None:
        self.place = Path(tempfile.mkdtemp())
        self.clock = StillClock()
        self._directories = 0
        self._directory = self._new_directory()
        sqlite = SqliteStore.open(self._directory)
        self.sides = (
            Side(sqlite, self.clock, dense=dense, chat=chat),
            Side(MemoryStore(), self.clock, dense=dense, chat=chat),
        )

    def ask(self, call: Callable[[MemoryService], Any]) -> Any:
        """The answer of both, or the error that both raised (returned, not raised)."""
        mine, twins = (_outcome(call, side.service) for side in self.sides)
        assert _plain(mine) == _plain(twins)
        return mine

    def fail(self, outage: Outage | None) -> None:
        for side in self.sides:
            side.fail(outage)

    def restart(self) -> None:
        self.sides[0].restart(lambda _: SqliteStore.open(self._directory))
        self.sides[1].restart(_copied)

    def catch_up(self, *, is_well: bool) -> None:
        """Live through the background's work, then go on without, where nothing happens by itself."""
        self.restart()
        if any(side.is_picky for side in self.sides):
            return  # how far each would get in what time is chance
        for side in self.sides:
            side.service.start()
            assert side.service.erase(PATIENCE)
            if is_well:
                assert side.service.catch_up(PATIENCE)
        self.restart()

    def back_up(self) -> tuple[Path, MemoryStore]:
        self._directories += 1
        path = self.place / f"{self._directories}.sqlite"
        self.sides[0].service.backup(path)
        twin = self.sides[1].store
        assert isinstance(twin, MemoryStore)
        return path, copy_of(twin)

    def restore(self, backup: tuple[Path, MemoryStore]) -> None:
        """Go on from a backup, in a new directory."""
        path, twin = backup
        self._directory = self._new_directory()
        restore(path, self._directory, lambda _: None)
        self.sides[0].restart(lambda _: SqliteStore.open(self._directory))
        self.sides[1].restart(lambda _: copy_of(twin))

    def start_anew(self) -> None:
        """Go on in new places that hold nothing."""
        self._directory = self._new_directory()
        self.sides[0].restart(lambda _: SqliteStore.open(self._directory))
        self.sides[1].restart(lambda _: MemoryStore())

    def close(self) -> None:
        for side in self.sides:
            side.close()
        shutil.rmtree(self.place)

    def _new_directory(self) -> Path:
        self._directories += 1
        return self.place / f"data-{self._directories}"


def _copied(store: Store) -> Store:
    assert isinstance(store, MemoryStore)
    return copy_of(store)


def _outcome(call: Callable[[MemoryService], Any], service: MemoryService) -> Any:
    try:
        return call(service)
    except GraphmemError as error:
        return error


def _plain(answer: Any) -> Any:
    """What can be compared of an answer."""
    if isinstance(answer, GraphmemError):
        return type(answer).__name__, str(answer)
    if isinstance(answer, list):
        return [_plain(each) for each in answer]
    return answer.to_dict() if hasattr(answer, "to_dict") else answer
