"""A deterministic embedder for tests, which can be made to fail in every way a real one does."""

from __future__ import annotations

import enum
import re
import threading
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from graphmem.errors import EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.ports.embedder import EmbeddingModel, Vectors

_WORD: Final = re.compile(r"\w+")


class Failure(enum.Enum):
    """What a `FakeEmbedder` does instead of answering; the last three break the port's laws."""

    DOWN = "can't be reached"
    HANG = "gives no answer until it is recovered or its time is over, then as if timed out"
    NAN = "one component is NaN"
    WRONG_DIMENSION = "one component too many"
    WRONG_COUNT = "one vector too few"


class FakeEmbedder:
    """Hashes words and character pairs, so that texts with much in common are near.

    Thread-safe. Everything public may be changed while it is in use.

    Attributes:
        seconds_per_text: how long each text takes.
        poison: a text that contains one of these is refused, and the texts beside it in the call.
    """

    def __init__(
        self,
        dimension: int = 64,
        *,
        seconds_per_text: float = 0.0,
        fail: Failure | None = None,
        poison: Sequence[str] = (),
    ) -> None:
        self.seconds_per_text = seconds_per_text
        self.poison = tuple(poison)
        self._model = EmbeddingModel(
            name="fake", dimension=dimension, fingerprint=f"fake:1:{dimension}"
        )
        self._lock = threading.Lock()
        self._woken = threading.Event()
        self._fail = fail
        self._hang_seconds = 3600.0
        self._calls = 0
        self._texts = 0

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    @property
    def calls(self) -> int:
        """How many calls began, those that failed included."""
        with self._lock:
            return self._calls

    @property
    def texts(self) -> int:
        """How many texts were embedded."""
        with self._lock:
            return self._texts

    def break_down(self, failure: Failure, *, hang_seconds: float = 3600.0) -> None:
        """Fail this way from now on; calls that hang already go on hanging."""
        with self._lock:
            self._woken = threading.Event() if self._fail is None else self._woken
            self._hang_seconds = hang_seconds
            self._fail = failure

    def recover(self) -> None:
        """Answer again; calls that hang are answered too."""
        with self._lock:
            self._fail = None
            self._woken.set()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts)

    def close(self) -> None:
        self.recover()

    def _embed(self, texts: Sequence[str]) -> Vectors:
        failure = self._begin()
        if self.seconds_per_text:
            threading.Event().wait(self.seconds_per_text * len(texts))
        if any(mark in text for mark in self.poison for text in texts):
            raise EmbeddingResponseError("the fake model refused a text")
        with self._lock:
            self._texts += len(texts)
        rows = [_embed_one(text, self._model.dimension) for text in texts]
        good = np.array(rows, dtype=np.float32).reshape(len(texts), self._model.dimension)
        return _spoil(good, failure)

    def _begin(self) -> Failure | None:
        with self._lock:
            self._calls += 1
            failure, woken, seconds = self._fail, self._woken, self._hang_seconds
        if failure is Failure.DOWN:
            raise EmbeddingUnavailableError("the fake model is down")
        if failure is Failure.HANG:
            if not woken.wait(seconds):
                raise EmbeddingUnavailableError("the fake model gave no answer in time")
            return None
        return failure


def _spoil(vectors: Vectors, failure: Failure | None) -> Vectors:
    if failure is Failure.NAN:
        vectors[:1, 0] = np.nan
    elif failure is Failure.WRONG_DIMENSION:
        return np.pad(vectors, ((0, 0), (0, 1)))
    elif failure is Failure.WRONG_COUNT:
        return vectors[:-1]
    return vectors


def _embed_one(text: str, dimension: int) -> Vectors:
    # The first component is never hashed to, so that no text, not even "", has a vector of zeros.
    sums = np.zeros(dimension)
    sums[0] = 0.5
    for feature in _features(text.casefold()):
        code = zlib.crc32(feature.encode("utf-8", "replace"))
        sums[1 + (code >> 1) % (dimension - 1)] += 1.0 if code & 1 else -1.0
    unit: Vectors = (sums / np.sqrt(np.square(sums).sum())).astype(np.float32)
    return unit


def _features(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        yield word
        yield from (first + second for first, second in pairwise(word))
