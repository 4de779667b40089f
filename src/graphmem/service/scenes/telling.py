"""Telling works off the list of a memory's scenes: asks, records, and brings the atoms up."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from graphmem.domain.scope import Scope
from graphmem.errors import ChatResponseError
from graphmem.ports.clock import Clock
from graphmem.ports.scenes import AnswerRow, ScenePlace, SceneRow
from graphmem.ports.store import Head, ReadTransaction, Store, WriteTransaction
from graphmem.service.atoms.listing import list_all, list_given_up
from graphmem.service.atoms.retelling import retell
from graphmem.service.build import Build
from graphmem.service.scenes.teller import Outcome, Question, Teller


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Has the scenes of memories told. Thread-safe.

    Attributes:
        teller: asks the model; None without one.
        build: what memories are built with now.
        settle: publishes what waited for nothing but what was told.
    """

    store: Store
    clock: Clock
    teller: Teller | None
    build: Build
    settle: Callable[[Scope, WriteTransaction], None]

    def relist(self, scope: Scope, *, anew: bool = False) -> None:
        """Put on the list what the model in force has to tell, if its list is another one's.

        Until then rules tell it. Answers that are on record cost nothing.

        Args:
            scope: the memory.
            anew: ask again about what the model failed at, too.
        """
        with self.store.read(scope) as snapshot:
            head = snapshot.head()
        if head is None or not (anew or self._is_others(head)):
            return
        with self.store.write(scope) as tx:
            head = tx.head()
            if head is None:
                return
            if not self._is_others(head):
                list_given_up(tx)
                return
            list_all(tx, self.build.scene_turns)
            # What another model found goes as soon as the atoms are made anew.
            known = Build.from_text(head.build)
            build = replace(
                known, atoms="", chat=self.build.chat, scene_turns=self.build.scene_turns
            )
            tx.set_head(replace(head, build=build.to_text()))

    def _is_others(self, head: Head) -> bool:
        return Build.from_text(head.build).telling != self.build.telling

    def tell(
        self,
        scope: Scope,
        *,
        until: float | None = None,
        goes_on: Callable[[], bool] = lambda: True,
    ) -> int:
        """Have all scenes told that wait, each one once; what was told stays told.

        Args:
            scope: the memory.
            until: the monotonic time to be done by; None as long as each call takes.
            goes_on: asked before each scene.

        Returns:
            How many were told.

        Raises:
            ChatUnavailableError: the model is out, or too slow.
            ChatResponseError: its answers about some scenes were of no use; these wait.
            StoreError: the store failed.
        """
        failure: ChatResponseError | None = None
        told = 0
        listing = _Listing()
        while self.teller and goes_on():
            question = self._next(scope, self.teller, listing)
            if question is None:
                break
            outcome = self._ask(scope, self.teller, question, until)
            with self.store.write(scope) as tx:
                is_told = self._land(tx, scope, self.teller, question, outcome)
                if is_told and _is_unpublished(tx.head()):
                    self.settle(scope, tx)
            told += is_told
            if not is_told and outcome.error is not None:
                failure = outcome.error
        if failure is not None:
            raise failure
        return told

    def _next(self, scope: Scope, teller: Teller, listing: _Listing) -> Question | None:
        with self.store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None or self._is_others(head):
                return None
            row = listing.next(snapshot)
            return teller.question(row, snapshot.turns(row.turn_nos)) if row else None

    def _ask(
        self, scope: Scope, teller: Teller, question: Question, until: float | None
    ) -> Outcome:
        with self.store.read(scope) as snapshot:
            answer = snapshot.answer(question.key)
            spent = snapshot.chat_tokens()
        return teller.tell(
            question,
            recorded=answer.data if answer else None,
            spent=spent,
            seconds=None if until is None else until - time.monotonic(),
        )

    def _land(
        self,
        tx: WriteTransaction,
        scope: Scope,
        teller: Teller,
        question: Question,
        outcome: Outcome,
    ) -> bool:
        """Record what became of a question; whether its scene needs the model no more."""
        head = tx.head()
        if head is None:
            return False
        tx.add_chat_tokens(outcome.tokens)
        asked = question.row
        row = next(iter(tx.scenes_at([asked.place])), None)
        if row is None or row.turn_nos[: len(asked.turn_nos)] != asked.turn_nos:
            return False  # turns were deleted meanwhile, and what was asked holds their words
        if row.told >= len(asked.turn_nos):
            return True  # somebody else was faster
        attempts = row.attempts + (outcome.error is not None)
        if outcome.error is not None and attempts < teller.limits.max_attempts:
            tx.put_scenes([replace(row, attempts=attempts)])
            return False
        self._record(tx, scope, head, row, question, outcome.answer)
        return True

    def _record(
        self,
        tx: WriteTransaction,
        scope: Scope,
        head: Head,
        row: SceneRow,
        question: Question,
        answer: str | None,
    ) -> None:
        session_no, scene_no = row.place
        tx.delete_answers([row.place])
        if answer is not None:
            tx.put_answer(
                AnswerRow(
                    key=question.key,
                    session_no=session_no,
                    scene_no=scene_no,
                    data=answer.encode(),
                )
            )
        told = replace(
            row,
            told=len(question.row.turn_nos),
            key=question.key if answer is not None else "",
            attempts=0,
        )
        tx.put_scenes([told])
        is_published = head.ready_version == head.version
        version = head.version + is_published
        if retell(tx, scope, told, ready_turns=head.ready_turns, version=version):
            tx.set_head(
                replace(
                    head,
                    version=version,
                    ready_version=version if is_published else head.ready_version,
                    # Readers don't look again at a version that they know.
                    generation=head.generation + (not is_published),
                    updated_us=self.clock.now_us(),
                )
            )


def _is_unpublished(head: Head | None) -> bool:
    """Whether something of the memory may have waited for a scene; to find out reads all that wait."""
    return head is not None and head.ready_version < head.version


@dataclass(slots=True)
class _Listing:
    """The scenes of a memory that wait, each given out once; read again only when others change it.

    Attributes:
        rows: those still to be given out, the next one last.
        tried: those that were; a failure leaves a scene as it was, but for its attempts.
    """

    rows: list[SceneRow] = field(default_factory=list)
    tried: set[tuple[ScenePlace, tuple[int, ...]]] = field(default_factory=set)

    def next(self, read: ReadTransaction) -> SceneRow | None:
        """The next scene, as it is now."""
        row = self.rows.pop() if self.rows else None
        if row is None or read.scenes_at([row.place]) != [row]:
            waiting = reversed(read.waiting_scenes())
            self.rows = [each for each in waiting if (each.place, each.turn_nos) not in self.tried]
            row = self.rows.pop() if self.rows else None
        if row is not None:
            self.tried.add((row.place, row.turn_nos))
        return row
