"""The calls about atoms: search, list, make, change and delete them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphmem.client._async.caller import AsyncCaller
from graphmem.client._base import calls
from graphmem.client._base.request import Time, listed
from graphmem.client.result import ListResult, Result
from graphmem.client.values import Atom, AtomHit, AtomVersion


class AsyncAtomicCalls:
    """The `/atomic` half of a client."""

    _caller: AsyncCaller

    async def search_atomic(
        self,
        query: str,
        *,
        limit: int | None = None,
        type: str | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> ListResult[AtomHit]:
        """Find the atoms that match a text best, best first.

        Args:
            query: 1 to 2048 characters, not blank.
            limit: at most that many, 1 to 100; the server's default is 5.
            type: `episodic`, `persona` or `instruction`; None searches all.
            time_start: only atoms updated then or later; ISO 8601 text or an aware datetime.
            time_end: only atoms updated then or earlier.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "query": query,
            "limit": limit,
            "type": type,
            "time_start": time_start,
            "time_end": time_end,
        }
        answer = await self._caller.call(calls.SEARCH_ATOMIC, arguments)
        return ListResult.of(answer, "items", AtomHit.read)

    async def query_atomic(
        self,
        *,
        type: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> ListResult[Atom]:
        """List atoms, the latest updated first; `result["total"]` counts all that match.

        Args:
            type: `episodic`, `persona` or `instruction`; None lists all.
            limit: at most that many, 1 to 100; the server's default is 20.
            offset: leave out that many first.
            time_start: only atoms updated then or later; ISO 8601 text or an aware datetime.
            time_end: only atoms updated then or earlier.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "type": type,
            "limit": limit,
            "offset": offset,
            "time_start": time_start,
            "time_end": time_end,
        }
        answer = await self._caller.call(calls.QUERY_ATOMIC, arguments)
        return ListResult.of(answer, "items", Atom.read)

    async def create_atomic(
        self, items: Iterable[Mapping[str, object]], *, request_id: str | None = None
    ) -> ListResult[Atom]:
        """Make atoms by hand.

        Args:
            items: 1 to 100 dictionaries of `content` (1 to 8192 characters), `type`, and optionally
                `background`, `event_time` (when it happened) and `source_message_ids`.
            request_id: names this write, so that it is done once; None makes one up.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {"items": listed("items", items), "request_id": request_id}
        answer = await self._caller.call(calls.CREATE_ATOMIC, arguments)
        return ListResult.of(answer, "items", Atom.read)

    async def update_atomic(
        self,
        id: str,
        content: str,
        *,
        background: str | None = None,
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> Result:
        """Change an atom; the result has its `id`, `version` and `updated_at`.

        Args:
            id: which one.
            content: what it says from now on.
            background: None keeps it, an empty string clears it.
            expected_version: refuse with `ConflictError` if the atom is at another version.
            request_id: names this write, so that it is done once; None makes one up.

        Raises:
            NotFoundError: there is no such atom in this scope.
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "id": id,
            "content": content,
            "background": background,
            "expected_version": expected_version,
            "request_id": request_id,
        }
        return await self._caller.call(calls.UPDATE_ATOMIC, arguments)

    async def delete_atomic(self, ids: Iterable[str]) -> Result:
        """Delete atoms; `result["deleted_count"]` counts those that were there.

        Args:
            ids: 1 to 5000 of them.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        return await self._caller.call(calls.DELETE_ATOMIC, {"ids": listed("ids", ids)})

    async def count_atomic(
        self,
        *,
        type: str | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> Result:
        """Count atoms; the result has the `total`. The arguments are those of `query_atomic`.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {"type": type, "time_start": time_start, "time_end": time_end}
        return await self._caller.call(calls.COUNT_ATOMIC, arguments)

    async def history_atomic(self, id: str) -> ListResult[AtomVersion]:
        """The states that an atom has been in, with their times and the reasons of the changes.

        Args:
            id: which one.

        Raises:
            NotFoundError: there is no such atom in this scope.
            MemoryClientError: see `graphmem.client.errors`.
        """
        answer = await self._caller.call(calls.HISTORY_ATOMIC, {"id": id})
        return ListResult.of(answer, "items", AtomVersion.read)
