"""Upkeep is the half of the service for whoever runs it: rebuilds, backups, health, closing."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from graphmem.config import ServiceConfig
from graphmem.domain.backup import BackupReport, TellCopy
from graphmem.domain.scope import Scope
from graphmem.errors import ConfigError, MemoryNotFoundError, StoreError
from graphmem.index.cache import ViewCache
from graphmem.retrieval.recipe import overridden
from graphmem.service.answering import Answering
from graphmem.service.atomic.cache import AtomCache
from graphmem.service.atomic.calls import AtomCalls
from graphmem.service.atomic.editing import AtomEditor
from graphmem.service.atomic.reading import AtomReader
from graphmem.service.background import Background
from graphmem.service.builder import Builder
from graphmem.service.catchup import CatchUp
from graphmem.service.deletions import Deletions
from graphmem.service.dense import Dense
from graphmem.service.erasing import Erasing
from graphmem.service.factory import Parts
from graphmem.service.forgetter import Forgetter
from graphmem.service.intake import check_scope
from graphmem.service.keyring import Keyring
from graphmem.service.portable import Portable
from graphmem.service.pulse import Pulse
from graphmem.service.readiness import Readiness, check_readiness
from graphmem.service.rebuild import Rebuilding, RebuildProgress, RebuildReport, all_scopes
from graphmem.service.reranking import Reranking
from graphmem.service.scenes.limits import limited
from graphmem.service.scenes.teller import Teller
from graphmem.service.scenes.worker import SceneWorker
from graphmem.service.sessions import SessionBook
from graphmem.service.statistics import (
    Backlog,
    ServiceStatistics,
    dense_statistics,
    read_backlog,
)

_ATOM_SHARE: Final = 4  # atoms' views may take a quarter of what those of turns may, on top


class Upkeep(Deletions, Portable, AtomCalls):
    """What a service is made of, and the calls that concern it as a whole."""

    def __init__(self, parts: Parts, config: ServiceConfig) -> None:
        self._parts = parts
        self._config = config
        self._dense = _make_dense(parts, config)
        model = self._dense.fingerprint if self._dense else None
        self._cache = ViewCache(config.cache_bytes, model)
        self._atoms = AtomCache(config.cache_bytes // _ATOM_SHARE)
        self._sessions = SessionBook()
        self._teller = _make_teller(parts, config)
        self._builder = Builder(
            parts.store,
            self._dense,
            parts.clock,
            semantic=config.semantic_build,
            teller=self._teller,
            claims=parts.claims,
        )
        self._background = Background(
            CatchUp(parts.store, self._dense, self._builder),
            SceneWorker(parts.store, self._builder.telling, self._builder.locks),
        )
        self._erasing = Erasing(parts.store, parts.clock)
        self._forgetter = Forgetter(
            store=parts.store,
            clock=parts.clock,
            cache=self._cache,
            atoms=self._atoms,
            dense=self._dense,
            builder=self._builder,
            erasing=self._erasing,
            forget_texts=parts.forget_texts,
            wake=self._background.wake,
        )
        self._recipe = overridden(config.runtime_overrides)
        self._atom_reader = AtomReader(
            sessions=self._sessions,
            store=parts.store,
            cache=self._cache,
            atoms=self._atoms,
            dense=self._dense,
            builder=self._builder,
        )
        self._atom_editor = AtomEditor(store=parts.store, build=self._builder.build)
        self._answering = Answering(parts.answerer, config) if parts.answerer else None
        self._reranking = Reranking(parts.reranker) if parts.reranker else None
        self._keyring = Keyring(parts.store, parts.clock, parts.identity)
        is_shared = parts.claims is not None
        self._pulse = Pulse(self._keyring, self._background, self._erasing) if is_shared else None

    def start(self) -> None:
        """Begin the background work; `open` does it."""
        self._background.start()
        self._forgetter.erasing.start()
        if self._pulse:
            self._pulse.start()

    @property
    def config(self) -> ServiceConfig:
        """The settings in force."""
        return self._config

    @property
    def keyring(self) -> Keyring:
        """The keys that may be used beside the service's own."""
        return self._keyring

    def rebuild(
        self,
        tenant_id: str,
        memory_id: str,
        *,
        progress: Callable[[RebuildProgress], None] | None = None,
    ) -> RebuildReport:
        """Make index and atoms of a memory anew from its turns, and the vectors that it lacks.

        Others go on adding and searching meanwhile.

        Raises:
            MemoryNotFoundError: there is no such memory under this tenant.
            ModelError: a model is out; what was done stays done, run again when it is back.
            StoreError: the store failed.
        """
        scope = check_scope(tenant_id, memory_id)
        with self._parts.store.read(scope) as snapshot:
            if snapshot.head() is None:
                raise MemoryNotFoundError(scope.tenant_id)
        return self._rebuild([scope], progress, reindex=True)

    def rebuild_all(
        self, *, progress: Callable[[RebuildProgress], None] | None = None
    ) -> RebuildReport:
        """Bring every memory of every tenant up to the build in force; those that are cost nothing.

        Others go on adding and searching meanwhile; an interrupted run is continued by the next.

        Raises:
            ModelError: a model is out; run again when it is back.
            StoreError: the store failed.
        """
        return self._rebuild(list(all_scopes(self._parts.store)), progress, reindex=False)

    def _rebuild(
        self,
        scopes: Sequence[Scope],
        progress: Callable[[RebuildProgress], None] | None,
        *,
        reindex: bool,
    ) -> RebuildReport:
        try:
            return Rebuilding(self._builder, progress).run(scopes, reindex=reindex)
        finally:
            self._background.wake()  # it left these memories alone, also those that are not done

    def reembed(
        self, *, progress: Callable[[RebuildProgress], None] | None = None
    ) -> RebuildReport:
        """See `rebuild_all`, for those who changed the embedding model and expect that there is one.

        Raises:
            ConfigError: no embedding model is in force.
            ModelError: a model is out; run again when it is back.
        """
        if self._dense is None:
            raise ConfigError(
                "embedding_model", "no embedding model is in force; set one, or dense_retrieval"
            )
        return self.rebuild_all(progress=progress)

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
        dense = self._dense
        return ServiceStatistics(
            cache=self._cache.statistics(),
            dense=dense_statistics(dense) if dense else None,
            model_is_well=dense.is_well if dense else not self._config.dense_retrieval,
            chat=self._teller.counts if self._teller else None,
            chat_is_well=self._teller is None or self._teller.is_well,
            waiting_erasures=self._forgetter.erasing.waiting,
            answers=self._answering.counts() if self._answering else None,
            reranking=self._reranking.counts() if self._reranking else None,
        )

    def backlog(self) -> Backlog:
        """What is still to be done, by the store's lists.

        Raises:
            StoreError: the store failed.
        """
        return read_backlog(self._parts.store, self._builder.build)

    def readiness(self) -> Readiness:
        """Whether calls can be served now, and if not, why; a model that is out only degrades."""
        now = self.statistics()
        return check_readiness(
            self._parts.store,
            None if self._config.database_url else self._config.data_dir,
            build=self._builder.build,
            model_is_well=now.model_is_well,
            chat_is_well=now.chat_is_well,
            answers_are_well=now.answers is None or now.answers.is_well,
            reranker_is_well=now.reranking is None or now.reranking.is_well,
        )

    def catch_up(self, timeout_seconds: float) -> bool:
        """Wait until no turn waits for a model; whether that came in time."""
        return self._background.wait(timeout_seconds)

    def stop_models(self) -> None:
        """End what models are asked for; calls that wait for them fail, and what they added is kept."""
        for model in (self._answering, self._dense, self._teller, self._reranking):
            if model:
                model.close()

    def close(self) -> None:
        """Wait for running calls and give the data directory or the connections back. May be called twice."""
        self.stop_models()
        if self._pulse:
            self._pulse.close()
        self._background.close()
        # The store ends an erasure that waits for readers, which could be for long.
        self._forgetter.erasing.stop()
        self._parts.store.close()
        self._forgetter.erasing.close()


def _make_teller(parts: Parts, config: ServiceConfig) -> Teller | None:
    limits = limited(config.build_overrides)  # a wrong one is an error without a model, too
    return Teller(parts.chat, limits) if parts.chat and config.semantic_build else None


def _make_dense(parts: Parts, config: ServiceConfig) -> Dense | None:
    if parts.embeddings is None:
        return None
    fingerprint = parts.embeddings.fingerprint
    known = [m.dimension for m in parts.store.models() if m.fingerprint == fingerprint]
    return Dense(
        parts.embeddings,
        dimension=known[0] if known else None,
        in_call_seconds=config.dense.in_call_seconds,
        silence_seconds=config.dense.timeout_seconds,
        cache_bytes=config.dense.cache_bytes,
    )
