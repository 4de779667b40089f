"""Models behind an OpenAI-compatible `POST /embeddings`, remote or local."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from graphmem.errors import EmbeddingResponseError
from graphmem.ports.embedder import EmbeddingModel, Vectors
from graphmem.providers.embedding.normal import RawVectors, unit_rows
from graphmem.providers.embedding.prefixes import NO_PREFIXES, Prefixes

if TYPE_CHECKING:
    import httpx2

_PROBE: Final = "dimension"


class OpenAIEmbedder:
    """A model of an OpenAI-compatible server. Thread-safe.

    Answers are scaled to unit length. Texts too long for the model are the server's to refuse.
    """

    def __init__(
        self,
        base_url: str,
        *,
        model: str,
        api_key: str | None = None,
        timeout_seconds: float = 30.0,
        dimension: int | None = None,
        prefixes: Prefixes = NO_PREFIXES,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            base_url: up to, not including, `/embeddings`.
            model: its name at the server.
            api_key: bearer token, if the server wants one.
            timeout_seconds: the most that one call takes, retries included.
            dimension: components of its vectors; None asks the server once, when first needed.
            prefixes: put before every text.
            transport: in place of the network, for tests.

        Raises:
            ConfigError: the URL or key can't be used.
        """
        from graphmem.providers.poster import EMBEDDING, Poster  # noqa: PLC0415 - 60 ms to import

        url = base_url.rstrip("/")
        self._poster = Poster(
            f"{url}/embeddings",
            kind=EMBEDDING,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            transport=transport,
        )
        self._name = model
        self._prefixes = prefixes
        self._identity = json.dumps([url, model, prefixes.query, prefixes.passage])
        self._model = self._describe(dimension) if dimension else None

    @property
    def fingerprint(self) -> str:
        """The model's fingerprint; known without asking the server.

        The dimension is no part of it, since the server may be out when it is needed first.
        """
        # A digest, since a URL may hold credentials and the fingerprint is stored and shown.
        digest = hashlib.blake2b(self._identity.encode(), digest_size=8).hexdigest()
        return f"openai:{self._name}:{digest}"

    @property
    def model(self) -> EmbeddingModel:
        # No lock: two first calls may both ask, which is harmless; waiting for a server that hangs
        # in a queue of callers is not.
        if self._model is None:
            self._model = self._describe(self._request([_PROBE]).shape[1])
        return self._model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._prefixes.passage)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._prefixes.query)

    def close(self) -> None:
        self._poster.close()

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        dimension = self.model.dimension
        if not texts:
            return np.zeros((0, dimension), dtype=np.float32)
        # Servers refuse an empty input, and with it the texts beside it.
        vectors = self._request([prefix + text or " " for text in texts])
        if vectors.shape[1] != dimension:
            raise EmbeddingResponseError(
                f"the embedding model {self._name} gave {vectors.shape[1]} components "
                f"where {dimension} were due"
            )
        return vectors

    def _request(self, texts: list[str]) -> Vectors:
        body = self._poster.post({"model": self._name, "input": texts, "encoding_format": "float"})
        return unit_rows(parse_answer(body, count=len(texts)))

    def _describe(self, dimension: int) -> EmbeddingModel:
        return EmbeddingModel(name=self._name, dimension=dimension, fingerprint=self.fingerprint)


def parse_answer(body: bytes, *, count: int) -> RawVectors:
    """The vectors of an answer in the order of the texts: [count, dimension].

    Raises:
        EmbeddingResponseError: it is not such an answer.
    """
    # Raised from None throughout: the causes would hold the body, which may repeat texts.
    try:
        data = json.loads(body)["data"]
        rows = {item["index"]: item["embedding"] for item in data}
        raw = np.asarray([rows[index] for index in range(count)])
    except (ValueError, TypeError, LookupError, RecursionError):
        raise _unreadable(count) from None
    if len(data) != count or raw.ndim != 2 or raw.shape[1] == 0 or raw.dtype.kind not in "fi":
        raise _unreadable(count)
    return raw


def _unreadable(count: int) -> EmbeddingResponseError:
    return EmbeddingResponseError(
        f"the embedding server's answer does not hold {count} vectors of one dimension; "
        "check that embedding_base_url is an OpenAI-compatible API"
    )
