"""The ONNX reranker holds the port's laws, and says of every model that can't what is wrong with it."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from graphmem.errors import (
    ConfigError,
    RerankRefusedError,
    RerankResponseError,
    RerankUnavailableError,
)
from graphmem.providers.rerank.onnx import OnnxReranker, find_files
from tests.providers.pairs import build_cross_encoder

TEXTS = ["love coffee", "tea", "love tea tea", "我爱茶", ""]


def opened(directory: Path, **options: int) -> OnnxReranker:
    return OnnxReranker(find_files(f"onnx:{directory}"), **options)


@pytest.mark.parametrize("shape", ["nx1", "n", "nx2"])
def test_a_logit_or_two_make_a_score(tmp_path: Path, shape: str) -> None:
    reranker = opened(build_cross_encoder(tmp_path, shape=shape))
    scores = reranker.score("who love tea", TEXTS)
    assert scores == tuple(n * (2.0 if shape == "nx2" else 1.0) for n in (1, 1, 3, 0, 0))
    assert reranker.score("茶", TEXTS)[3] > 0.0


def test_a_pair_has_the_same_score_alone_in_any_company_and_on_any_thread(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path))
    together = reranker.score("love tea", TEXTS)
    assert tuple(reranker.score("love tea", [text])[0] for text in TEXTS) == together
    assert reranker.score("love tea", TEXTS[::-1]) == together[::-1]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: reranker.score("love tea", TEXTS), range(40)))
    assert set(found) == {together}


def test_no_texts_have_no_scores(tmp_path: Path) -> None:
    assert opened(build_cross_encoder(tmp_path)).score("tea", []) == ()


def test_what_is_over_the_limit_is_cut_from_the_text_never_from_the_query(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path), max_tokens=40)
    filled = "coffee " * 60
    # 3 marks and a query of 18 leave 19 tokens for the text.
    query = "love " * 17 + "tea"
    assert reranker.score(query, ["coffee " * 18 + "tea " + filled]) == (1.0,)
    assert reranker.score(query, ["coffee " * 19 + "tea " + filled]) == (0.0,)


def test_a_tokenizer_that_knows_a_smaller_limit_is_right(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path, limit=24))
    # 3 marks and a query of 1 leave 20 tokens.
    scores = reranker.score("tea", ["coffee " * 19 + "tea", "coffee " * 20 + "tea"])
    assert scores == (1.0, 0.0)


def test_a_query_that_leaves_no_room_is_refused_and_the_next_is_not(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path))
    with pytest.raises(RerankRefusedError, match=r"500 tokens .* 512"):
        reranker.score("tea " * 500, TEXTS)
    assert reranker.score("tea", ["tea"]) == (1.0,)


def test_a_text_of_a_megabyte_is_read_as_far_as_it_fits(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path))
    assert reranker.score("tea", ["tea " + "coffee " * 200_000]) == (1.0,)


@pytest.mark.parametrize("shape", ["nx3", "tokens"])
def test_an_output_of_another_shape_is_no_cross_encoders(tmp_path: Path, shape: str) -> None:
    with pytest.raises(RerankUnavailableError, match="no cross-encoder; name one in rerank_model"):
        opened(build_cross_encoder(tmp_path, shape=shape)).score("tea", TEXTS)


def test_a_score_that_is_not_finite_is_an_error_and_not_a_score(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path, scale=3e38))
    assert reranker.score("tea", ["tea"])[0] > 0.0
    with pytest.raises(RerankResponseError, match="NaN or infinity"):
        reranker.score("tea", ["tea tea"])
    assert reranker.score("tea", ["coffee"]) == (0.0,)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_told_at_once_and_a_broken_one_when_it_is_loaded(
    tmp_path: Path, name: str
) -> None:
    path = build_cross_encoder(tmp_path) / name
    path.write_bytes(b"garbage")
    with pytest.raises(RerankUnavailableError, match=rf"rerank_model: .*{name}"):
        opened(tmp_path).score("tea", TEXTS)
    path.unlink()
    with pytest.raises(ConfigError, match=rf"rerank_model: .* holds no {name}; name one that does"):
        find_files(f"onnx:{tmp_path}")


def test_a_tokenizer_without_pairs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RerankUnavailableError, match=r"tokenizer\.json marks no pairs"):
        opened(build_cross_encoder(tmp_path, marks_pairs=False)).score("tea", TEXTS)


def test_a_tokenizer_of_another_model_is_suspected_when_its_tokens_fail(tmp_path: Path) -> None:
    more = ["[UNK]", "[PAD]", "[CLS]", "[SEP]", *(f"w{n}" for n in range(50)), "tea"]
    reranker = opened(build_cross_encoder(tmp_path, words=more))
    with pytest.raises(RerankResponseError, match=r"does its tokenizer\.json belong to it"):
        reranker.score("tea", ["tea"])


@pytest.mark.parametrize("value", ["MiniLM", "/models/MiniLM", "onnx:", "https://hub/model"])
def test_a_value_that_names_no_files_is_refused(value: str) -> None:
    with pytest.raises(ConfigError, match="rerank_model: must be onnx:DIRECTORY"):
        find_files(value)


@pytest.mark.parametrize("module", ["onnxruntime", "tokenizers"])
def test_a_missing_package_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    build_cross_encoder(tmp_path)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConfigError, match=r"rerank_model: .*graphmem\[onnx\]"):
        find_files(f"onnx:{tmp_path}")


@pytest.mark.parametrize("place", [".", ".."])
def test_a_file_takes_the_tokenizer_beside_it_or_from_the_directory_above(
    tmp_path: Path, place: str
) -> None:
    directory = build_cross_encoder(tmp_path / "export" / "onnx", name="model_int8.onnx")
    (directory / "tokenizer.json").rename(directory / place / "tokenizer.json")
    reranker = OnnxReranker(find_files(f"onnx:{directory / 'model_int8.onnx'}"))
    assert reranker.name == "model_int8.onnx"
    assert reranker.score("tea", ["tea"]) == (1.0,)


def test_a_fingerprint_is_of_the_files_and_the_limit(tmp_path: Path) -> None:
    one = opened(build_cross_encoder(tmp_path / "a"))
    same = opened(build_cross_encoder(tmp_path / "b"))
    other = opened(build_cross_encoder(tmp_path / "c", scale=2.0))
    assert (one.name, same.name) == ("a", "b")
    assert one.fingerprint == same.fingerprint != other.fingerprint
    assert one.fingerprint != opened(tmp_path / "a", max_tokens=100).fingerprint
    (tmp_path / "a" / "model.onnx").unlink()
    with pytest.raises(RerankUnavailableError, match="rerank_model: can't read"):
        assert one.fingerprint


def test_it_is_loaded_by_the_first_call_and_a_mended_file_by_the_next(tmp_path: Path) -> None:
    model = build_cross_encoder(tmp_path) / "model.onnx"
    good = model.read_bytes()
    model.write_bytes(b"garbage")
    reranker = opened(tmp_path)
    with pytest.raises(RerankUnavailableError):
        reranker.score("tea", ["tea"])
    model.write_bytes(good)
    assert reranker.score("tea", ["tea"]) == (1.0,)
    model.unlink()
    assert reranker.score("tea", ["tea"]) == (1.0,)


def test_a_closed_one_scores_no_more(tmp_path: Path) -> None:
    reranker = opened(build_cross_encoder(tmp_path))
    reranker.close()
    reranker.close()
    with pytest.raises(RerankUnavailableError, match="closed"):
        reranker.score("tea", TEXTS)
