"""A server that stops: running calls end, and those that only wait for a model are given up in time."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Final

import uvicorn
from typing_extensions import override

from graphmem.service.memory import MemoryService

# The contract lets a call take 100 s.
GIVE_UP_SECONDS: Final = 100.0
# Then adds are left pending and answered; what is still under way after these is cut off.
DRAIN_SECONDS: Final = 110

_log = logging.getLogger(__name__)


class StoppingServer(uvicorn.Server):
    """uvicorn's server, whose stop takes no longer than the models' work may."""

    def __init__(self, config: uvicorn.Config, service: MemoryService) -> None:
        super().__init__(config)
        self._service = service

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the running calls end; an add whose model is not done by then is left pending."""
        giving_up = asyncio.create_task(self._give_up())
        try:
            await super().shutdown(sockets)
        finally:
            giving_up.cancel()

    async def _give_up(self) -> None:
        await asyncio.sleep(GIVE_UP_SECONDS)
        _log.warning(
            "the server stops and calls still wait for models after %.0f s; what was added is kept, "
            "and completed after the next start",
            GIVE_UP_SECONDS,
        )
        await asyncio.to_thread(self._service.stop_models)
