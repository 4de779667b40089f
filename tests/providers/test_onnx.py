from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import ConfigError, EmbeddingUnavailableError
from graphmem.providers.embedding.onnx import OnnxEmbedder
from graphmem.providers.embedding.prefixes import Prefixes
from graphmem.providers.exported import check_inputs, choose_output
from tests.providers.tiny import build_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    name: str
    type: str


def test_mean_pooling_is_over_the_tokens_of_the_text_alone(tmp_path: Path) -> None:
    padded = OnnxEmbedder(build_model(tmp_path / "a", fixed_padding=True))
    unpadded = OnnxEmbedder(build_model(tmp_path / "b", fixed_padding=False))
    texts = ["i love tea", "我喜欢茶"]
    assert np.array_equal(padded.embed_passages(texts), unpadded.embed_passages(texts))


def test_the_order_of_words_is_lost_by_the_mean_but_not_the_words(tmp_path: Path) -> None:
    one, same, other = OnnxEmbedder(build_model(tmp_path)).embed_passages(
        ["love tea", "tea love", "love coffee"]
    )
    np.testing.assert_allclose(one, same, atol=1e-6)
    assert one @ other < 0.99


def test_cls_pooling_takes_the_first_token(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(build_model(tmp_path, pooling="cls_token"))
    vectors = embedder.embed_passages(["love tea", "coffee"])
    np.testing.assert_allclose(vectors[0], vectors[1], atol=1e-6)


def test_another_pooling_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="pooling_mode_max_tokens"):
        OnnxEmbedder(build_model(tmp_path, pooling="max_tokens"))


def test_long_texts_are_cut(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(build_model(tmp_path), max_tokens=3)
    vectors = embedder.embed_passages(["love tea", "love tea coffee coffee"])
    assert np.array_equal(vectors[0], vectors[1])


def test_prefixes_go_before_the_text(tmp_path: Path) -> None:
    plain = OnnxEmbedder(build_model(tmp_path))
    prefixed = OnnxEmbedder(tmp_path, prefixes=Prefixes(query="love ", passage="coffee "))
    assert np.array_equal(prefixed.embed_queries(["tea"]), plain.embed_queries(["love tea"]))
    assert np.array_equal(prefixed.embed_passages(["tea"]), plain.embed_passages(["coffee tea"]))
    assert plain.model.fingerprint != prefixed.model.fingerprint


def test_other_weights_are_another_model(tmp_path: Path) -> None:
    first = OnnxEmbedder(build_model(tmp_path / "a")).model
    again = OnnxEmbedder(build_model(tmp_path / "b")).model
    other = OnnxEmbedder(build_model(tmp_path / "c", scale=2.0)).model
    assert first.fingerprint == again.fingerprint != other.fingerprint


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_or_broken_file_is_named(tmp_path: Path, name: str) -> None:
    path = build_model(tmp_path) / name
    path.write_bytes(b"garbage")
    with pytest.raises(ConfigError, match=name):
        OnnxEmbedder(tmp_path)
    path.unlink()
    with pytest.raises(ConfigError, match=name):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize("module", ["onnxruntime", "tokenizers"])
def test_a_missing_package_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConfigError, match=r"graphmem\[onnx\]"):
        OnnxEmbedder(tmp_path)


def test_a_closed_one_embeds_no_more(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(build_model(tmp_path))
    embedder.close()
    with pytest.raises(EmbeddingUnavailableError):
        embedder.embed_queries(["tea"])


def test_a_file_that_is_no_tokenizer_is_named(tmp_path: Path) -> None:
    (build_model(tmp_path) / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"tokenizer\.json"):
        OnnxEmbedder(tmp_path)


@pytest.mark.parametrize(
    ("inputs", "remedy"),
    [
        ({"pixel_values": "tensor(float)"}, "not a text encoder"),
        ({"input_ids": "tensor(float)"}, "not integers"),
    ],
)
def test_a_model_of_something_else_is_refused(inputs: dict[str, str], remedy: str) -> None:
    with pytest.raises(ConfigError, match=remedy):
        check_inputs([Slot(name=name, type=kind) for name, kind in inputs.items()], "the_setting")


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["last_hidden_state", "pooler_output"], "last_hidden_state"),
        (["token_embeddings", "sentence_embedding"], "sentence_embedding"),
    ],
)
def test_a_pooled_output_is_preferred(names: list[str], chosen: str) -> None:
    slots = [Slot(name=name, type="tensor(float)") for name in names]
    assert choose_output(slots, "sentence_embedding") == chosen
