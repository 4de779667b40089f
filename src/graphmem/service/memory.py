"""MemoryService is the product's entry point: one code for SDK, HTTP and CLI."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from graphmem.config import ServiceConfig, placed
from graphmem.domain.answer import Answer
from graphmem.domain.hit import Retrieval
from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.domain.prepared import Prepared
from graphmem.domain.query import Query
from graphmem.domain.receipt import AddReceipt, MemoryPage, MemoryStatus
from graphmem.domain.window import last_us
from graphmem.errors import GenerationDisabledError, MemoryNotFoundError
from graphmem.readout.assemble import Rules
from graphmem.readout.budget import budget_of
from graphmem.retrieval.recipe import Recipe, overridden
from graphmem.service.conversation.calls import MessageCalls
from graphmem.service.factory import Parts, build_parts
from graphmem.service.facts import read_facts
from graphmem.service.ingest import Ingestion, ingest
from graphmem.service.intake import (
    check_id,
    check_page,
    check_query,
    check_scope,
    check_time,
    check_window,
    take_in,
)
from graphmem.service.policy import PRODUCT, Policy
from graphmem.service.preparing import prepare, rules_of, stage_hits
from graphmem.service.scenes.limits import limited
from graphmem.service.search import Searcher, find
from graphmem.service.status import status_of
from graphmem.service.upkeep import Upkeep
from graphmem.text.normalize import storable


class MemoryService(Upkeep, MessageCalls):
    """Keeps conversations and gives back evidence. Safe to use from any number of threads.

    Open one with `MemoryService.open`; it holds its data directory, if it has one, until it is closed.
    """

    def __init__(self, parts: Parts, config: ServiceConfig) -> None:
        super().__init__(parts, config)
        self._rules = rules_of(config, parts.counter)
        self._searcher = Searcher(
            store=parts.store,
            cache=self._cache,
            dense=self._dense,
            builder=self._builder,
            sessions=self._sessions,
            reranking=self._reranking,
        )

    @classmethod
    def open(
        cls,
        *,
        data_dir: str | os.PathLike[str] | None = None,
        database_url: str | None = None,
        config: ServiceConfig | None = None,
        read_only: bool = False,
    ) -> Self:
        """Open the service on a data directory or a database, whose files or tables are made when absent.

        Args:
            data_dir: where to keep the memories; wins over what `config` says.
            database_url: a PostgreSQL database to keep them in, without its password; wins alike.
            config: settings; by default those of `ServiceConfig.load()`.
            read_only: read beside the process that holds the directory, or change nothing in the
                database; `add` then fails.

        Raises:
            ConfigError: a setting is wrong.
            StoreLockedError: another process holds the directory.
            StoreError: the directory or the database can't be used; the message says why.
        """
        settings = config if config is not None else ServiceConfig.load()
        directory = None if data_dir is None else Path(data_dir)
        settings = placed(settings, data_dir=directory, database_url=database_url)
        overridden(settings.runtime_overrides)
        budget_of(settings.runtime_overrides)
        limited(settings.build_overrides)  # all are refused before anything is opened
        parts = build_parts(settings, read_only=read_only)
        with ExitStack() as undo:
            undo.callback(parts.close)
            service = cls(parts, settings)
            undo.pop_all()
        if not read_only:
            service.start()
        return service

    def add(
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
        """Append messages to a session; durable and searchable when it returns.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory, made by its first add.
            session_id: groups turns and gives their order.
            messages: 1 to 256 messages, at most 1 MiB of text (other policies: other limits).
            request_id: makes a retry safe: the same request is applied once. None: a new one.
            policy: the contract under which the write is made.
            waited_seconds: how long the caller waits already; it counts against the time that an
                add may wait for its vectors.

        Raises:
            InvalidInputError: a value is wrong; nothing was stored.
            RequestConflictError: the request id was used with another payload.
            BuildFailedError: the messages are stored, but a model failed; the same call again
                completes it.
            StoreError: the store failed; nothing was stored.
        """
        batch = take_in(
            check_scope(tenant_id, memory_id),
            session_id,
            messages,
            request_id=self._parts.identity.new_request_id() if request_id is None else request_id,
            policy=policy,
        )
        ingestion = Ingestion(
            store=self._parts.store,
            dense=self._dense,
            builder=self._builder,
            build_seconds=self._config.model_timeout_seconds,
            now_us=self._parts.clock.now_us(),
        )
        try:
            return ingest(ingestion, batch, waited_seconds)
        finally:
            self._background.wake()

    def retrieve(  # noqa: PLR0913 - the options are keywords
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
        """Rank the turns of a memory for a query, best first.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            query: up to 200,000 characters.
            limit: the most hits, 1 to 1,000; None: those of the question's class under its budgets.
            session_id: the only session whose turns are wanted.
            options: answer options that may help to find evidence.
            time_start: only turns said or speaking of then or later: a `Moment`, or ISO 8601 (UTC).
            time_end: the other end; included, and a date alone is the whole day.
            as_of: only turns that were said by then: what was known at that time.
            asked_at: when it was asked, which its dates are seen from; None: the newest turn's time.
            explain: let each hit tell what each channel gave.
            recipe: the channels' weights; None for those of the settings.
            policy: the contract under which is read.
            waited_seconds: how long the caller waits already for the query's vector.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryNotFoundError: there is no such memory under this tenant.
            MemoryPendingError: the memory is not built up to its last version.
            StoreError: the store failed.
        """
        scope = check_scope(tenant_id, memory_id)
        most = self._rules.budget.widest if limit is None else limit
        check_query(query, options=options, limit=most)
        known_by = check_time("as_of", as_of)
        wanted = Query(
            text=storable(query),
            options=tuple(map(storable, options)),
            limit=most,
            session_id=None if session_id is None else check_id("session_id", session_id),
            window=check_window(time_start, time_end),
            as_of_us=None if known_by is None else last_us(known_by),
            asked_at=check_time("asked_at", asked_at),
            explain=explain,
            waited_seconds=waited_seconds,
        )
        found = find(self._searcher, scope, wanted, recipe or self._recipe, policy)
        return stage_hits(found, wanted, self._rules) if limit is None else found.retrieval

    def prepare(  # noqa: PLR0913 - the options are keywords
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
        """Make the messages with which a chat model answers a question from a memory.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            query: the question, up to 200,000 characters.
            options: answer options; they stand in the prompt too.
            asked_at: when the question was asked, which its relative dates are seen from: a
                `Moment` or ISO 8601; None for the time of the memory's newest turn.
            explain: let each piece of evidence tell what each channel gave.
            rules: how evidence is chosen and laid out; None for the settings' read-out and budgets.
            policy: the contract under which is read.
            waited_seconds: how long the caller waits already; it counts against the time that a
                search may wait for the query's vector.

        Raises:
            InvalidInputError: a value is wrong, or the question alone is over the prompt's ceiling.
            MemoryNotFoundError: there is no such memory under this tenant.
            MemoryPendingError: the memory is not built up to its last version.
            StoreError: the store failed.
        """
        scope = check_scope(tenant_id, memory_id)
        check_query(query, options=options, limit=1)
        ruling = rules or self._rules
        wanted = Query(
            text=storable(query),
            options=tuple(map(storable, options)),
            limit=ruling.budget.widest,
            asked_at=check_time("asked_at", asked_at),
            explain=explain,
            waited_seconds=waited_seconds,
        )
        found = find(self._searcher, scope, wanted, self._recipe, policy)
        known = partial(read_facts, self._atom_reader, scope, policy, found, wanted.text)
        return prepare(found, wanted, ruling, known)

    def answer(  # noqa: PLR0913 - the options are keywords
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
        """Let the chat model of the settings answer a question from a memory.

        It reads the messages that `prepare` makes of the same arguments. What it cites is held
        against the evidence. Where there is no evidence it is not asked: the answer abstains.

        Args: as `prepare`.

        Raises:
            GenerationDisabledError: the settings do not enable answers.
            ChatError: the model gave no usable answer, after bounded retries; ask again.
            InvalidInputError: a value is wrong, or the question alone is over the prompt's ceiling.
            MemoryNotFoundError: there is no such memory under this tenant.
            MemoryPendingError: the memory is not built up to its last version.
            StoreError: the store failed.
        """
        if self._answering is None:
            raise GenerationDisabledError
        ready = self.prepare(
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
        return self._answering.answer(query, ready)

    def status(self, tenant_id: str, memory_id: str) -> MemoryStatus:
        """What a memory holds.

        Raises:
            MemoryNotFoundError: there is no such memory under this tenant.
        """
        scope = check_scope(tenant_id, memory_id)
        with self._parts.store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None:
                raise MemoryNotFoundError(scope.tenant_id)
            return status_of(scope, head, snapshot, self._builder.build)

    def list_memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> MemoryPage:
        """The tenant's memories ordered by id, those behind `after`, at most `limit` (1 to 1,000).

        Raises:
            InvalidInputError: a value is wrong.
        """
        check_id("tenant_id", tenant_id)
        check_page(after, limit)
        rows = self._parts.store.memories(tenant_id, after=after, limit=limit + 1)
        shown = []
        for row in rows[:limit]:
            with self._parts.store.read(row.scope) as snapshot:
                head = snapshot.head() or row.head
                shown.append(status_of(row.scope, head, snapshot, self._builder.build))
        next_after = shown[-1].memory_id if len(rows) > limit else None
        return MemoryPage(memories=tuple(shown), next_after=next_after)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
