"""Sessions of a memory by their names, so that a filter by session or task costs no look at the rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from graphmem.domain.address import Part, names_of_session
from graphmem.domain.scope import Scope
from graphmem.ports.store import Head, ReadTransaction, SessionRow
from graphmem.service.lru import BytesLRU

_BYTES: Final = 16 * 1024 * 1024
_SESSION_BYTES: Final = 400  # of a session's names, numbers and their places in a dict
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Page:
    """The sessions of a memory that had numbers below `next_session`.

    Attributes:
        by_name: numbers with their tasks, by the session's name.
    """

    generation: int
    next_session: int
    by_name: Mapping[str, tuple[tuple[int, str], ...]]

    def numbers(self, part: Part) -> tuple[int, ...]:
        if part.session_id is not None:
            named = {part.session_id: self.by_name.get(part.session_id, ())}
        else:
            named = dict(self.by_name)
        return tuple(
            number
            for name, found in named.items()
            for number, task in found
            if part.admits(name, task)
        )


class SessionBook:
    """Finds sessions by session and task; remembers those of memories in use. Thread-safe."""

    def __init__(self) -> None:
        self._pages: BytesLRU[Scope, _Page] = BytesLRU(_BYTES)

    def numbers(
        self, scope: Scope, read: ReadTransaction, head: Head, part: Part
    ) -> tuple[int, ...] | None:
        """The numbers of the sessions that belong to a part of a memory; None for all of them.

        Numbers of sessions that came after the snapshot may be among them.
        """
        if part.is_whole:
            return None
        page = self._pages.get(scope)
        if page is None or page.generation != head.generation:
            page = _Page(generation=head.generation, next_session=0, by_name={})
        if page.next_session < head.next_session:
            page = _extended(page, read, head)
            size = _SESSION_BYTES * sum(map(len, page.by_name.values()))
            self._pages.put(scope, page, size)
        return page.numbers(part)


def sessions_of(read: ReadTransaction, *, behind: int = -1) -> Iterator[SessionRow]:
    """All sessions whose numbers are above `behind`, ascending."""
    while rows := read.sessions(behind=behind, limit=_PAGE):
        yield from rows
        behind = rows[-1].session_no


def _extended(page: _Page, read: ReadTransaction, head: Head) -> _Page:
    by_name = dict(page.by_name)
    for row in sessions_of(read, behind=page.next_session - 1):
        name, task = names_of_session(row.session_id)
        by_name[name] = (*by_name.get(name, ()), (row.session_no, task))
    return _Page(generation=head.generation, next_session=head.next_session, by_name=by_name)
