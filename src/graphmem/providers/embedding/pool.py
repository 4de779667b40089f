"""The threads that embedding runs in: queries first, texts of concurrent calls in one batch."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Final

import numpy as np

from graphmem.errors import (
    EmbeddingError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
    GraphmemError,
)
from graphmem.ports.embedder import (
    Embedder,
    EmbeddingModel,
    EmbeddingUsage,
    Purpose,
    Vectors,
)
from graphmem.providers.embedding.checked import CheckedEmbedder
from graphmem.providers.embedding.job import Part, Priority, Submission
from graphmem.providers.embedding.waiting import WaitingParts

MAX_WAITING_BYTES: Final = 64 * 1024 * 1024
MAX_CHARACTERS: Final = 1024 * 1024
_PURPOSES: Final[Mapping[Priority, Purpose]] = {
    Priority.QUERY: "query",
    Priority.FOR_QUERY: "query",
    Priority.IN_CALL: "add",
    Priority.BACKGROUND: "background",
}


class EmbeddingPool:
    """Embeds in worker threads that have one embedder each. Thread-safe.

    Queries go before passages that a caller waits for, those before passages in the background;
    among equals the submissions take turns part by part,
    so that a long one does not hold up the short ones behind it (start-time fair queueing, Goyal
    et al. 1996). What waits may be cancelled. Embedders are made by the
    threads that use them, when first needed, and are held to the port's laws.

    A joined call that fails with `EmbeddingResponseError` is repeated submission by submission
    (part by part where a submission is longer than a batch), so that a text that the model refuses
    fails its own submission only.
    """

    def __init__(
        self,
        make: Callable[[], Embedder],
        *,
        fingerprint: str,
        workers: int = 1,
        max_batch: int = 16,
        max_characters: int = MAX_CHARACTERS,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
        is_local: bool = False,
    ) -> None:
        """Prepare; threads and embedders are made when first needed.

        Args:
            make: makes an embedder, in the thread that will use it.
            fingerprint: of the model behind it.
            workers: how many threads, and embedders, there may be.
            max_batch: the most texts that one call gets; also how long a query may have to wait.
            max_characters: the most that one call gets of them, if it gets several.
            max_waiting_bytes: about how much memory waiting passages may take.
            is_local: the model runs in this process, so that it may be busy, but is never out.
        """
        self._make = make
        self._fingerprint = fingerprint
        self._workers = workers
        self._max_batch = max_batch
        self._max_characters = max_characters
        self._is_local = is_local
        self._changed = threading.Condition()
        self._waiting = WaitingParts(
            max_batch=max_batch, max_characters=max_characters, max_weight=max_waiting_bytes
        )
        self._numbers = itertools.count()
        self._served = dict.fromkeys(Priority, 0)
        self._answered = 0
        self._usage = dict.fromkeys(Priority, EmbeddingUsage())
        self._threads: list[threading.Thread] = []
        self._in_call: dict[threading.Thread, list[Part]] = {}
        self._idle = 0
        self._model: EmbeddingModel | None = None
        self._is_closed = False

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint; known without an embedder."""
        return self._fingerprint

    @property
    def is_local(self) -> bool:
        """Whether the model runs in this process."""
        return self._is_local

    @property
    def answered(self) -> int:
        """How many calls of the model have ended well."""
        return self._answered

    @property
    def waiting(self) -> int:
        """How many parts of submissions wait for a call."""
        return len(self._waiting)

    def usage(self) -> Mapping[Purpose, EmbeddingUsage]:
        """What the model was given, by what for."""
        with self._changed:
            usages: dict[Purpose, EmbeddingUsage] = {}
            for priority, usage in self._usage.items():
                purpose = _PURPOSES[priority]
                usages[purpose] = usages.get(purpose, EmbeddingUsage()) + usage
            return usages

    @property
    def model(self) -> EmbeddingModel:
        """The model; waits for a first embedder, in turn with queries.

        Raises:
            EmbeddingError: no embedder can be made, or the pool is closed.
        """
        if self._model is None:
            self._submit((), Priority.QUERY).result()
        if self._model is None:
            raise AssertionError("an answered submission leaves the model known")
        return self._model

    def submit_query(self, text: str) -> Future[Vectors]:
        """Embed a text to search with: a future of float32 [1, dimension], or an `EmbeddingError`.

        The future counts as pending until it is answered, so it can be cancelled any time before.
        """
        return self._submit((text,), Priority.QUERY)

    def submit_passages(
        self, texts: Sequence[str], *, background: bool, for_query: bool = False
    ) -> Future[Vectors]:
        """Embed texts to be found: a future of float32 [texts, dimension], or an `EmbeddingError`.

        Longer submissions than a batch are embedded in parts; if one fails, all of it has failed.
        When too much waits, the future fails with `EmbeddingUnavailableError` at once.
        """
        if for_query:
            return self._submit(tuple(texts), Priority.FOR_QUERY)
        return self._submit(tuple(texts), Priority.BACKGROUND if background else Priority.IN_CALL)

    def close(self, timeout_seconds: float = 5.0) -> None:
        """Fail what waits, let what runs end within the time, close the embedders.

        A call that hangs beyond it fails too; its daemon thread is left to end by itself. May be
        called twice; submissions after it fail.
        """
        deadline = time.monotonic() + timeout_seconds
        with self._changed:
            self._is_closed = True
            parts = self._waiting.pop_all()
            threads = list(self._threads)
            self._changed.notify_all()
        self._fail(parts, _closed())
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(max(0.0, deadline - time.monotonic()))
        with self._changed:
            hanging = [part for parts in self._in_call.values() for part in parts]
        self._fail(hanging, _closed())

    def _submit(self, texts: Sequence[str], priority: Priority) -> Future[Vectors]:
        submission = Submission()
        with self._changed:
            error = self._enqueue(submission, texts, priority)
        if error is not None and submission.drop():
            submission.fail(error)
        return submission.future

    def _enqueue(
        self, submission: Submission, texts: Sequence[str], priority: Priority
    ) -> EmbeddingError | None:
        if self._is_closed:
            return _closed()
        parts = [
            Part(
                priority=priority,
                due=self._served[priority] + index,
                number=next(self._numbers),
                index=index,
                texts=some,
                submission=submission,
            )
            for index, some in enumerate(
                submission.split(texts, size=self._max_batch, characters=self._max_characters)
            )
        ]
        if not self._waiting.add(parts):
            return EmbeddingUnavailableError("too many texts wait to be embedded; try again later")
        self._call_workers()
        return None

    def _call_workers(self) -> None:
        """Wake or start as many workers as there is work for; the lock is held."""
        self._changed.notify(len(self._waiting))
        wanted = min(self._workers - len(self._in_call), len(self._waiting) - self._idle)
        for _ in range(wanted):
            thread = threading.Thread(target=self._work, name="graphmem-embedding", daemon=True)
            thread.start()
            self._in_call[thread] = []
            # Kept when they sign off, since they may still be closing their embedders.
            self._threads = [*(one for one in self._threads if one.is_alive()), thread]

    def _work(self) -> None:
        embedder: Embedder | None = None
        try:
            while batch := self._next_batch():
                try:
                    embedder = embedder or CheckedEmbedder(self._make())
                except GraphmemError as error:
                    self._fail(batch, _as_embedding_error(error))
                else:
                    self._serve(embedder, batch)
        finally:
            self._leave()
            if embedder is not None:
                embedder.close()

    def _next_batch(self) -> list[Part]:
        """The parts to embed next, registered as this thread's; [] once the pool is closed."""
        with self._changed:
            self._in_call[threading.current_thread()] = []
            self._idle += 1
            self._changed.wait_for(lambda: self._is_closed or len(self._waiting))
            self._idle -= 1
            batch = self._waiting.pop_batch()
            for part in batch:
                self._served[part.priority] = max(self._served[part.priority], part.due)
            self._in_call[threading.current_thread()] = batch
            return batch

    def _leave(self) -> None:
        """Sign a thread off. Parts left with it had an embedder that broke the port's laws.

        Their futures fail, the error itself goes to `threading.excepthook`, and another thread
        with a new embedder takes over what waits.
        """
        with self._changed:
            parts = self._in_call.pop(threading.current_thread())
            if not self._is_closed:
                self._call_workers()
        self._fail(parts, EmbeddingUnavailableError("the embedding model broke off; see the log"))

    def _serve(self, embedder: Embedder, batch: Sequence[Part]) -> None:
        wanted = [part for part in batch if part.submission.is_wanted]
        self._fail([part for part in batch if not part.submission.is_wanted], _cancelled())
        if not wanted:
            return
        try:
            vectors = self._embed(embedder, wanted)
        except EmbeddingResponseError as error:
            self._isolate(wanted, error)
        except GraphmemError as error:
            self._fail(wanted, _as_embedding_error(error))
        else:
            self._deliver(wanted, vectors)

    def _embed(self, embedder: Embedder, parts: Sequence[Part]) -> Vectors:
        self._hold_to_one_model(embedder.model)
        texts = [text for part in parts for text in part.texts]
        if not texts:
            return np.zeros((0, embedder.model.dimension), dtype=np.float32)
        self._count(parts[0].priority, texts)
        if parts[0].priority is Priority.QUERY:
            return embedder.embed_queries(texts)
        return embedder.embed_passages(texts)

    def _count(self, priority: Priority, texts: Sequence[str]) -> None:
        with self._changed:
            before = self._usage[priority]
            self._usage[priority] = EmbeddingUsage(
                calls=before.calls + 1,
                texts=before.texts + len(texts),
                characters=before.characters + sum(map(len, texts)),
            )

    def _hold_to_one_model(self, model: EmbeddingModel) -> None:
        with self._changed:
            if self._model is None:
                self._model = model
        if model != self._model:
            raise EmbeddingUnavailableError(
                f"the embedding model is no longer {self._model.name} of {self._model.dimension} "
                f"components, but {model.name} of {model.dimension}; restart to use it"
            )

    def _isolate(self, parts: Sequence[Part], error: EmbeddingResponseError) -> None:
        """Put parts that failed together back, to be tried one by one; fail one that was alone."""
        if len(parts) == 1:
            self._fail(parts, error)
            return
        with self._changed:
            is_late = self._is_closed
            if not is_late:
                self._waiting.put_back_alone(parts)
                self._call_workers()
        if is_late:
            self._fail(parts, _closed())

    def _deliver(self, parts: Sequence[Part], vectors: Vectors) -> None:
        self._answered += 1
        start = 0
        for part in parts:
            end = start + len(part.texts)
            with self._changed:
                # Copied, so that one future does not keep the vectors of the whole batch alive.
                is_last = part.submission.take(part.index, vectors[start:end].copy())
            if is_last:
                part.submission.finish()
            start = end

    def _fail(self, parts: Iterable[Part], error: EmbeddingError) -> None:
        for part in parts:
            with self._changed:
                is_first = part.submission.drop()
            if is_first:
                part.submission.fail(error)


def _as_embedding_error(error: GraphmemError) -> EmbeddingError:
    if isinstance(error, EmbeddingError):
        return error
    unavailable = EmbeddingUnavailableError(f"the embedding model can't be used: {error}")
    unavailable.__cause__ = error
    return unavailable


def _closed() -> EmbeddingUnavailableError:
    return EmbeddingUnavailableError("the embedding pool is closed; open the service again")


def _cancelled() -> EmbeddingUnavailableError:
    return EmbeddingUnavailableError("nobody waits for these vectors any more")
