"""The store port: rows in one transaction, and everything of one memory since a version.

A store keeps rows and ranks nothing. Both its transactions are bound to one scope, so that no
statement can forget it. Versions of a memory are 1, 2, 3, ...: each acknowledged write makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from graphmem.domain.erasure import Tombstone
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.atoms import AtomReads, AtomWrites
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.keys import KeyStore
from graphmem.ports.scenes import SceneReads, SceneWrites


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The state of one memory.

    Attributes:
        version: the last committed version; 0 before the first write.
        ready_version: the last version that readers may see.
        turns: how many turns it holds.
        sessions: how many sessions it holds.
        content_bytes: the size of the turns' text in UTF-8.
        created_us: microseconds since 1970 UTC.
        updated_us: microseconds since 1970 UTC.
        ready_turns: turns with numbers below this are published; those from here on are raw, that
            is, in no segment yet.
        build: what its index and vectors were built with, opaque to the store.
        erased_turns: how many turns it held once and does not hold any more.
        erased_sessions: how many sessions it held once and does not hold any more.
        generation: raised by each write that replaces or removes what readers may have compiled;
            what was compiled of another generation can't be extended.
    """

    version: int
    ready_version: int
    turns: int
    sessions: int
    content_bytes: int
    created_us: int
    updated_us: int
    ready_turns: int = 0
    build: str = ""
    generation: int = 0
    erased_turns: int = 0
    erased_sessions: int = 0

    @property
    def next_turn(self) -> int:
        """The next `turn_no`; no number is ever used again."""
        return self.turns + self.erased_turns

    @property
    def next_session(self) -> int:
        """The next `session_no`."""
        return self.sessions + self.erased_sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    """One memory in a listing."""

    scope: Scope
    head: Head


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One session of a memory; `turns` is the next turn's position in it."""

    session_no: int
    session_id: str
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestRow:
    """One line of the request ledger, written in the same transaction as what it stands for.

    Attributes:
        surface: the contract under which the id was used; ids of two contracts never meet.
        request_id: as the caller wrote it.
        payload_digest: 32 bytes that stand for the session id and the normalised messages.
        version: the version that the request made.
        turns: how many turns it stored; for a write of atoms how many it made, or the revision to
            which it changed one; for a deletion how many it deleted.
    """

    surface: str
    request_id: str
    payload_digest: bytes
    version: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentRow:
    """One immutable index segment: postings and columns of a run of turns.

    Attributes:
        first_turn: `turn_no` of its first turn; unique within the memory.
        turns: how many turns it holds.
        version: the version that wrote it; a merged segment bears the version of its merge.
        data: the encoded segment, opaque to the store.
    """

    first_turn: int
    turns: int
    version: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A contiguous run of turns: of a segment, of vectors, or of work to be done."""

    first_turn: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRow:
    """The vectors of all passages of a contiguous run of turns, made by one model.

    Attributes:
        model: the fingerprint of a model that the store knows (`put_model`).
        first_turn: `turn_no` of its first turn; unique within the memory and the model.
        turns: how many turns it covers.
        version: the version that wrote it.
        data: the encoded vectors, opaque to the store.
    """

    model: str
    first_turn: int
    turns: int
    version: int
    data: bytes


class ReadTransaction(AtomReads, SceneReads, Protocol):
    """A consistent snapshot of one memory: all calls see the same committed state."""

    def head(self) -> Head | None:
        """The memory's state, None when there is no such memory, or no longer."""
        ...

    def grave(self) -> Head | None:
        """The last state of a memory that was deleted, None when there is none, or one again."""
        ...

    def tombstones(self) -> list[Tombstone]:
        """What was deleted from the memory, ordered by version; it outlives the memory."""
        ...

    def request(self, surface: str, request_id: str) -> RequestRow | None:
        """The ledger's line for a request, None when it was never applied.

        The ledger outlives what it stands for, even the memory.
        """
        ...

    def requests(
        self, *, behind: tuple[str, str] | None = None, limit: int = 1000
    ) -> list[RequestRow]:
        """Lines of the ledger, ordered by surface and digest of the request id.

        Args:
            behind: surface and request id of the last line that is not wanted any more.
            limit: at most so many.
        """
        ...

    def sessions(self, *, behind: int = -1, limit: int = 1000) -> list[SessionRow]:
        """Sessions with numbers above `behind`, ascending, at most `limit`."""
        ...

    def session(self, session_id: str) -> SessionRow | None:
        """The session with this id, None when the memory has none."""
        ...

    def segments(self, *, since: int) -> list[SegmentRow]:
        """All segments whose version is above `since`, ordered by `first_turn`."""
        ...

    def turns(self, turn_nos: Sequence[int]) -> list[Turn]:
        """The turns with these numbers, in the order asked; unknown numbers are left out."""
        ...

    def turn_nos(self) -> list[int]:
        """The numbers of all turns, ascending."""
        ...

    def find_turns(self, turn_ids: Sequence[str]) -> list[int]:
        """The numbers of the turns that the memory has of these, ascending."""
        ...

    def session_turns(self, session_no: int, *, limit: int | None = None) -> list[int]:
        """The numbers of a session's turns, ascending; the first `limit` of them."""
        ...

    def turns_recorded_before(self, us: int) -> list[int]:
        """The numbers of the turns that arrived before this moment, ascending."""
        ...

    def segments_around(self, turn_nos: Sequence[int]) -> list[SegmentRow]:
        """The segments that may hold these turns: the last that begins at or before each of them.

        Ordered by `first_turn`.
        """
        ...

    def vectors_around(self, model: str, turn_nos: Sequence[int]) -> list[VectorRow]:
        """The vectors of a model that may be these turns': the last that begin at or before each.

        Ordered by `first_turn`.
        """
        ...

    def vector_models(self) -> list[str]:
        """The models of which the memory has vectors or waiting work, ordered by fingerprint."""
        ...

    def vectors(self, model: str, *, since: int) -> list[VectorRow]:
        """All vectors of a model whose version is above `since`, ordered by `first_turn`."""
        ...

    def vector_spans(self, model: str) -> list[Span]:
        """The places of all vectors of a model, ordered by `first_turn`."""
        ...

    def pending(self, model: str) -> list[Span]:
        """Turns that wait for their vectors of a model, ordered by `first_turn`."""
        ...


class WriteTransaction(ReadTransaction, AtomWrites, SceneWrites, Protocol):
    """One atomic write to one memory; the memory's other writers wait until it ends."""

    def create(self, head: Head) -> None:
        """Create the memory, or make it anew on its grave. Only when `head()` is None."""
        ...

    def put_session(self, session: SessionRow) -> None:
        """Insert the session, or replace the one with the same `session_no`."""
        ...

    def put_turns(self, turns: Sequence[Turn]) -> None:
        """Insert turns whose numbers and ids are new."""
        ...

    def put_request(self, request: RequestRow) -> None:
        """Insert a line that is not in the ledger yet."""
        ...

    def segment_spans(self) -> list[Span]:
        """The places of all segments, ordered by `first_turn`."""
        ...

    def segment(self, first_turn: int) -> SegmentRow:
        """One whole segment.

        Raises:
            KeyError: the memory has no segment that begins there.
        """
        ...

    def put_segment(self, segment: SegmentRow) -> None:
        """Insert a segment where none begins."""
        ...

    def delete_segments(self, first_turns: Sequence[int]) -> None:
        """Remove the segments that begin at these turns (before their merged one is put)."""
        ...

    def put_model(self, model: EmbeddingModel) -> None:
        """Make a model known; one that is known by its fingerprint stays as it is."""
        ...

    def put_vectors(self, vectors: Sequence[VectorRow]) -> None:
        """Insert vectors of known models where the model has none that begin there."""
        ...

    def delete_vectors_at(self, model: str, first_turns: Sequence[int]) -> None:
        """Remove the vectors of a model that begin at these turns."""
        ...

    def delete_vectors(self, *, keep: str) -> None:
        """Remove the vectors and the waiting work of all models but the one with this fingerprint."""
        ...

    def put_pending(self, model: str, spans: Sequence[Span]) -> None:
        """Insert work of a model, known or not yet, where none begins."""
        ...

    def delete_pending(self, model: str, first_turns: Sequence[int]) -> None:
        """Remove the work of a model that begins at these turns."""
        ...

    def set_head(self, head: Head) -> None:
        """Replace the memory's state."""
        ...

    def delete_turns(self, turn_nos: Sequence[int]) -> None:
        """Remove turns; numbers that the memory does not have are left out."""
        ...

    def delete_sessions(self, session_nos: Sequence[int]) -> None:
        """Remove sessions that have no turns."""
        ...

    def bury(self, head: Head) -> None:
        """Remove everything of the memory but its ledger and its tombstones.

        Args:
            head: what `grave()` shows from now on.
        """
        ...

    def put_tombstone(self, tombstone: Tombstone) -> None:
        """Insert what was deleted by a version that has no tombstone yet."""
        ...


class Store(KeyStore, Protocol):
    """Keeps memories.

    Laws, held by the conformance suite on every store:

    * `write` is atomic and durable: when the block ends without an exception, all of it survives a
      kill or a power cut; on any exception none of it is there.
    * Writes to one memory happen one after the other; `read` never waits for a write.
    * `read` sees every write that had ended when it began, and one state throughout.
    * Nothing read within one scope depends on rows of another.
    """

    def read(self, scope: Scope) -> AbstractContextManager[ReadTransaction]:
        """Open a snapshot of one memory. May be used from any thread."""
        ...

    def write(self, scope: Scope) -> AbstractContextManager[WriteTransaction]:
        """Open the one write transaction of a memory. May be used from any thread."""
        ...

    def memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> list[MemoryRow]:
        """Memories of a tenant ordered by their id's UTF-8 bytes, those behind `after`, at most `limit`."""
        ...

    def pending_scopes(self, model: str) -> list[Scope]:
        """The memories of all tenants in which turns wait for vectors of a model.

        Ordered by tenant and memory id (UTF-8 bytes).
        """
        ...

    def scene_scopes(self) -> list[Scope]:
        """The memories of all tenants in which scenes wait for a chat model.

        Ordered by tenant and memory id (UTF-8 bytes).
        """
        ...

    def stale_scopes(self, build: str) -> list[Scope]:
        """The memories of all tenants that are not published, or were built with another build.

        Ordered by tenant and memory id (UTF-8 bytes).
        """
        ...

    def scopes(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        """Memories of all tenants, ordered by tenant and memory id, behind `after`."""
        ...

    def graves(self, *, after: Scope | None = None, limit: int = 100) -> list[Scope]:
        """Deleted memories of all tenants, ordered as `scopes` orders the others."""
        ...

    def models(self) -> list[EmbeddingModel]:
        """The models that memories know, ordered by fingerprint."""
        ...

    def unerased(self) -> int:
        """How many deletions of all memories wait for their erasure."""
        ...

    def erase(self, now_us: Callable[[], int]) -> int:
        """Bring all deletions to their end: none of their bytes is left, then `erased_us` is set.

        It may take long and be repeated at any time; what a crash interrupts, the next call does.

        Args:
            now_us: gives the time when an erasure has finished.

        Returns:
            How many deletions were brought to their end.

        Raises:
            StoreFullError: there is no room to rewrite the files; nothing is lost, try again.
            StoreUnavailableError: someone still reads an older state; try again.
        """
        ...

    def ping(self) -> None:
        """Make sure that the store answers.

        Raises:
            StoreError: it does not.
        """
        ...

    def close(self) -> None:
        """Wait for running transactions and give everything back. May be called twice."""
        ...
