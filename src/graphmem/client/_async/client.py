"""The client: settings, scope and the connections behind the calls."""

from __future__ import annotations

import ssl
from typing import Self

from typing_extensions import override

from graphmem.client._async.atomic import AsyncAtomicCalls
from graphmem.client._async.caller import AsyncCaller
from graphmem.client._async.conversation import AsyncConversationCalls
from graphmem.client._base.settings import Scope, Settings, Version
from graphmem.client.retry import Pace, Timeouts, check_limits


class AsyncMemoryClient(AsyncAtomicCalls, AsyncConversationCalls):
    """Atomic memories and conversations of one memory, over HTTP.

    Connections are kept, so make one client and use it for many calls, also concurrently; close it,
    or use it by `async with`.
    """

    def __init__(  # noqa: PLR0913 - one keyword for each part of the scope
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        service_id: str | None = None,
        user_id: str | None = None,
        team_id: str | None = None,
        agent_id: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        timeout: float | Timeouts | None = None,
        max_retries: int = 3,
        version: Version = "v2",
        verify: ssl.SSLContext | bool = True,
        pace: Pace | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            base_url: of the server, such as `http://127.0.0.1:8420`.
            api_key: bearer key, if the server wants one.
            service_id: the tenant; None is that of the key, or the server's default.
            user_id: whose memory it is.
            team_id: with agent_id and user_id, a memory of its own; None is none.
            agent_id: see team_id.
            session_id: the conversation that is written to, and the only one that is read; None
                writes to the default one and reads all.
            task_id: likewise, for tasks.
            timeout: seconds that a call may take in all, or `Timeouts`; None is `Timeouts()`.
            max_retries: how often a call is tried again at most.
            version: the path that calls go to; both do the same.
            verify: False trusts any certificate; an `ssl.SSLContext` brings its own authorities.
            pace: clocks and pauses, for tests.

        Raises:
            BadRequestError: a setting can't be used.
        """
        timeouts = Timeouts() if timeout is None else Timeouts.of(timeout)
        check_limits(timeouts, max_retries)
        self._settings = Settings(base_url, api_key, service_id, version)
        scope = Scope(
            user_id=user_id,
            team_id=team_id,
            agent_id=agent_id,
            session_id=session_id,
            task_id=task_id,
        )
        self._caller = AsyncCaller(
            self._settings,
            scope,
            timeouts,
            max_retries=max_retries,
            verify=verify,
            pace=pace or Pace(),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    @override
    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._settings.host}, {self._settings.version}>"

    async def aclose(self) -> None:
        """Close the connections; calls afterwards are refused. May be called twice."""
        await self._caller.aclose()
