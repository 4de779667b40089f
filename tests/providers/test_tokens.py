from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError
from graphmem.providers.tokens.exact import open_tokenizer
from graphmem.service.factory import open_counter


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    """A tokenizer of words, with a limit that a count must not know of."""
    tokenizers = pytest.importorskip("tokenizers")
    words = {"[UNK]": 0, "tea": 1, "and": 2, "茶": 3}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token=next(iter(words))))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.enable_truncation(2)
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def test_a_model_s_own_tokenizer_counts_all_of_a_text(tokenizer: Path) -> None:
    for path in (tokenizer, tokenizer.parent):
        counter = open_tokenizer(path)
        assert [counter.count(text) for text in ("", "tea", "tea and 茶 and tea")] == [0, 1, 5]
        assert not counter.is_approximate
        assert counter.name.startswith("tokenizer:")


def test_without_a_tokenizer_the_built_in_counter_is_no_approximation() -> None:
    counter = open_counter(ServiceConfig())
    assert (counter.name, counter.is_approximate) == ("built-in", False)


@pytest.mark.parametrize("content", [None, "{}", "no json", "[]"])
def test_a_named_tokenizer_that_can_t_be_used_ends_the_start(
    tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ConfigError, match=r"tokenizer\.json") as raised:
        open_counter(ServiceConfig(tokenizer_path=str(path)))
    assert raised.value.field == "tokenizer_path"


def test_a_chat_model_needs_its_tokenizer_unless_exactness_is_not_required() -> None:
    config = ServiceConfig(llm_model="m", llm_base_url="http://127.0.0.1:1/v1")
    with pytest.raises(ConfigError, match="GRAPHMEM_TOKENIZER_PATH") as raised:
        open_counter(config)
    assert raised.value.field == "tokenizer_path"
    assert open_counter(replace(config, require_exact_tokenizer=False)).is_approximate


def test_where_exactness_is_not_required_it_is_flagged_instead(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = ServiceConfig(
        tokenizer_path=str(tmp_path / "none.json"), require_exact_tokenizer=False
    )
    counter = open_counter(config)
    assert (counter.name, counter.is_approximate) == ("built-in", True)
    assert "approximately" in caplog.text


def test_the_settings_name_the_tokenizer_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPHMEM_TOKENIZER_PATH", "/from/the/environment")
    assert ServiceConfig.load().tokenizer_path == "/from/the/environment"
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"tokenizer_path": "beside.json"}))
    assert ServiceConfig.load(file).tokenizer_path == str(tmp_path / "beside.json")
