"""The dense half of the service: vectors for turns and queries, or nothing while the model is out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from dataclasses import dataclass
from typing import Final

import numpy as np

from graphmem.domain.scope import Scope
from graphmem.errors import EmbeddingError, EmbeddingResponseError
from graphmem.index.draft import DraftTurn, passage_texts
from graphmem.index.vectors import Quantised, QueryVector, dots, quantise
from graphmem.ports.embedder import EmbeddingModel, EmbeddingQueue, Vectors
from graphmem.service.lru import BytesLRU
from graphmem.text.background import UNRELATED

QUERY_SECONDS: Final = 10.0  # a local model under 256 queries at once needs about 3 (2 cores)
_PROBE: Final = "Is the model there again?"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class DenseCounts:
    """What happened since the service was opened."""

    embedded_turns: int = 0
    deferred_turns: int = 0
    lexical_only_queries: int = 0
    failures: int = 0


class Dense:
    """Asks the model and remembers whether it is in order.

    After a failure callers are not made to wait for the model again until a background try (see
    `CatchUp`) succeeded: turns are deferred at once, queries are answered lexically.

    Args:
        queue: the model's queue.
        in_call_seconds: how long an add waits for its vectors.
        cache_bytes: the most that remembered query vectors may take.
        dimension: what the model's vectors in the store have, None when it has none yet.
    """

    def __init__(
        self,
        queue: EmbeddingQueue,
        *,
        in_call_seconds: float,
        cache_bytes: int,
        dimension: int | None = None,
    ) -> None:
        self._queue = queue
        self._dimension = dimension
        self._in_call_seconds = in_call_seconds
        self._cache: BytesLRU[tuple[Scope, str], QueryVector] = BytesLRU(cache_bytes)
        self._lock = threading.Lock()
        self._is_well = True
        self._unrelated: Future[Vectors] | None = None
        self.counts = DenseCounts()

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint."""
        return self._queue.fingerprint

    @property
    def model(self) -> EmbeddingModel:
        """The model.

        Raises:
            EmbeddingError: it could not be reached so far.
        """
        return self._queue.model

    @property
    def is_well(self) -> bool:
        """False from a failure on until the model answered again."""
        return self._is_well

    def embed_in_call(self, turns: Sequence[DraftTurn]) -> list[Quantised]:
        """Vectors of the first turns: all of them, or as many as the time and the model allow.

        Returns:
            One int16 [passages, dimension] for each of the first turns; the others are deferred.
        """
        done: list[Quantised] = []
        if self._is_well:
            futures = [
                self._queue.submit_passages(passage_texts(turn), background=False) for turn in turns
            ]
            wait(futures, timeout=self._in_call_seconds, return_when=FIRST_EXCEPTION)
            done = self._collect(futures)
        self._count(embedded_turns=len(done), deferred_turns=len(turns) - len(done))
        return done

    def embed_in_background(self, turns: Sequence[DraftTurn]) -> list[Quantised | None]:
        """Vectors of turns, behind all that callers wait for; None for a turn that was refused.

        Raises:
            EmbeddingError: the model is out.
        """
        futures = [
            self._queue.submit_passages(passage_texts(turn), background=True) for turn in turns
        ]
        return [self._outcome(future) for future in futures]

    def query_vector(self, scope: Scope, text: str) -> QueryVector | None:
        """The vector of a query; None while the model is out."""
        known = self._cache.get((scope, text))
        if known is not None:
            return known
        found = self._judge(text) if self._is_well else None
        if found is None:
            self._count(lexical_only_queries=1)
            return None
        self._cache.put((scope, text), found, found.nbytes + 4 * len(text))
        return found

    def probe(self) -> bool:
        """Whether the model answers; notes it."""
        return self._ask(_PROBE) is not None

    def close(self) -> None:
        """End the model's queue."""
        self._queue.close()

    def _judge(self, text: str) -> QueryVector | None:
        vector, background = self._ask(text), self._background()
        if vector is None or background is None:
            return None
        return QueryVector(vector=vector, background=dots(background, vector).astype(np.float64))

    def _ask(self, text: str) -> Vectors | None:
        """The quantised vector of a text to search with; None if the model is out."""
        future = self._queue.submit_query(text)
        try:
            vectors = self._quantise(future.result(timeout=QUERY_SECONDS))
        except (EmbeddingError, TimeoutError) as error:
            future.cancel()
            self._note_failure(error)
            return None
        self._note_success()
        found: Vectors = vectors[0].astype(np.float32)
        return found

    def _background(self) -> Vectors | None:
        """The unrelated texts' vectors, asked for once; None as long as a slow model has not answered."""
        with self._lock:
            if self._unrelated is None:
                self._unrelated = self._queue.submit_passages(UNRELATED, background=False)
            future = self._unrelated
        try:
            return self._quantise(future.result(timeout=QUERY_SECONDS)).astype(np.float32)
        except TimeoutError:
            return None
        except EmbeddingError as error:
            with self._lock:
                self._unrelated = None
            self._note_failure(error)
            return None

    def _collect(self, futures: Sequence[Future[Vectors]]) -> list[Quantised]:
        """The results of the first futures that succeeded; the others are given up."""
        done: list[Quantised] = []
        try:
            for future in futures:
                done.append(self._quantise(future.result(timeout=0)))  # noqa: PERF401 - it may fail
        except EmbeddingResponseError as error:
            self._count(failures=1)
            _log.warning("the embedding model's answer can't be used: %s", error)
        except EmbeddingError as error:
            self._note_failure(error)
        except TimeoutError as error:
            if not done:  # otherwise it is slow, and not out
                self._note_failure(error)
        for future in futures[len(done) :]:
            future.cancel()
        return done

    def _outcome(self, future: Future[Vectors]) -> Quantised | None:
        try:
            vectors = self._quantise(future.result())
        except EmbeddingResponseError as error:
            self._count(failures=1)
            _log.warning("the embedding model refused a turn, which stays lexical: %s", error)
            return None
        except EmbeddingError as error:
            self._note_failure(error)
            raise
        self._note_success()
        return vectors

    def _quantise(self, vectors: Vectors) -> Quantised:
        """Round vectors, all of one dimension for ever.

        Raises:
            EmbeddingResponseError: the model's vectors changed their dimension.
        """
        self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbeddingResponseError(
                f"the embedding model gives {vectors.shape[1]} components where the stored vectors "
                f"have {self._dimension}; set the former model again, or give this one a new name"
            )
        return quantise(vectors)

    def _note_failure(self, error: BaseException) -> None:
        self._count(failures=1)
        if self._is_well:
            self._is_well = False
            _log.warning(
                "the embedding model is out, search goes on lexically: %s", type(error).__name__
            )

    def _note_success(self) -> None:
        if not self._is_well:
            self._is_well = True
            _log.warning("the embedding model answers again")

    def _count(self, **more: int) -> None:
        with self._lock:
            for name, count in more.items():
                setattr(self.counts, name, getattr(self.counts, name) + count)
