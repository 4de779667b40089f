"""The in-memory store: a dictionary of immutable states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice

from graphmem.domain.erasure import Tombstone
from graphmem.domain.scope import Scope
from graphmem.errors import StoreError
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.keys import KeyRow
from graphmem.ports.store import MemoryRow
from graphmem.stores.gate import Gate
from graphmem.stores.keys import in_order
from graphmem.stores.memory.state import State
from graphmem.stores.memory.transaction import MemoryRead, MemoryWrite
from graphmem.stores.turnstile import Turnstile


class MemoryStore:
    """Keeps memories as long as the object lives. See `graphmem.ports.store.Store`.

    It is the simplest thing that obeys the port's laws; its cost grows with the memory.
    """

    def __init__(self) -> None:
        self._states: dict[Scope, State] = {}
        self._models: dict[str, EmbeddingModel] = {}
        self._keys: dict[str, KeyRow] = {}
        self._gate = Gate()
        self._turnstile = Turnstile()

    @contextmanager
    def read(self, scope: Scope) -> Iterator[MemoryRead]:
        with self._gate, closing(MemoryRead(self._states.get(scope, State()))) as transaction:
            yield transaction

    @contextmanager
    def write(self, scope: Scope) -> Iterator[MemoryWrite]:
        with self._gate, self._turnstile:
            state = self._states.get(scope, State())
            with closing(MemoryWrite(state, self._models)) as transaction:
                yield transaction
                self._publish(scope, transaction.result())
                self._models = transaction.models()

    def memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> list[MemoryRow]:
        with self._gate:
            states = self._states
        rows = (
            MemoryRow(scope=scope, head=state.head)
            for scope, state in sorted(states.items(), key=_by_ids)
            if scope.tenant_id == tenant_id and state.head is not None
        )
        behind = _ids(Scope(tenant_id=tenant_id, memory_id=after)) if after is not None else None
        return list(islice((row for row in rows if _is_behind(row.scope, behind)), limit))

    def pending_scopes(self, model: str) -> list[Scope]:
        with self._gate:
            states = self._states
        waiting = (
            scope for scope, state in states.items() if any(of == model for of, _ in state.pending)
        )
        return sorted(waiting, key=_ids)

    def scene_scopes(self) -> list[Scope]:
        with self._gate:
            states = self._states
        waiting = (
            scope
            for scope, state in states.items()
            if any(row.waits for row in state.scenes.values())
        )
        return sorted(waiting, key=_ids)

    def stale_scopes(self, build: str) -> list[Scope]:
        with self._gate:
            states = self._states
        heads = ((scope, state.head) for scope, state in states.items())
        stale = (
            scope
            for scope, head in heads
            if head and (head.ready_version < head.version or head.build != build)
        )
        return sorted(stale, key=_ids)

    def scopes(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        with self._gate:
            states = self._states
        scopes = sorted((scope for scope, state in states.items() if state.head), key=_ids)
        behind = _ids(after) if after is not None else None
        return list(islice((scope for scope in scopes if _is_behind(scope, behind)), limit))

    def graves(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        with self._gate:
            states = self._states
        scopes = sorted((scope for scope, state in states.items() if state.grave), key=_ids)
        behind = _ids(after) if after is not None else None
        return list(islice((scope for scope in scopes if _is_behind(scope, behind)), limit))

    def models(self) -> list[EmbeddingModel]:
        with self._gate:
            models = self._models
        return [models[name] for name in sorted(models, key=str.encode)]

    def access_keys(self) -> list[KeyRow]:
        with self._gate:
            return in_order(list(self._keys.values()))

    def put_key(self, key: KeyRow) -> None:
        with self._gate, self._turnstile:
            if key.key_id in self._keys:
                raise StoreError("there is a key with this id; nothing was changed")
            self._keys = self._keys | {key.key_id: key}

    def revoke_key(self, key_id: str, revoked_us: int) -> bool:
        with self._gate, self._turnstile:
            key = self._keys.get(key_id)
            if key is None or key.revoked_us is not None:
                return False
            self._keys = self._keys | {key_id: replace(key, revoked_us=revoked_us)}
            return True

    def unerased(self) -> int:
        with self._gate:
            states = self._states
        return sum(len(_unerased(state)) for state in states.values())

    def erase(self, now_us: Callable[[], int]) -> int:
        with self._gate, self._turnstile:
            waiting = {scope: _unerased(state) for scope, state in self._states.items()}
            at = now_us()
            for scope, tombstones in waiting.items():
                done = [replace(tombstone, erased_us=at) for tombstone in tombstones]
                self._publish(scope, self._states[scope].with_tombstones(done))
        return sum(map(len, waiting.values()))

    def ping(self) -> None:
        with self._gate:
            pass

    def close(self) -> None:
        self._gate.close()

    def _publish(self, scope: Scope, state: State) -> None:
        # A new dictionary each time: readers iterate over the one they have.
        if state.head is not None or state.grave is not None:
            self._states = self._states | {scope: state}


def _unerased(state: State) -> list[Tombstone]:
    return [tombstone for tombstone in state.tombstones.values() if tombstone.erased_us is None]


def _ids(scope: Scope) -> tuple[bytes, bytes]:
    return scope.tenant_id.encode(), scope.memory_id.encode()


def _by_ids(item: tuple[Scope, State]) -> tuple[bytes, bytes]:
    return _ids(item[0])


def _is_behind(scope: Scope, place: tuple[bytes, bytes] | None) -> bool:
    return place is None or _ids(scope) > place
