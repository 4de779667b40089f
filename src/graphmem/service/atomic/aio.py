"""AsyncAtomCalls is the part of AsyncMemoryService that has to do with atoms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import ParamSpec, TypeVar

from graphmem.domain.atom_query import (
    AtomChange,
    AtomPage,
    AtomReceipt,
    AtomSearch,
    AtomState,
    FoundAtom,
    NewAtom,
)
from graphmem.domain.inspection import Explanation, Inspection
from graphmem.domain.moment import Moment
from graphmem.retrieval.recipe import Recipe
from graphmem.service.atomic.calls import AtomCalls
from graphmem.service.policy import ATOMIC, Policy

P = ParamSpec("P")
T = TypeVar("T")


class AsyncAtomCalls(ABC):
    """The calls about atoms, each in a thread of the service."""

    _service: AtomCalls

    @abstractmethod
    async def _run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a call in a thread."""

    async def search_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        limit: int = 5,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = False,
        recipe: Recipe | None = None,
        policy: Policy = ATOMIC,
        waited_seconds: float = 0.0,
    ) -> AtomSearch:
        """See `MemoryService.search_atoms`."""
        call = partial(
            self._service.search_atoms,
            limit=limit,
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            session_id=session_id,
            task_id=task_id,
            as_of=as_of,
            superseded=superseded,
            recipe=recipe,
            policy=policy,
            waited_seconds=waited_seconds,
        )
        return await self._run(call, tenant_id, memory_id, query)

    async def query_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = True,
        policy: Policy = ATOMIC,
    ) -> AtomPage:
        """See `MemoryService.query_atoms`."""
        call = partial(
            self._service.query_atoms,
            limit=limit,
            offset=offset,
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            session_id=session_id,
            task_id=task_id,
            as_of=as_of,
            superseded=superseded,
            policy=policy,
        )
        return await self._run(call, tenant_id, memory_id)

    async def count_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        *,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = True,
        policy: Policy = ATOMIC,
    ) -> int:
        """See `MemoryService.count_atoms`."""
        call = partial(
            self._service.count_atoms,
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            session_id=session_id,
            task_id=task_id,
            as_of=as_of,
            superseded=superseded,
            policy=policy,
        )
        return await self._run(call, tenant_id, memory_id)

    async def get_atom(
        self, tenant_id: str, memory_id: str, atom_id: str, *, policy: Policy = ATOMIC
    ) -> FoundAtom:
        """See `MemoryService.get_atom`."""
        call = partial(self._service.get_atom, policy=policy)
        return await self._run(call, tenant_id, memory_id, atom_id)

    async def atom_history(
        self, tenant_id: str, memory_id: str, atom_id: str
    ) -> tuple[AtomState, ...]:
        """See `MemoryService.atom_history`."""
        return await self._run(self._service.atom_history, tenant_id, memory_id, atom_id)

    async def create_atoms(
        self,
        tenant_id: str,
        memory_id: str,
        items: Sequence[NewAtom],
        *,
        session_id: str | None = None,
        task_id: str | None = None,
        request_id: str | None = None,
    ) -> AtomReceipt:
        """See `MemoryService.create_atoms`."""
        call = partial(
            self._service.create_atoms,
            session_id=session_id,
            task_id=task_id,
            request_id=request_id,
        )
        return await self._run(call, tenant_id, memory_id, items)

    async def update_atom(
        self,
        tenant_id: str,
        memory_id: str,
        atom_id: str,
        content: str,
        *,
        background: str | None = None,
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> AtomChange:
        """See `MemoryService.update_atom`."""
        call = partial(
            self._service.update_atom,
            background=background,
            expected_version=expected_version,
            request_id=request_id,
        )
        return await self._run(call, tenant_id, memory_id, atom_id, content)

    async def delete_atoms(
        self,
        tenant_id: str,
        memory_id: str,
        atom_ids: Sequence[str],
        *,
        request_id: str | None = None,
    ) -> int:
        """See `MemoryService.delete_atoms`."""
        call = partial(self._service.delete_atoms, request_id=request_id)
        return await self._run(call, tenant_id, memory_id, atom_ids)

    async def inspect(self, tenant_id: str, memory_id: str) -> Inspection:
        """See `MemoryService.inspect`."""
        return await self._run(self._service.inspect, tenant_id, memory_id)

    async def explain_atom(self, tenant_id: str, memory_id: str, atom_id: str) -> Explanation:
        """See `MemoryService.explain_atom`."""
        return await self._run(self._service.explain_atom, tenant_id, memory_id, atom_id)
