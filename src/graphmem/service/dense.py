"""The dense half of the service: vectors for turns and queries, or nothing while the model is out."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import numpy as np

from graphmem.domain.scope import Scope
from graphmem.errors import EmbeddingError, EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.index.draft import DraftTurn, passage_texts
from graphmem.index.vectors import MAX_DIMENSION, Quantised, QueryVector, dots, quantise
from graphmem.ports.embedder import EmbeddingModel, EmbeddingQueue, Vectors
from graphmem.service.lru import BytesLRU, LRUStatistics
from graphmem.text.background import UNRELATED

QUERY_SECONDS: Final = 10.0  # a local model under 256 queries at once needs about 3 (2 cores)
SILENCE_SECONDS: Final = 5.0  # without any answer to anybody, until a model counts as hanging
AHEAD: Final = 16  # turns that one add asks for ahead; a remote model takes 16 texts a call
_PROBE: Final = "Is the model there again?"

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class DenseCounts:
    """What happened since the service was opened."""

    embedded_turns: int = 0
    deferred_turns: int = 0
    degraded_adds: int = 0
    lexical_only_queries: int = 0
    failures: int = 0


class _Patience:
    """How long one call still waits, and how many answers the model had given when it began."""

    __slots__ = ("_answers", "_began", "_queue", "_seconds", "_waited")

    def __init__(self, queue: EmbeddingQueue, seconds: float, *, waited: float) -> None:
        self._queue = queue
        self._seconds = seconds
        self._waited = waited
        self._answers = queue.answered
        self._began = time.monotonic()

    @property
    def left(self) -> float:
        return max(0.0, self._seconds - self._waited - (time.monotonic() - self._began))

    def saw_silence(self) -> bool:
        """Whether nobody got an answer for so long that the model hangs, and is not only slow.

        One in this process is busy then: it has nobody to hang on.
        """
        spent = time.monotonic() - self._began
        is_silent = not self._queue.is_local and self._queue.answered == self._answers
        return is_silent and spent >= min(SILENCE_SECONDS, self._seconds)


class _OutOfTimeError(EmbeddingUnavailableError):
    """The caller's time is over; that says nothing about the model."""


class _Progress:
    """How long one call waits for a model that makes progress: until it falls silent."""

    __slots__ = ("_answers", "_queue", "_silence", "_since", "_until")

    def __init__(self, queue: EmbeddingQueue, *, silence: float, seconds: float | None) -> None:
        self._queue = queue
        self._silence = silence
        self._since = time.monotonic()
        self._until = None if seconds is None else self._since + seconds
        self._answers = queue.answered

    def result(self, future: Future[Vectors]) -> Vectors:
        """Wait for an answer.

        Raises:
            _OutOfTimeError: the time is over, though the model makes progress.
            TimeoutError: the model is silent.
            EmbeddingError: the model failed.
        """
        while True:
            now = time.monotonic()
            if self._until is not None and now >= self._until:
                raise _OutOfTimeError("the embedding model needs more time")
            left = self._since + self._silence - now
            if self._until is not None:
                left = min(left, self._until - now)
            try:
                return future.result(timeout=None if left == math.inf else max(0.0, left))
            except TimeoutError:
                self._look()

    def _look(self) -> None:
        """Go on if anybody got an answer meanwhile."""
        now = time.monotonic()
        if self._queue.answered != self._answers:
            self._answers, self._since = self._queue.answered, now
        elif now >= self._since + self._silence:
            raise TimeoutError


class Dense:
    """Asks the model and remembers whether it is in order.

    After a failure callers are not made to wait for the model again until a background try (see
    `CatchUp`) succeeded: turns are deferred at once, queries are answered lexically.

    Args:
        queue: the model's queue.
        in_call_seconds: how long an add waits for its vectors.
        silence_seconds: how long a call that needs all its vectors waits for a silent model.
        cache_bytes: the most that remembered query vectors may take.
        dimension: what the model's vectors in the store have, None when it has none yet.

    Attributes:
        counts: what happened so far.
        on_failure: called when the model turns out to be out, in the thread that noticed.
    """

    def __init__(
        self,
        queue: EmbeddingQueue,
        *,
        in_call_seconds: float,
        silence_seconds: float,
        cache_bytes: int,
        dimension: int | None = None,
    ) -> None:
        self._queue = queue
        self._dimension = dimension
        self._in_call_seconds = in_call_seconds
        self._silence_seconds = silence_seconds
        self._cache: BytesLRU[tuple[Scope, str], QueryVector] = BytesLRU(cache_bytes)
        self._lock = threading.Lock()
        self._is_well = True
        self._is_closing = False
        self._asked_background: Future[Vectors] | None = None
        self._background: Vectors | None = None
        self.on_failure: Callable[[], None] = lambda: None
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
    def is_local(self) -> bool:
        """Whether the model runs in this process: then it may be busy, but it is never out."""
        return self._queue.is_local

    @property
    def is_well(self) -> bool:
        """False from a failure on until the model answered again."""
        return self._is_well

    def embed_in_call(
        self, turns: Sequence[DraftTurn], waited_seconds: float = 0.0
    ) -> list[Quantised]:
        """Vectors of the first turns: all of them, or as many as the time and the model allow.

        Only a few turns are asked for ahead, so that a large add does not hold up the small ones.

        Args:
            turns: what is added.
            waited_seconds: how much of the time was spent before this call.

        Returns:
            One int16 [passages, dimension] for each of the first turns; the others are deferred.
        """
        patience = _Patience(self._queue, self._in_call_seconds, waited=waited_seconds)
        asked: deque[Future[Vectors]] = deque()
        done: list[Quantised] = []
        try:
            while self._is_well and len(done) < len(turns) and patience.left > 0:
                while len(asked) < AHEAD and len(done) + len(asked) < len(turns):
                    texts = passage_texts(turns[len(done) + len(asked)])
                    asked.append(self._queue.submit_passages(texts, background=False))
                vectors = asked[0].result(timeout=patience.left)
                asked.popleft()
                done.append(self._take(vectors))
        except TimeoutError as error:
            if patience.saw_silence():
                self._note_failure(error)
        except EmbeddingResponseError as error:
            self._note_refusal(error)
        except EmbeddingError as error:
            self._note_failure(error)
        for future in asked:
            future.cancel()
        late = len(turns) - len(done)
        self._count(embedded_turns=len(done), deferred_turns=late, degraded_adds=int(late > 0))
        return done

    def embed_in_full(
        self, turns: Sequence[DraftTurn], *, seconds: float | None, is_urgent: bool
    ) -> tuple[list[Quantised | None], EmbeddingError | None]:
        """Vectors of all turns, for as long as the model makes progress.

        Args:
            turns: what is built.
            seconds: how long at most, None without a bound.
            is_urgent: somebody waits; else all other work of the model goes first.

        Returns:
            What came of the first turns, None for one that was refused; and what kept the model
            from the others, None when all are there.
        """
        silence = math.inf if self.is_local else self._silence_seconds
        progress = _Progress(self._queue, silence=silence, seconds=seconds)
        asked: deque[Future[Vectors]] = deque()
        done: list[Quantised | None] = []
        failure: EmbeddingError | None = None
        while failure is None and len(done) < len(turns):
            while len(asked) < AHEAD and len(done) + len(asked) < len(turns):
                texts = passage_texts(turns[len(done) + len(asked)])
                asked.append(self._queue.submit_passages(texts, background=not is_urgent))
            try:
                done.append(self._outcome(asked[0], progress.result))
                asked.popleft()
            except EmbeddingError as error:
                failure = error
            except TimeoutError as error:
                self._note_failure(error)
                failure = EmbeddingUnavailableError("the embedding model does not answer")
        for future in asked:
            future.cancel()
        return done, failure

    def embed_in_background(self, turns: Sequence[DraftTurn]) -> list[Quantised | None]:
        """Vectors of turns, behind all that callers wait for; None for a turn that was refused.

        Raises:
            EmbeddingError: the model is out.
        """
        futures = [
            self._queue.submit_passages(passage_texts(turn), background=True) for turn in turns
        ]
        try:
            return [self._outcome(future) for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def query_vector(
        self, scope: Scope, text: str, waited_seconds: float = 0.0
    ) -> QueryVector | None:
        """The vector of a query; None while the model is out, or too slow.

        Args:
            scope: whose query it is.
            text: the query.
            waited_seconds: how much of `QUERY_SECONDS` was spent before this call.
        """
        known = self._cache.get((scope, text))
        if known is not None:
            return known
        found = self._judge(text, waited_seconds) if self._is_well else None
        if found is None:
            self._count(lexical_only_queries=1)
            return None
        self._cache.put((scope, text), found, found.nbytes + 4 * len(text))
        return found

    def forget_queries(self, scope: Scope) -> None:
        """Remember no query of a memory: people ask with the words that they want forgotten."""
        self._cache.drop(lambda key: key[0] == scope)

    @property
    def queue(self) -> EmbeddingQueue:
        """The model's queue."""
        return self._queue

    def remembered(self) -> LRUStatistics:
        """How the remembered query vectors fare."""
        return self._cache.statistics()

    def probe(self) -> bool:
        """Whether the model answers; notes it."""
        patience = _Patience(self._queue, QUERY_SECONDS, waited=0.0)
        return self._ask(_PROBE, patience) is not None

    def close(self) -> None:
        """End the model's queue."""
        self._is_closing = True
        self._queue.close()

    def _judge(self, text: str, waited: float) -> QueryVector | None:
        patience = _Patience(self._queue, QUERY_SECONDS, waited=waited)
        vector = self._ask(text, patience)
        background = None if vector is None else self._background_vectors(patience)
        if vector is None or background is None:
            return None
        return QueryVector(vector=vector, background=dots(background, vector).astype(np.float64))

    def _ask(self, text: str, patience: _Patience) -> Vectors | None:
        """The quantised vector of a text to search with; None if the model is out."""
        future = self._queue.submit_query(text)
        try:
            found: Vectors = self._take(future.result(timeout=patience.left))[0].astype(np.float32)
        except TimeoutError as error:
            future.cancel()
            if patience.saw_silence():
                self._note_failure(error)
            return None
        except EmbeddingError as error:
            self._note_failure(error)
            return None
        return found

    def _background_vectors(self, patience: _Patience) -> Vectors | None:
        """The unrelated texts' vectors, asked for once; None until a slow model has answered."""
        if self._background is not None:
            return self._background
        with self._lock:
            if self._asked_background is None:
                self._asked_background = self._queue.submit_passages(
                    UNRELATED, background=False, for_query=True
                )
            future = self._asked_background
        try:
            self._background = self._take(future.result(timeout=patience.left)).astype(np.float32)
        except TimeoutError:
            return None
        except EmbeddingError as error:
            with self._lock:
                self._asked_background = None
            self._note_failure(error)
            return None
        return self._background

    def _outcome(
        self,
        future: Future[Vectors],
        result: Callable[[Future[Vectors]], Vectors] = Future.result,
    ) -> Quantised | None:
        try:
            return self._take(result(future))
        except _OutOfTimeError:
            raise
        except EmbeddingResponseError as error:
            self._note_refusal(error)
            return None
        except EmbeddingError as error:
            self._note_failure(error)
            raise

    def _take(self, vectors: Vectors) -> Quantised:
        """Note an answer and round it; all answers are of one dimension for ever.

        Raises:
            EmbeddingResponseError: the model's vectors changed their dimension.
        """
        if vectors.shape[1] > MAX_DIMENSION:
            raise EmbeddingResponseError(
                f"the embedding model gives {vectors.shape[1]} components, "
                f"and at most {MAX_DIMENSION} can be compared exactly"
            )
        self._dimension = self._dimension or vectors.shape[1]
        if vectors.shape[1] != self._dimension:
            raise EmbeddingResponseError(
                f"the embedding model gives {vectors.shape[1]} components where the stored vectors "
                f"have {self._dimension}; set the former model again, or give this one a new name"
            )
        self._note_success()
        return quantise(vectors)

    def _note_refusal(self, error: EmbeddingResponseError) -> None:
        self._count(failures=1)
        _log.warning("the embedding model refused a text, which stays lexical: %s", error)

    def _note_failure(self, error: BaseException) -> None:
        if self._is_closing:
            return
        self._count(failures=1)
        if self._is_well:
            self._is_well = False
            _log.warning(
                "the embedding model is out, search goes on lexically: %s", type(error).__name__
            )
            self.on_failure()

    def _note_success(self) -> None:
        if not self._is_well:
            self._is_well = True
            _log.warning("the embedding model answers again")

    def _count(self, **more: int) -> None:
        with self._lock:
            for name, count in more.items():
                setattr(self.counts, name, getattr(self.counts, name) + count)
