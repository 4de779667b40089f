"""AsyncMessageCalls is the part of AsyncMemoryService that has to do with messages as messages."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import ParamSpec, TypeVar

from graphmem.domain.message_query import MessagePage, MessageSearch
from graphmem.domain.moment import Moment
from graphmem.retrieval.recipe import Recipe
from graphmem.service.conversation.calls import MessageCalls
from graphmem.service.policy import ATOMIC, Policy

P = ParamSpec("P")
T = TypeVar("T")


class AsyncMessageCalls(ABC):
    """The calls about messages, each in a thread of the service."""

    _service: MessageCalls

    @abstractmethod
    async def _run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a call in a thread."""

    async def search_messages(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        limit: int = 5,
        session_id: str | None = None,
        task_id: str | None = None,
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        recipe: Recipe | None = None,
        policy: Policy = ATOMIC,
        waited_seconds: float = 0.0,
    ) -> MessageSearch:
        """See `MemoryService.search_messages`."""
        call = partial(
            self._service.search_messages,
            limit=limit,
            session_id=session_id,
            task_id=task_id,
            time_start=time_start,
            time_end=time_end,
            recipe=recipe,
            policy=policy,
            waited_seconds=waited_seconds,
        )
        return await self._run(call, tenant_id, memory_id, query)

    async def query_messages(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        session_id: str | None = None,
        task_id: str | None = None,
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        policy: Policy = ATOMIC,
    ) -> MessagePage:
        """See `MemoryService.query_messages`."""
        call = partial(
            self._service.query_messages,
            limit=limit,
            offset=offset,
            session_id=session_id,
            task_id=task_id,
            time_start=time_start,
            time_end=time_end,
            policy=policy,
        )
        return await self._run(call, tenant_id, memory_id)

    async def count_messages(
        self,
        tenant_id: str,
        memory_id: str,
        *,
        session_id: str | None = None,
        task_id: str | None = None,
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        policy: Policy = ATOMIC,
    ) -> int:
        """See `MemoryService.count_messages`."""
        call = partial(
            self._service.count_messages,
            session_id=session_id,
            task_id=task_id,
            time_start=time_start,
            time_end=time_end,
            policy=policy,
        )
        return await self._run(call, tenant_id, memory_id)

    async def delete_conversation(
        self,
        tenant_id: str,
        memory_id: str,
        *,
        message_ids: Sequence[str] = (),
        session_id: str | None = None,
        session_ids: Sequence[str] = (),
        task_id: str | None = None,
        request_id: str | None = None,
    ) -> int:
        """See `MemoryService.delete_conversation`."""
        call = partial(
            self._service.delete_conversation,
            message_ids=message_ids,
            session_id=session_id,
            session_ids=session_ids,
            task_id=task_id,
            request_id=request_id,
        )
        return await self._run(call, tenant_id, memory_id)
