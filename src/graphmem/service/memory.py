"""MemoryService is the product's entry point: one code for SDK, HTTP and CLI."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from graphmem.config import ServiceConfig
from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.hit import Retrieval
from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.domain.query import Query
from graphmem.domain.receipt import AddReceipt, MemoryStatus
from graphmem.domain.scope import Scope
from graphmem.errors import ConfigError, MemoryNotFoundError, StoreError
from graphmem.index.cache import CacheStatistics, ViewCache
from graphmem.ports.store import Head, ReadTransaction, Span
from graphmem.retrieval.recipe import Recipe, overridden
from graphmem.service.catchup import CatchUp
from graphmem.service.dense import Dense, DenseCounts
from graphmem.service.factory import Parts, build_parts
from graphmem.service.ingest import Ingestion, ingest
from graphmem.service.intake import check_id, check_query, check_scope, take_in
from graphmem.service.keyring import Keyring
from graphmem.service.ledger import state_of
from graphmem.service.policy import PRODUCT, WritePolicy
from graphmem.service.reembed import Reembedding, ReembedProgress, ReembedReport
from graphmem.service.search import Searcher, search
from graphmem.text.normalize import storable


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceStatistics:
    """Counts since the service was opened.

    Attributes:
        cache: the cache of compiled views.
        dense: the embedding model's work, None without one.
        model_is_well: False from a failure of the model on until it answered again, and when the
            model that is set is not available here.
    """

    cache: CacheStatistics
    dense: DenseCounts | None
    model_is_well: bool


class MemoryService:
    """Keeps conversations and gives back evidence. Safe to use from any number of threads.

    Open one with `MemoryService.open`; it holds its data directory until it is closed.
    """

    def __init__(self, parts: Parts, config: ServiceConfig) -> None:
        self._parts = parts
        self._config = config
        self._recipe = overridden(config.runtime_overrides)
        self._dense = _make_dense(parts, config)
        model = self._dense.fingerprint if self._dense else None
        self._cache = ViewCache(config.cache_bytes, model)
        self._searcher = Searcher(store=parts.store, cache=self._cache, dense=self._dense)
        self._catch_up = CatchUp(parts.store, self._dense, parts.clock) if self._dense else None
        self._keyring = Keyring(parts.store, parts.clock, parts.identity)

    @classmethod
    def open(
        cls,
        *,
        data_dir: str | os.PathLike[str] | None = None,
        config: ServiceConfig | None = None,
        read_only: bool = False,
    ) -> Self:
        """Open the service on a data directory, created when absent.

        Args:
            data_dir: where to keep the memories; wins over the one in `config`.
            config: settings; by default those of `ServiceConfig.load()`.
            read_only: read beside the process that holds the directory; `add` then fails.

        Raises:
            ConfigError: a setting is wrong.
            StoreLockedError: another process holds the directory.
            StoreError: the directory can't be used; the message says why.
        """
        settings = config if config is not None else ServiceConfig.load()
        if data_dir is not None:
            settings = replace(settings, data_dir=Path(data_dir))
        overridden(settings.runtime_overrides)  # refused before anything is opened
        service = cls(build_parts(settings, read_only=read_only), settings)
        if not read_only:
            service.start()
        return service

    def start(self) -> None:
        """Begin the background work; `open` does it."""
        if self._catch_up:
            self._catch_up.start()

    @property
    def config(self) -> ServiceConfig:
        """The settings in force."""
        return self._config

    @property
    def keyring(self) -> Keyring:
        """The keys that may be used beside the service's own."""
        return self._keyring

    def add(
        self,
        tenant_id: str,
        memory_id: str,
        session_id: str,
        messages: Sequence[Message],
        *,
        request_id: str | None = None,
        policy: WritePolicy = PRODUCT,
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
            store=self._parts.store, dense=self._dense, now_us=self._parts.clock.now_us()
        )
        receipt = ingest(ingestion, batch, waited_seconds)
        if self._catch_up:
            self._catch_up.wake()
        return receipt

    def retrieve(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        limit: int = 32,
        options: Sequence[str] = (),
        explain: bool = False,
        recipe: Recipe | None = None,
        waited_seconds: float = 0.0,
    ) -> Retrieval:
        """Rank the turns of a memory for a query, best first.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            query: up to 200,000 characters.
            limit: the most hits to return, 1 to 1,000.
            options: answer options that may help to find evidence.
            explain: let each hit tell what each channel gave.
            recipe: the channels' weights; None for those of the settings.
            waited_seconds: how long the caller waits already; it counts against the time that a
                search may wait for the query's vector.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryNotFoundError: there is no such memory under this tenant.
            StoreError: the store failed.
        """
        scope = check_scope(tenant_id, memory_id)
        check_query(query, options=options, limit=limit)
        wanted = Query(
            text=storable(query),
            options=tuple(map(storable, options)),
            limit=limit,
            explain=explain,
            waited_seconds=waited_seconds,
        )
        return search(self._searcher, scope, wanted, recipe or self._recipe)

    def status(self, tenant_id: str, memory_id: str) -> MemoryStatus:
        """What a memory holds.

        Raises:
            MemoryNotFoundError: there is no such memory under this tenant.
        """
        scope = check_scope(tenant_id, memory_id)
        with self._parts.store.read(scope) as snapshot:
            head = snapshot.head()
            if head is None:
                raise MemoryNotFoundError
            return self._status(scope, head, snapshot)

    def memories(
        self, tenant_id: str, *, after: str | None = None, limit: int = 100
    ) -> list[MemoryStatus]:
        """The tenant's memories ordered by id, those behind `after`, at most `limit`."""
        check_id("tenant_id", tenant_id)
        rows = self._parts.store.memories(tenant_id, after=after, limit=limit)
        statuses = []
        for row in rows:
            with self._parts.store.read(row.scope) as snapshot:
                statuses.append(self._status(row.scope, snapshot.head() or row.head, snapshot))
        return statuses

    def _status(self, scope: Scope, head: Head, snapshot: ReadTransaction) -> MemoryStatus:
        model = self._dense.fingerprint if self._dense else None
        return MemoryStatus(
            tenant_id=scope.tenant_id,
            memory_id=scope.memory_id,
            version=head.version,
            ready_version=head.ready_version,
            state=state_of(head),
            turns=head.turns,
            sessions=head.sessions,
            content_bytes=head.content_bytes,
            embedded_turns=_count(snapshot.vector_spans(model)) if model else 0,
            waiting_turns=_count(snapshot.pending(model)) if model else 0,
            created_at=Moment(us=head.created_us).iso_utc(),
            updated_at=Moment(us=head.updated_us).iso_utc(),
        )

    def reembed(
        self, *, progress: Callable[[ReembedProgress], None] | None = None
    ) -> ReembedReport:
        """Give every turn of every memory a vector of the model in force, and drop other models'.

        Others go on adding and searching meanwhile; an interrupted run is continued by the next.

        Raises:
            ConfigError: no embedding model is in force.
            EmbeddingError: the model is out; run again when it is back.
        """
        if self._dense is None or self._catch_up is None:
            raise ConfigError(
                "embedding_model", "no embedding model is in force; set one, or dense_retrieval"
            )
        run = Reembedding(self._parts.store, self._catch_up, self._dense.fingerprint, progress)
        return run.run()

    def backup(
        self, path: str | os.PathLike[str], *, progress: TellCopy | None = None
    ) -> BackupReport:
        """Copy everything into one file while others go on adding and searching.

        It holds what was committed when it began: all tenants, the keys' hashes, the ledger.

        Args:
            path: a new file; it has its name only when it is whole.
            progress: told of the copying.

        Raises:
            InvalidInputError: there is a file of this name.
            StoreError: the database is damaged, the copy can't be written, or this store has
                other means of backup.
        """
        if self._parts.back_up is None:
            raise StoreError("this store has no file to back up; use its own tools, or `export`")
        return self._parts.back_up(Path(path), progress or (lambda _: None))

    def ping(self) -> None:
        """Make sure that the store answers.

        Raises:
            StoreError: it does not.
        """
        self._parts.store.ping()

    def announce(self, address: str) -> None:
        """Tell other processes at which address this one serves its data directory."""
        self._parts.announce(address)

    def statistics(self) -> ServiceStatistics:
        """How the service fares since it was opened."""
        return ServiceStatistics(
            cache=self._cache.statistics(),
            dense=replace(self._dense.counts) if self._dense else None,
            model_is_well=(
                self._dense.is_well if self._dense else not self._config.dense_retrieval
            ),
        )

    def catch_up(self, timeout_seconds: float) -> bool:
        """Wait until no turn waits for its vectors; whether that came in time."""
        return self._catch_up.wait(timeout_seconds) if self._catch_up else True

    def close(self) -> None:
        """Wait for running calls and give the data directory back. May be called twice."""
        if self._dense:
            self._dense.close()
        if self._catch_up:
            self._catch_up.close()
        self._parts.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _make_dense(parts: Parts, config: ServiceConfig) -> Dense | None:
    if parts.embeddings is None:
        return None
    fingerprint = parts.embeddings.fingerprint
    known = [m.dimension for m in parts.store.models() if m.fingerprint == fingerprint]
    return Dense(
        parts.embeddings,
        dimension=known[0] if known else None,
        in_call_seconds=config.dense.in_call_seconds,
        cache_bytes=config.dense.cache_bytes,
    )


def _count(spans: Sequence[Span]) -> int:
    return sum(span.turns for span in spans)
