"""The cache of atom views: bounded by bytes, least recently used out first."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.scope import Scope
from graphmem.index.atoms import AtomView
from graphmem.index.view import CompiledView
from graphmem.ports.store import Head, ReadTransaction
from graphmem.service.locks import ScopeLocks
from graphmem.service.lru import BytesLRU


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Shown:
    """A view with the state of the memory that it was compiled from."""

    view: AtomView
    generation: int
    ready_version: int

    def is_up_to(self, head: Head) -> bool:
        """Whether it is what this head holds, or later."""
        return (
            self.generation >= head.generation
            and self.view.version >= head.version
            and self.ready_version >= head.ready_version
        )


class AtomCache:
    """Newest views of the atoms of memories in use.

    Atoms are written by the transaction that publishes them, so that a view is of the memory's last
    version, published or not: what a hand writes meanwhile is seen at once.

    Args:
        limit_bytes: the most that all views may hold together.
    """

    def __init__(self, limit_bytes: int) -> None:
        self._views: BytesLRU[Scope, _Shown] = BytesLRU(limit_bytes)
        self._locks = ScopeLocks()

    def view(
        self, scope: Scope, read: ReadTransaction, head: Head, turns: CompiledView
    ) -> AtomView:
        """The memory's atoms or, when others are ahead, later ones.

        Args:
            scope: the memory.
            read: an open snapshot of it.
            head: the memory's state in that snapshot.
            turns: the view of its turns at the version that this head publishes.
        """
        shown = self._views.get(scope)
        if shown is not None and shown.is_up_to(head):
            return shown.view
        with self._locks.hold(scope, None):  # one reader loads what all wait for
            shown = self._views.get(scope)
            if shown is None or not shown.is_up_to(head):
                shown = _next(shown, read, head, turns)
                self._views.put(scope, shown, shown.view.nbytes)
            return shown.view

    def private_view(self, read: ReadTransaction, head: Head, turns: CompiledView) -> AtomView:
        """The memory's atoms for one caller alone, whatever the shared view shows."""
        return _next(None, read, head, turns).view

    def drop(self, scope: Scope) -> None:
        """Hold nothing of a memory; readers that have its view keep it until they are done."""
        self._views.drop(lambda key: key == scope)


def _next(shown: _Shown | None, read: ReadTransaction, head: Head, turns: CompiledView) -> _Shown:
    can_grow = shown and shown.generation == head.generation and not shown.view.is_crowded
    known = shown.view if shown and can_grow else AtomView.empty()
    # What is published late bears a version that was there before, above the one published then.
    rows = read.atoms(since=shown.ready_version if shown and can_grow else 0)
    sources = read.atom_sources([row.atom_no for row in rows])
    view = known.extended(rows, sources, turns, head.version)
    return _Shown(view=view, generation=head.generation, ready_version=head.ready_version)
