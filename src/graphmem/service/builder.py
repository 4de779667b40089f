"""Builder brings a memory up to its last version, and publishes it by the one ready marker."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Protocol

from graphmem.build.extract import Extraction
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import EmbeddingError, EmbeddingUnavailableError
from graphmem.index.segment import Segment
from graphmem.index.vectors import Quantised
from graphmem.ports.claims import Claims
from graphmem.ports.clock import Clock
from graphmem.ports.stage import stage
from graphmem.ports.store import Head, ReadTransaction, Span, Store, WriteTransaction
from graphmem.service.atoms.maker import AtomMaker
from graphmem.service.build import ATOMS_VERSION, Build
from graphmem.service.dense import Dense
from graphmem.service.indexing import publish, row_of, segments_of
from graphmem.service.landing import BLOCK_TURNS, cut, land, redraft
from graphmem.service.locks import ScopeLocks
from graphmem.service.scenes.teller import Teller
from graphmem.service.scenes.telling import Telling
from graphmem.service.standing import (
    lacks_vectors,
    missing,
    standing_of,
    vector_spans,
    waiting_spans,
)

_TRIES: Final = 3  # to make an index while others delete, before they are kept waiting for it
_SLICE_BYTES: Final = 65_536  # a model takes seconds for it, and what landed is not lost
_PAGE: Final = 16


class Embed(Protocol):
    """Makes vectors of turns: of the first ones, with what kept it from making the others'."""

    def __call__(
        self, turns: Sequence[Turn]
    ) -> tuple[Sequence[Quantised | None], EmbeddingError | None]:
        """None stands for a turn that the model refused."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """What bringing a memory up took.

    Attributes:
        reindexed: its index was made anew.
        remade: its atoms were made anew.
        turns: turns that got their vectors.
        refused: turns that the model refused; they go on waiting, and so does the memory.
    """

    reindexed: bool
    remade: bool
    turns: int
    refused: int


class Builder:
    """Builds memories. Thread-safe; calls for one memory take turns.

    Args:
        store: the memories.
        dense: the embedding model, None without one.
        clock: gives the times of versions.
        semantic: whether memories have atoms.
        teller: asks a chat model for them; None for rules alone.
        claims: tell other processes what is built here, None where there are none.

    Attributes:
        build: what memories are built with now.
        atoms: makes their atoms.
        telling: has their scenes told by a chat model.
        locks: used by the calls that build a memory while somebody waits for it.
    """

    def __init__(
        self,
        store: Store,
        dense: Dense | None,
        clock: Clock,
        *,
        semantic: bool = True,
        teller: Teller | None = None,
        claims: Claims | None = None,
    ) -> None:
        self._store = store
        self._dense = dense
        self._clock = clock
        self.build = Build(
            vectors=dense.fingerprint if dense else "",
            atoms=ATOMS_VERSION if semantic else "",
            chat=teller.fingerprint if teller else "",
            scene_turns=teller.limits.scene_turns if teller else 0,
        )
        self.atoms = AtomMaker(store=store, clock=clock, version=self.build.atoms)
        self.telling = Telling(
            store=store,
            clock=clock,
            teller=teller,
            build=self.build,
            settle=self.settle,
        )
        self.locks = ScopeLocks(claims)

    def bring_up(
        self,
        scope: Scope,
        *,
        seconds: float | None,
        reindex: bool = False,
        is_urgent: bool = True,
        landed: Callable[[int], None] = lambda _: None,
    ) -> Brought:
        """Do all that is outstanding in a memory; a call that fails has kept what it did.

        Args:
            scope: the memory; nothing happens when there is none.
            seconds: how long at most; None as long as the model makes progress. Embedding in this
                process does not count: it may be busy with others, and is never out.
            reindex: make index and atoms anew even if they are of the versions in force.
            is_urgent: somebody waits; else all other work of the model goes first.
            landed: told after each slice how many turns got their vectors.

        Raises:
            ModelError: a model is out, or too slow, or its answers are of no use.
            StoreError: the store failed.
        """
        is_local = self._dense is None or self._dense.is_local
        began = time.monotonic()
        try:
            with self.locks.use(scope), self.locks.hold(scope, None if is_local else seconds):
                self.telling.relist(scope, anew=reindex)
                reindexed = self.make_index(scope, anew=reindex)
                remade = self.atoms.make(scope, anew=reindex)
                until = None if seconds is None or is_local else began + seconds
                end, done = self._embed_outstanding(scope, until, landed, is_urgent=is_urgent)
                if is_local and seconds is not None:
                    until = time.monotonic() + seconds  # the chat model's time
                with stage("extract"):
                    self.telling.tell(scope, until=until)
                refused = self._finish(scope, end)
        except TimeoutError as error:
            raise EmbeddingUnavailableError("another call is still building the memory") from error
        return Brought(reindexed=reindexed, remade=remade, turns=done, refused=refused)

    def make_index(self, scope: Scope, *, anew: bool = False) -> bool:
        """Make the index of the published turns again from their text, if need be; whether it was.

        Analysing happens outside the transaction, so that others go on writing.
        """
        made, seen = self._analysed(scope, anew=anew)
        tries = 0
        while seen is not None:
            tries += 1
            with self._store.write(scope) as tx:
                head = tx.head()
                if head is None:
                    return False
                if head.generation == seen.generation:
                    made += segments_of(tx, seen.ready_turns, head.ready_turns)
                    self._replace_index(tx, head, made)
                    return True
                if tries >= _TRIES:
                    self._replace_index(tx, head, list(segments_of(tx, 0, head.ready_turns)))
                    return True
            made, seen = self._analysed(scope, anew=anew)
        return False

    def fill(
        self,
        scope: Scope,
        embed: Embed,
        *,
        slice_turns: int,
        end: int | None = None,
        landed: Callable[[int], None] = lambda _: None,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> int:
        """Embed and store what waits in one memory, and publish it when nothing waits any more.

        Args:
            scope: the memory.
            embed: makes the vectors.
            slice_turns: one transaction for so many turns, or fewer when they are long.
            end: leave those with this number or higher to their own callers.
            landed: told after each slice how many turns got their vectors.
            goes_on: asked before each slice.

        Returns:
            How many turns got their vectors.

        Raises:
            EmbeddingError: the model is out; what landed before stays.
            StoreError: the store failed.
        """
        total = at = 0
        while goes_on():
            with self._store.read(scope) as snapshot:
                span = self._next_slice(snapshot, at, slice_turns)
                if span is None or (end is not None and span.first_turn >= end):
                    break
                turns = _beginning(snapshot, span)
            vectors, error = embed(turns)
            found = self._land(scope, turns[: len(vectors)], vectors)
            landed(found)
            total += found
            if error is not None:
                raise error
            at = turns[-1].turn_no + 1
        return total

    def tidy(self, scope: Scope) -> None:
        """Do what is outstanding in a memory and needs no model."""
        if not self.build.chat:
            self.telling.relist(scope)
        self.make_index(scope)
        self.atoms.make(scope)
        with self._store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None or not standing_of(snapshot, head, self.build).has_vectors:
                return
        self._finish(scope, head.next_turn)

    def settle(
        self,
        scope: Scope,
        tx: WriteTransaction,
        prepared: Mapping[int, Extraction] = MappingProxyType({}),
    ) -> None:
        """Publish what is whole; needs no model.

        Args:
            scope: the memory.
            tx: a write transaction of it.
            prepared: what was extracted from unpublished turns before.
        """
        head = tx.head()
        known = Build.from_text(head.build if head else "")
        if head is None or known.index != self.build.index:
            return
        waiting = waiting_spans(tx, self.build)
        build = known
        if self.build.vectors and known.vectors != self.build.vectors:
            late = vector_spans(tx, self.build)
            is_late = any(span.first_turn < head.ready_turns for span in late)
            if is_late or lacks_vectors(tx, head, self.build):
                return
            tx.delete_vectors(keep=self.build.vectors)
            build = replace(known, vectors=self.build.vectors)
        # Without a model, what another one gave stays good for the day when it is back.
        settled = replace(publish(tx, head, waiting), build=build.to_text())
        self.atoms.publish(tx, scope, head, settled, prepared)
        if settled != head:
            tx.set_head(settled)

    def _analysed(self, scope: Scope, *, anew: bool) -> tuple[list[Segment], Head | None]:
        """New segments and the head they fit to; no head if there is nothing to do."""
        with self._store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None or not (anew or Build.from_text(head.build).index != self.build.index):
                return [], None
            return list(segments_of(snapshot, 0, head.ready_turns)), head

    def _replace_index(self, tx: WriteTransaction, head: Head, made: Sequence[Segment]) -> None:
        """Put the new segments in the place of the old ones, as a version of its own."""
        is_published = head.ready_version == head.version
        version = head.version + 1 if is_published else head.ready_version
        tx.delete_segments([span.first_turn for span in tx.segment_spans()])
        for segment in made:
            tx.put_segment(row_of(segment, version))
        build = replace(Build.from_text(head.build), index=self.build.index)
        tx.set_head(
            replace(
                head,
                version=max(version, head.version),
                ready_version=version,
                generation=head.generation + 1,
                build=build.to_text(),
                updated_us=self._clock.now_us(),
            )
        )

    def _embed_outstanding(
        self,
        scope: Scope,
        until: float | None,
        landed: Callable[[int], None],
        *,
        is_urgent: bool,
    ) -> tuple[int, int]:
        """The number behind the last turn that there was, and how many turns got their vectors."""
        dense = self._dense
        end = self._list_missing(scope)
        if dense is None:
            return end, 0

        def embed(
            turns: Sequence[Turn],
        ) -> tuple[Sequence[Quantised | None], EmbeddingError | None]:
            left = None if until is None else max(0.0, until - time.monotonic())
            return dense.embed_in_full(redraft(turns), seconds=left, is_urgent=is_urgent)

        return end, self.fill(scope, embed, slice_turns=BLOCK_TURNS, end=end, landed=landed)

    def _list_missing(self, scope: Scope) -> int:
        """Put the turns without vectors on the durable list; the number behind the last turn."""
        with self._store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None:
                return 0
            if standing_of(snapshot, head, self.build).has_vectors:
                return head.next_turn
        with self._store.write(scope) as tx:
            head = tx.head()
            if head is None:
                return 0
            tx.put_pending(self.build.vectors, missing(tx, head, self.build))
            return head.next_turn

    def _next_slice(self, read: ReadTransaction, at: int, most: int) -> Span | None:
        """The first turns that wait, from `at` on."""
        for span in read.pending(self.build.vectors):
            skipped = max(0, at - span.first_turn)
            if skipped < span.turns:
                rest = Span(first_turn=span.first_turn + skipped, turns=span.turns - skipped)
                return next(cut(rest, most))
        return None

    def _land(
        self, scope: Scope, turns: Sequence[Turn], vectors: Sequence[Quantised | None]
    ) -> int:
        """Store one slice: how many of its turns landed."""
        found = sum(vector is not None for vector in vectors)
        if not found or self._dense is None:
            return 0
        prepared = self.atoms.prepare(scope, turns)
        with self._store.write(scope) as tx:
            tx.put_model(self._dense.model)
            done = land(
                tx,
                self.build.vectors,
                Span(first_turn=turns[0].turn_no, turns=len(turns)),
                vectors,
                versions=[turn.version for turn in turns],
                now_us=self._clock.now_us(),
            )
            self.settle(scope, tx, prepared)
        return found if done else 0

    def _finish(self, scope: Scope, end: int) -> int:
        """Publish what needed no model; how many turns before the end still wait."""
        prepared = self.atoms.prepare(scope, None)
        with self._store.write(scope) as tx:
            self.settle(scope, tx, prepared)
            waiting = vector_spans(tx, self.build)
        return sum(span.turns for span in waiting if span.first_turn < end)


def _beginning(read: ReadTransaction, span: Span) -> list[Turn]:
    """The first turns of a span, at least one, at most `_SLICE_BYTES` if there are more."""
    found: list[Turn] = []
    size = 0
    for part in cut(span, _PAGE):
        for turn in read.turns(range(part.first_turn, part.first_turn + part.turns)):
            size += len(turn.content.encode())
            if found and size > _SLICE_BYTES:
                return found
            found.append(turn)
    return found
