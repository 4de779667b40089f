"""The asynchronous half of answering, in threads of its own: whoever waits for a model holds up nobody."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from graphmem.domain.answer import Answer
from graphmem.domain.moment import Moment
from graphmem.readout.assemble import Rules
from graphmem.service.policy import PRODUCT, Policy

if TYPE_CHECKING:
    from graphmem.service.memory import MemoryService

T = TypeVar("T")

_THREADS: Final = 16


def answer_threads() -> ThreadPoolExecutor:
    """The threads that wait for the chat model; each is made when it is first needed."""
    return ThreadPoolExecutor(_THREADS, thread_name_prefix="graphmem-answer")


class AsyncAnswerCalls(ABC):
    """What `AsyncMemoryService` answers by a chat model."""

    _service: MemoryService
    _answers: ThreadPoolExecutor

    @abstractmethod
    async def _run_on(self, threads: ThreadPoolExecutor, call: Callable[[], T]) -> T:
        """Run a call in one of these threads."""

    async def answer(  # noqa: PLR0913 - the options are keywords
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
    ) -> Answer:
        """See `MemoryService.answer`."""
        call = partial(
            self._service.answer,
            tenant_id,
            memory_id,
            query,
            options=options,
            asked_at=asked_at,
            explain=explain,
            rules=rules,
            policy=policy,
            waited_seconds=waited_seconds,
        )
        return await self._run_on(self._answers, call)
