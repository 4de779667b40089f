from __future__ import annotations

import numpy as np
import pytest

from graphmem.errors import EmbeddingResponseError
from graphmem.ports.embedder import Vectors
from graphmem.providers.embedding.checked import CheckedEmbedder, check_vectors
from graphmem.providers.embedding.fake import Failure, FakeEmbedder


@pytest.mark.parametrize("failure", [Failure.NAN, Failure.WRONG_COUNT, Failure.WRONG_DIMENSION])
def test_what_breaks_a_law_is_refused(failure: Failure) -> None:
    checked = CheckedEmbedder(FakeEmbedder(fail=failure))
    with pytest.raises(EmbeddingResponseError):
        checked.embed_passages(["tea", "coffee"])
    with pytest.raises(EmbeddingResponseError):
        checked.embed_queries(["tea"])


@pytest.mark.parametrize(
    "vectors",
    [
        np.array([[0.0, 0.0]], dtype=np.float32),
        np.array([[0.6, 0.9]], dtype=np.float32),
        np.array([[np.inf, 0.0]], dtype=np.float32),
        np.array([1.0, 0.0], dtype=np.float32),
        np.array([[1.0, 0.0]]),
        np.full((1, 2), np.finfo(np.float32).max),
    ],
    ids=["zero", "long", "infinite", "one axis", "float64", "huge"],
)
def test_what_is_no_unit_vector_is_refused(vectors: Vectors) -> None:
    with pytest.raises(EmbeddingResponseError):
        check_vectors(vectors, count=1, dimension=2)
