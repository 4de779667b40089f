"""AtomMaker makes the atoms of stored turns: of those that are published now, or of all anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from graphmem.build.extract import Extraction, extract
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.clock import Clock
from graphmem.ports.scenes import ScenePlace
from graphmem.ports.store import Head, ReadTransaction, Span, Store, WriteTransaction
from graphmem.service.atoms.recorded import told_sayings
from graphmem.service.atoms.remaking import SayingsById, gather, remake_atoms
from graphmem.service.atoms.retelling import retell_all
from graphmem.service.atoms.sayings import Saying
from graphmem.service.atoms.writing import write_atoms, write_raw_atoms
from graphmem.service.build import Build
from graphmem.service.landing import BLOCK_TURNS, cut

_TRIES: Final = 3  # while others delete or tell, before they are kept waiting for it


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomMaker:
    """Makes atoms. Thread-safe.

    Attributes:
        version: what atoms are found with now; empty where none are wanted.
    """

    store: Store
    clock: Clock
    version: str

    def prepare(self, scope: Scope, turns: Sequence[Turn] | None) -> dict[int, Extraction]:
        """What these turns say that are not published (None: all), while others go on writing."""
        if not self.version:
            return {}
        with self.store.read(scope) as snapshot:
            head = snapshot.head()
            first = head.ready_turns if head else 0
            if turns is None:
                turns = snapshot.turns(range(first, head.next_turn)) if head else []
        return {turn.turn_no: extract(turn) for turn in turns if turn.turn_no >= first}

    def publish(
        self,
        tx: WriteTransaction,
        scope: Scope,
        before: Head,
        after: Head,
        prepared: Mapping[int, Extraction],
    ) -> None:
        """Write what the turns say that the step from one state to the other publishes.

        Args:
            tx: a write transaction of the memory.
            scope: the memory.
            before: its state.
            after: its state with these turns published.
            prepared: what was extracted from turns before; the others' is extracted now.
        """
        if self.version:
            turns = range(before.ready_turns, after.ready_turns)
            version = after.ready_version
            write_raw_atoms(tx, scope, turns, version, prepared)
            retell_all(tx, scope, turns, ready_turns=after.ready_turns, version=version)

    def write(
        self, tx: WriteTransaction, scope: Scope, turns: Sequence[Turn], version: int
    ) -> None:
        """Write what turns say that come behind all others, page by page: by what is on record."""
        for start in range(0, len(turns) if self.version else 0, BLOCK_TURNS):
            said = told_sayings(tx, scope, turns[start : start + BLOCK_TURNS])
            write_atoms(tx, said, version)

    def make(self, scope: Scope, *, anew: bool = False) -> bool:
        """Make the atoms of the published turns again from their text, if need be; whether it was.

        As with the index, the costly part happens outside the transaction.
        """
        for attempt in range(_TRIES + 1):
            with self.store.read(scope) as snapshot:
                seen = snapshot.head()
                if seen is None or not (anew or self._is_old(seen)):
                    return False
                # The last time everything is done while others wait.
                end = seen.ready_turns if attempt < _TRIES else 0
                said = self._sayings(scope, snapshot, 0, end)
                told = _told(snapshot)
            with self.store.write(scope) as tx:
                head = tx.head()
                if head is None:
                    return False
                is_as_seen = head.generation == seen.generation and _told(tx) == told
                if is_as_seen or not end:
                    said += self._sayings(scope, tx, end, head.ready_turns)
                    self._replace(tx, head, gather(said))
                    return True
        return False

    def _is_old(self, head: Head) -> bool:
        return Build.from_text(head.build).atoms != self.version

    def _sayings(self, scope: Scope, read: ReadTransaction, start: int, end: int) -> list[Saying]:
        """All that the turns with numbers from `start` to below `end` say."""
        if not self.version:
            return []
        return [
            one
            for span in cut(Span(first_turn=start, turns=max(0, end - start)), BLOCK_TURNS)
            for one in told_sayings(
                read, scope, read.turns(range(span.first_turn, span.first_turn + span.turns))
            )
        ]

    def _replace(self, tx: WriteTransaction, head: Head, said: SayingsById) -> None:
        """Put the new atoms in the place of the old ones; what differs is a version of its own."""
        is_published = head.ready_version == head.version
        version = head.version + is_published
        remade = remake_atoms(tx, said, version)
        build = replace(Build.from_text(head.build), atoms=self.version).to_text()
        after = replace(head, build=build)
        if remade.is_changed:
            after = replace(
                after,
                version=version,
                ready_version=version if is_published else head.ready_version,
                # Readers don't look again at a version that they know.
                generation=head.generation + (remade.has_vanished or not is_published),
                updated_us=self.clock.now_us(),
            )
        if after != head:
            tx.set_head(after)


def _told(read: ReadTransaction) -> list[tuple[ScenePlace, int, str]]:
    """What a chat model has told of a memory's scenes."""
    return [(row.place, row.told, row.key) for row in read.scenes() if row.told]
