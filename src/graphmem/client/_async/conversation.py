"""The calls about messages: add, list, search and delete them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphmem.client._async.caller import AsyncCaller
from graphmem.client._base import calls
from graphmem.client._base.request import Time, listed
from graphmem.client.errors import BadRequestError
from graphmem.client.result import ListResult, Result
from graphmem.client.values import ConversationMessage, MessageHit


class AsyncConversationCalls:
    """The `/conversation` half of a client."""

    _caller: AsyncCaller

    async def add_conversation(
        self,
        messages: Iterable[Mapping[str, object]],
        *,
        session_id: str | None = None,
        request_id: str | None = None,
    ) -> Result:
        """Remember messages; the result has `accepted_ids`, in order, and the `total_count`.

        Args:
            messages: 1 to 100 dictionaries of `role` (`user`, `assistant`, `system`), `content`
                (1 to 8192 characters), and optionally `timestamp`.
            session_id: the conversation they belong to; None is that of the client.
            request_id: names this write, so that it is done once; None makes one up.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "messages": listed("messages", messages),
            "session_id": session_id,
            "request_id": request_id,
        }
        return await self._caller.call(calls.ADD_CONVERSATION, arguments)

    async def query_conversation(
        self,
        *,
        session_id: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> ListResult[ConversationMessage]:
        """List messages; `result["total"]` counts all that match.

        Args:
            session_id: of that conversation only; None is that of the client.
            limit: at most that many, 1 to 100; the server's default is 20.
            offset: leave out that many first.
            time_start: only messages of then or later; ISO 8601 text or an aware datetime.
            time_end: only messages of then or earlier.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "session_id": session_id,
            "limit": limit,
            "offset": offset,
            "time_start": time_start,
            "time_end": time_end,
        }
        answer = await self._caller.call(calls.QUERY_CONVERSATION, arguments)
        return ListResult.of(answer, "messages", ConversationMessage.read)

    async def search_conversation(
        self,
        query: str,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> ListResult[MessageHit]:
        """Find the messages that match a text best, best first.

        Args:
            query: 1 to 2048 characters, not blank.
            limit: at most that many, 1 to 100; the server's default is 5.
            session_id: in that conversation only; None is that of the client.
            time_start: only messages of then or later; ISO 8601 text or an aware datetime.
            time_end: only messages of then or earlier.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "query": query,
            "limit": limit,
            "session_id": session_id,
            "time_start": time_start,
            "time_end": time_end,
        }
        answer = await self._caller.call(calls.SEARCH_CONVERSATION, arguments)
        return ListResult.of(answer, "messages", MessageHit.read)

    async def count_conversation(
        self,
        *,
        session_id: str | None = None,
        time_start: Time | None = None,
        time_end: Time | None = None,
    ) -> Result:
        """Count messages; the result has the `total`. The arguments are those of `query_conversation`.

        Raises:
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {"session_id": session_id, "time_start": time_start, "time_end": time_end}
        return await self._caller.call(calls.COUNT_CONVERSATION, arguments)

    async def delete_conversation(
        self,
        *,
        message_ids: Iterable[str] | None = None,
        session_id: str | None = None,
        session_ids: Iterable[str] | None = None,
    ) -> Result:
        """Delete messages, and what was derived from them; the result has the `deleted_count`.

        The session that the client was made with is never deleted unless it is named here.

        Args:
            message_ids: 1 to 5000 messages.
            session_id: all messages of a conversation.
            session_ids: all messages of 1 to 100 conversations.

        Raises:
            BadRequestError: none of them is given.
            MemoryClientError: see `graphmem.client.errors`.
        """
        arguments = {
            "message_ids": listed("message_ids", message_ids),
            "session_id": session_id,
            "session_ids": listed("session_ids", session_ids),
        }
        if all(value is None for value in arguments.values()):
            raise BadRequestError("give message_ids, session_id or session_ids: what to delete")
        return await self._caller.call(calls.DELETE_CONVERSATION, arguments)
