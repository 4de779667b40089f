"""AsyncMemoryService has MemoryService's names; each call runs in one of its own threads."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from types import TracebackType
from typing import Final, ParamSpec, Self, TypeVar

from typing_extensions import override

from graphmem.config import ServiceConfig
from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.erasure import ErasureReceipt, PurgeReport
from graphmem.domain.exchange import ExportReport, ImportReport
from graphmem.domain.hit import Retrieval
from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.domain.prepared import Prepared
from graphmem.domain.receipt import AddReceipt, MemoryPage, MemoryStatus
from graphmem.errors import ServiceClosedError
from graphmem.readout.assemble import Rules
from graphmem.retrieval.recipe import Recipe
from graphmem.service.answering_aio import AsyncAnswerCalls, answer_threads
from graphmem.service.atomic.aio import AsyncAtomCalls
from graphmem.service.conversation.aio import AsyncMessageCalls
from graphmem.service.forgetter import PurgeProgress
from graphmem.service.keyring import Keyring
from graphmem.service.memory import MemoryService
from graphmem.service.policy import PRODUCT, Policy
from graphmem.service.portable import Place, TellExchange
from graphmem.service.readiness import Readiness
from graphmem.service.rebuild import RebuildProgress, RebuildReport
from graphmem.service.statistics import Backlog, ServiceStatistics

P = ParamSpec("P")
T = TypeVar("T")

_THREADS: Final = 8  # ranking holds the interpreter; more threads only help while SQLite waits


class AsyncMemoryService(AsyncAtomCalls, AsyncMessageCalls, AsyncAnswerCalls):
    """The same service for asyncio code. A cancelled call still runs to its end: no half writes."""

    _service: MemoryService

    def __init__(self, service: MemoryService) -> None:
        self._service = service
        self._is_closed = False
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="graphmem")
        self._answers = answer_threads()

    @classmethod
    async def open(
        cls,
        *,
        data_dir: str | os.PathLike[str] | None = None,
        database_url: str | None = None,
        config: ServiceConfig | None = None,
        read_only: bool = False,
    ) -> Self:
        """See `MemoryService.open`."""
        opened = partial(
            MemoryService.open,
            data_dir=data_dir,
            database_url=database_url,
            config=config,
            read_only=read_only,
        )
        return cls(await asyncio.to_thread(opened))

    @property
    def config(self) -> ServiceConfig:
        """The settings in force."""
        return self._service.config

    @property
    def keyring(self) -> Keyring:
        """See `MemoryService.keyring`; its calls are as short as one small write, and block."""
        return self._service.keyring

    async def add(
        self,
        tenant_id: str,
        memory_id: str,
        session_id: str,
        messages: Sequence[Message],
        *,
        request_id: str | None = None,
        policy: Policy = PRODUCT,
        waited_seconds: float = 0.0,
    ) -> AddReceipt:
        """See `MemoryService.add`."""
        call = partial(
            self._service.add, request_id=request_id, policy=policy, waited_seconds=waited_seconds
        )
        return await self._run(call, tenant_id, memory_id, session_id, messages)

    async def retrieve(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        options: Sequence[str] = (),
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        as_of: str | Moment | None = None,
        asked_at: str | Moment | None = None,
        explain: bool = False,
        recipe: Recipe | None = None,
        policy: Policy = PRODUCT,
        waited_seconds: float = 0.0,
    ) -> Retrieval:
        """See `MemoryService.retrieve`."""
        call = partial(
            self._service.retrieve,
            limit=limit,
            session_id=session_id,
            options=options,
            time_start=time_start,
            time_end=time_end,
            as_of=as_of,
            asked_at=asked_at,
            explain=explain,
            recipe=recipe,
            policy=policy,
            waited_seconds=waited_seconds,
        )
        return await self._run(call, tenant_id, memory_id, query)

    async def prepare(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        options: Sequence[str] = (),
        asked_at: str | Moment | None = None,
        explain: bool = False,
        rules: Rules | None = None,
        policy: Policy = PRODUCT,
        waited_seconds: float = 0.0,
    ) -> Prepared:
        """See `MemoryService.prepare`."""
        call = partial(
            self._service.prepare,
            options=options,
            asked_at=asked_at,
            explain=explain,
            rules=rules,
            policy=policy,
            waited_seconds=waited_seconds,
        )
        return await self._run(call, tenant_id, memory_id, query)

    async def status(self, tenant_id: str, memory_id: str) -> MemoryStatus:
        """See `MemoryService.status`."""
        return await self._run(self._service.status, tenant_id, memory_id)

    async def list_memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> MemoryPage:
        """See `MemoryService.list_memories`."""
        call = partial(self._service.list_memories, after=after, limit=limit)
        return await self._run(call, tenant_id)

    async def rebuild(
        self,
        tenant_id: str,
        memory_id: str,
        *,
        progress: Callable[[RebuildProgress], None] | None = None,
    ) -> RebuildReport:
        """See `MemoryService.rebuild`; `progress` is called in the working thread."""
        return await self._run(
            partial(self._service.rebuild, progress=progress), tenant_id, memory_id
        )

    async def rebuild_all(
        self, *, progress: Callable[[RebuildProgress], None] | None = None
    ) -> RebuildReport:
        """See `MemoryService.rebuild_all`; `progress` is called in the working thread."""
        return await self._run(partial(self._service.rebuild_all, progress=progress))

    async def reembed(
        self, *, progress: Callable[[RebuildProgress], None] | None = None
    ) -> RebuildReport:
        """See `MemoryService.reembed`; `progress` is called in the working thread."""
        return await self._run(partial(self._service.reembed, progress=progress))

    async def backup(
        self, path: str | os.PathLike[str], *, progress: TellCopy | None = None
    ) -> BackupReport:
        """See `MemoryService.backup`; `progress` is called in the working thread."""
        return await self._run(partial(self._service.backup, path, progress=progress))

    async def delete_messages(
        self, tenant_id: str, memory_id: str, turn_ids: Sequence[str]
    ) -> ErasureReceipt:
        """See `MemoryService.delete_messages`."""
        return await self._run(self._service.delete_messages, tenant_id, memory_id, turn_ids)

    async def delete_session(
        self, tenant_id: str, memory_id: str, session_id: str
    ) -> ErasureReceipt:
        """See `MemoryService.delete_session`."""
        return await self._run(self._service.delete_session, tenant_id, memory_id, session_id)

    async def delete_memory(self, tenant_id: str, memory_id: str) -> ErasureReceipt:
        """See `MemoryService.delete_memory`."""
        return await self._run(self._service.delete_memory, tenant_id, memory_id)

    async def delete_tenant(
        self, tenant_id: str, *, progress: Callable[[PurgeProgress], None] | None = None
    ) -> PurgeReport:
        """See `MemoryService.delete_tenant`; `progress` is called in the working thread."""
        return await self._run(partial(self._service.delete_tenant, progress=progress), tenant_id)

    async def purge(
        self,
        older_than: timedelta,
        *,
        tenant_id: str | None = None,
        progress: Callable[[PurgeProgress], None] | None = None,
    ) -> PurgeReport:
        """See `MemoryService.purge`; `progress` is called in the working thread."""
        call = partial(self._service.purge, tenant_id=tenant_id, progress=progress)
        return await self._run(call, older_than)

    async def erasures(self, tenant_id: str, memory_id: str) -> list[ErasureReceipt]:
        """See `MemoryService.erasures`."""
        return await self._run(self._service.erasures, tenant_id, memory_id)

    async def erase(self, timeout_seconds: float) -> bool:
        """See `MemoryService.erase`."""
        return await self._run(self._service.erase, timeout_seconds)

    async def export(
        self,
        place: Place,
        *,
        tenant_id: str | None = None,
        memory_id: str | None = None,
        vectors: bool = True,
        progress: TellExchange | None = None,
    ) -> ExportReport:
        """See `MemoryService.export`; `progress` is called in the working thread."""
        call = partial(
            self._service.export,
            tenant_id=tenant_id,
            memory_id=memory_id,
            vectors=vectors,
            progress=progress,
        )
        return await self._run(call, place)

    async def import_(
        self,
        place: Place,
        *,
        tenant_id: str | None = None,
        memory_id: str | None = None,
        progress: TellExchange | None = None,
    ) -> ImportReport:
        """See `MemoryService.import_`; `progress` is called in the working thread."""
        call = partial(
            self._service.import_, tenant_id=tenant_id, memory_id=memory_id, progress=progress
        )
        return await self._run(call, place)

    def start(self) -> None:
        """See `MemoryService.start`."""
        self._service.start()

    async def ping(self) -> None:
        """See `MemoryService.ping`."""
        await self._run(self._service.ping)

    async def announce(self, address: str) -> None:
        """See `MemoryService.announce`."""
        await self._run(self._service.announce, address)

    async def catch_up(self, timeout_seconds: float) -> bool:
        """See `MemoryService.catch_up`."""
        return await self._run(self._service.catch_up, timeout_seconds)

    def statistics(self) -> ServiceStatistics:
        """See `MemoryService.statistics`."""
        return self._service.statistics()

    async def backlog(self) -> Backlog:
        """See `MemoryService.backlog`."""
        return await self._run(self._service.backlog)

    async def readiness(self) -> Readiness:
        """See `MemoryService.readiness`."""
        return await self._run(self._service.readiness)

    async def stop_models(self) -> None:
        """See `MemoryService.stop_models`; not in the threads that may all wait for them."""
        await asyncio.to_thread(self._service.stop_models)

    async def close(self) -> None:
        """See `MemoryService.close`."""
        self._is_closed = True
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._answers.shutdown)
        await asyncio.to_thread(self._service.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    @override
    async def _run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run_on(self._threads, partial(call, *args, **kwargs))

    @override
    async def _run_on(self, threads: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        if self._is_closed:
            raise ServiceClosedError
        return await asyncio.get_running_loop().run_in_executor(threads, call)
