"""Reembed moves a store to the model in force, memory by memory, while it goes on serving."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial

from graphmem.domain.scope import Scope
from graphmem.ports.store import Store
from graphmem.service.catchup import CatchUp
from graphmem.service.landing import uncovered

_PAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedProgress:
    """How far it is.

    Attributes:
        memories_done: memories that are finished.
        memories: memories there are.
        turns_done: turns embedded so far, of all memories.
        turns: turns of the finished memories and the one at hand that had no vectors.
    """

    memories_done: int
    memories: int
    turns_done: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedReport:
    """What was done.

    Attributes:
        memories: memories that were looked at.
        turns: turns that got vectors of the model.
        refused: turns that the model refused; they stay lexical and on the list.
    """

    memories: int
    turns: int
    refused: int

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values."""
        return asdict(self)


class Reembedding:
    """One run over all memories. What an interrupted run did stays done; the next one goes on.

    Args:
        store: the memories.
        catch_up: does the embedding.
        model: the fingerprint of the model in force.
        progress: told after each slice.
    """

    def __init__(
        self,
        store: Store,
        catch_up: CatchUp,
        model: str,
        progress: Callable[[ReembedProgress], None] | None,
    ) -> None:
        self._store = store
        self._catch_up = catch_up
        self._model = model
        self._progress = progress
        self._turns = 0
        self._turns_done = 0
        self._refused = 0

    def run(self) -> ReembedReport:
        """Give every turn a vector of the model in force, and drop those of other models.

        Raises:
            EmbeddingError: the model is out; run again when it is back.
            StoreError: the store failed; run again.
        """
        scopes = list(_all_scopes(self._store))
        for done, scope in enumerate(scopes):
            self._list_missing(scope)
            self._catch_up.fill_memory(scope, partial(self._tell, done, len(scopes)))
            self._refused += self._finish(scope)
            self._turns_done = self._turns - self._refused  # some the background may have done
        self._tell(len(scopes), len(scopes), 0)
        return ReembedReport(memories=len(scopes), turns=self._turns_done, refused=self._refused)

    def _list_missing(self, scope: Scope) -> None:
        """Put the turns without vectors on the durable list."""
        with self._store.write(scope) as tx:
            head = tx.head()
            if head is None:
                return
            waiting = tx.pending(self._model)
            missing = uncovered(head.turns, tx.vector_spans(self._model), waiting)
            tx.put_pending(self._model, missing)
        self._turns += sum(span.turns for span in (*waiting, *missing))

    def _finish(self, scope: Scope) -> int:
        """Drop the vectors of other models; how many turns still wait for this one's."""
        with self._store.write(scope) as tx:
            if tx.head() is None:
                return 0
            tx.delete_vectors(keep=self._model)
            return sum(span.turns for span in tx.pending(self._model))

    def _tell(self, memories_done: int, memories: int, turns: int) -> None:
        self._turns_done += turns
        if self._progress:
            self._progress(
                ReembedProgress(
                    memories_done=memories_done,
                    memories=memories,
                    turns_done=self._turns_done,
                    turns=self._turns,
                )
            )


def _all_scopes(store: Store) -> Iterator[Scope]:
    after: Scope | None = None
    while page := store.scopes(after=after, limit=_PAGE):
        yield from page
        after = page[-1]
