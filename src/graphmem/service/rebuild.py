"""Rebuilding makes again what is derived from the turns, memory by memory, while others serve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from graphmem.domain.scope import Scope
from graphmem.ports.store import Store
from graphmem.service.builder import Builder

_PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildProgress:
    """How far it is.

    Attributes:
        memories_done: memories that are finished.
        memories: memories there are.
        turns_done: turns embedded so far, of all memories.
    """

    memories_done: int
    memories: int
    turns_done: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RebuildReport:
    """What was done.

    Attributes:
        memories: memories that were looked at.
        reindexed: memories whose index was made anew.
        remade: memories whose atoms were made anew.
        turns: turns that got vectors of the model in force.
        refused: turns that the model refused; their memories stay pending.
    """

    memories: int
    reindexed: int
    remade: int
    turns: int
    refused: int

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        return asdict(self)


class Rebuilding:
    """One run over some memories. What an interrupted run did stays done; the next one goes on.

    Args:
        builder: does the work.
        progress: told after each slice.
    """

    def __init__(
        self, builder: Builder, progress: Callable[[RebuildProgress], None] | None
    ) -> None:
        self._builder = builder
        self._progress = progress
        self._turns_done = 0

    def run(self, scopes: Sequence[Scope], *, reindex: bool) -> RebuildReport:
        """Bring these memories up to the build in force.

        Args:
            scopes: the memories.
            reindex: make indexes and atoms anew, not only those of another version.

        Raises:
            EmbeddingError: the model is out; run again when it is back.
            StoreError: the store failed; run again.
        """
        reindexed = remade = turns = refused = 0
        for done, scope in enumerate(scopes):
            brought = self._builder.bring_up(
                scope,
                seconds=None,
                reindex=reindex,
                is_urgent=False,
                landed=partial(self._tell, done, len(scopes)),
            )
            reindexed += brought.reindexed
            remade += brought.remade
            turns += brought.turns
            refused += brought.refused
        self._tell(len(scopes), len(scopes), 0)
        return RebuildReport(
            memories=len(scopes),
            reindexed=reindexed,
            remade=remade,
            turns=turns,
            refused=refused,
        )

    def _tell(self, memories_done: int, memories: int, turns: int) -> None:
        self._turns_done += turns
        if self._progress:
            self._progress(
                RebuildProgress(
                    memories_done=memories_done, memories=memories, turns_done=self._turns_done
                )
            )


def all_scopes(store: Store) -> Iterator[Scope]:
    """All memories of all tenants, page by page."""
    after: Scope | None = None
    while page := store.scopes(after=after, limit=_PAGE):
        yield from page
        after = page[-1]
