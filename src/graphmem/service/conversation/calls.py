"""MessageCalls is the part of MemoryService that has to do with messages as messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from graphmem.domain.message_query import MessagePage, MessageSearch
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.errors import InvalidInputError
from graphmem.retrieval.recipe import Recipe
from graphmem.service.atomic.intake import check_limit, check_offset, check_query, take_part
from graphmem.service.conversation.reading import list_messages, search_messages
from graphmem.service.forgetter import Forgetter
from graphmem.service.intake import check_id, check_scope, check_window
from graphmem.service.policy import ATOMIC, Policy
from graphmem.service.search import Searcher

MOST_SESSIONS: Final = 100
MOST_MESSAGES: Final = 5000


class MessageCalls:
    """The calls about messages; a service inherits them and makes what they use."""

    _recipe: Recipe
    _searcher: Searcher
    _forgetter: Forgetter

    def search_messages(  # noqa: PLR0913 - the options are keywords
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
        """Rank the messages of a memory for a query, best first, as `retrieve` does.

        Conditions are applied before ranking. Scores are 0 to 1: the share of what words and
        meaning can give at most; they are not comparable across queries.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory; one that is not there has no messages.
            query: 1 to 2,048 characters.
            limit: the most messages to return, 1 to 100.
            session_id: only messages of this session, in whatever task.
            task_id: only messages of this task.
            time_start: only what was said, else recorded, at or after this time.
            time_end: the other end; included, and a date alone is the whole day.
            recipe: the channels' weights; None for those of the settings.
            policy: the contract under which is read.
            waited_seconds: how long the caller waits already.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryPendingError: the memory is not built, and the policy does not go on without.
        """
        scope = check_scope(tenant_id, memory_id)
        wanted = Query(
            text=check_query(query, limit),
            limit=limit,
            part=take_part(session_id, task_id),
            said=check_window(time_start, time_end),
            waited_seconds=waited_seconds,
        )
        return search_messages(self._searcher, scope, wanted, recipe or self._recipe, policy)

    def query_messages(  # noqa: PLR0913 - the options are keywords
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
        """List the messages of a memory, the newest first.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory; one that is not there has no messages.
            limit: the most messages to return, 1 to 100.
            offset: how many to leave out.
            session_id: see `search_messages`, as all conditions.
            task_id: see there.
            time_start: see there.
            time_end: see there.
            policy: the contract under which is read.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryPendingError: the memory is not built, and the policy does not go on without.
        """
        scope = check_scope(tenant_id, memory_id)
        check_limit(limit)
        check_offset(offset)
        wanted = Query(
            text="",
            limit=limit,
            part=take_part(session_id, task_id),
            said=check_window(time_start, time_end),
        )
        return list_messages(self._searcher, scope, wanted, policy, offset=offset)

    def count_messages(
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
        """How many messages `query_messages` would list in all; the conditions are the same."""
        return self.query_messages(
            tenant_id,
            memory_id,
            limit=1,
            session_id=session_id,
            task_id=task_id,
            time_start=time_start,
            time_end=time_end,
            policy=policy,
        ).total

    def delete_conversation(
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
        """Delete messages, and whole sessions, with all that was made of them: how many there were.

        It is one deletion, see `delete_messages`.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            message_ids: up to 5,000 ids; those that the memory does not hold are left out.
            session_id: a session, in whatever task.
            session_ids: up to 100 sessions beside it.
            task_id: the only task whose sessions are deleted; ids of messages are ids.
            request_id: makes a retry safe: the same request is applied once.

        Raises:
            InvalidInputError: a value is wrong, or nothing is named; nothing was deleted.
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was deleted.
        """
        scope = check_scope(tenant_id, memory_id)
        messages = _names("message_ids", message_ids, MOST_MESSAGES)
        sessions = _names("session_ids", session_ids, MOST_SESSIONS)
        if session_id is not None:
            sessions = tuple(dict.fromkeys((*sessions, check_id("session_id", session_id))))
        if not messages and not sessions:
            raise InvalidInputError("message_ids", "name messages, or sessions, to delete")
        return self._forgetter.delete_conversation(
            scope,
            messages,
            tuple(take_part(session, task_id) for session in sessions),
            None if request_id is None else check_id("request_id", request_id),
        )


def _names(field: str, names: object, most: int) -> tuple[str, ...]:
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise InvalidInputError(field, "must be a list or tuple of strings")
    if len(names) > most:
        raise InvalidInputError(field, f"must be at most {most:,}; split the request")
    return tuple(dict.fromkeys(check_id(f"{field}.{i}", name) for i, name in enumerate(names)))
