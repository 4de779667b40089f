from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.config import (
    API_KEY_VARIABLE,
    MODEL_KEY_VARIABLE,
    SECRETS,
    AddSearchConfig,
    DenseConfig,
    ServiceConfig,
    answered_by,
)
from graphmem.domain.message import Message
from graphmem.errors import ConfigError
from graphmem.retrieval.recipe import DEFAULT, Recipe, overridden
from graphmem.service.memory import MemoryService

EVERYWHERE = "0.0.0.0"  # noqa: S104 - the bind that must be refused
SHIPPED = Path(__file__).parents[1] / "config" / "memory-service.json"


def _file(directory: Path, values: object) -> Path:
    path = directory / "memory-service.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def _error(directory: Path, values: object) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        ServiceConfig.load(_file(directory, values))
    return caught.value


def test_the_shipped_file_states_every_field_with_its_default() -> None:
    loaded = ServiceConfig.load(SHIPPED)
    assert replace(loaded, data_dir=ServiceConfig().data_dir, api_key=None) == ServiceConfig()
    fields = set(json.loads(SHIPPED.read_text(encoding="utf-8")))
    assert fields == {name for name in ServiceConfig.__dataclass_fields__ if name not in SECRETS}


def test_a_relative_data_dir_is_relative_to_the_file(tmp_path: Path) -> None:
    assert ServiceConfig.load(_file(tmp_path, {"data_dir": "x"})).data_dir == tmp_path / "x"


def test_the_key_comes_from_the_environment_and_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(API_KEY_VARIABLE, "s3cret")
    config = ServiceConfig.load()
    assert config.api_key == "s3cret"
    assert "s3cret" not in repr(config)


def test_one_variable_may_serve_every_model_and_a_named_one_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MODEL_KEY_VARIABLE, "for all")
    assert ServiceConfig.load().embedding_api_key == "for all"
    monkeypatch.setenv("MINE", "for this")
    named = ServiceConfig.load(_file(tmp_path, {"embedding_api_key_env": "MINE"}))
    assert named.embedding_api_key == "for this"


def test_white_space_around_the_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(API_KEY_VARIABLE, " s3cret\n")
    assert ServiceConfig.load().api_key == "s3cret"


def test_a_blank_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(API_KEY_VARIABLE, " \n")
    with pytest.raises(ConfigError, match="blank"):
        ServiceConfig.load()


def test_a_secret_in_the_file_is_told_where_it_belongs(tmp_path: Path) -> None:
    assert "environment" in str(_error(tmp_path, {"api_key": "x"}))


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"port": 1, "port": 2}', "port"),
        ('{"dense": {"cache_bytes": 1, "cache_bytes": 1}}', "cache_bytes"),
    ],
)
def test_a_field_that_is_set_twice_is_named(tmp_path: Path, text: str, field: str) -> None:
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="set twice") as caught:
        ServiceConfig.load(tmp_path / "c.json")
    assert caught.value.field == field


def test_an_unknown_field_is_named_with_the_nearest_known_one(tmp_path: Path) -> None:
    assert (
        str(_error(tmp_path, {"prot": 1})) == "prot: unknown field; the nearest known one is 'port'"
    )
    assert "'top_k_max'" in str(_error(tmp_path, {"addsearch": {"topk_max": 1}}))


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"port": "80"}, "port"),
        ({"port": True}, "port"),
        ({"port": 65_536}, "port"),
        ({"host": " "}, "host"),
        ({"insecure": 1}, "insecure"),
        ({"cache_bytes": -1}, "cache_bytes"),
        ({"addsearch": []}, "addsearch"),
        ({"addsearch": {"add_path": "add"}}, "addsearch.add_path"),
        ({"addsearch": {"add_path": "/health"}}, "addsearch.add_path"),
        ({"addsearch": {"add_path": "/search"}}, "addsearch.search_path"),
        ({"addsearch": {"top_k_max": 0}}, "addsearch.top_k_max"),
        ({"addsearch": {"content_parts": "no"}}, "addsearch.content_parts"),
        ({"api_key": "x"}, "api_key"),
        ({"embedding_api_key": "x"}, "embedding_api_key"),
        ({"embedding_model": ""}, "embedding_model"),
        ({"embedding_base_url": 3}, "embedding_base_url"),
        ({"embedding_api_key_env": "GRAPHMEM_ABSENT"}, "embedding_api_key_env"),
        ({"dense": {"in_call_seconds": -1}}, "dense.in_call_seconds"),
        ({"dense": {"in_call_seconds": "20"}}, "dense.in_call_seconds"),
        ({"dense": {"in_call_seconds": float("nan")}}, "dense.in_call_seconds"),
        ({"dense": {"api_key": "x"}}, "dense.api_key"),
        ({"data_dir": ""}, "data_dir"),
        ({"data_dir": 3}, "data_dir"),
        ({"data_dir": "~nobody-of-this-name/x"}, "data_dir"),
        ({"runtime_overrides": {"retrieval": 1}}, "runtime_overrides"),
        ([], "config"),
    ],
)
def test_a_wrong_value_is_named(tmp_path: Path, values: object, field: str) -> None:
    assert _error(tmp_path, values).field == field


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: ServiceConfig(port="8420"), "port"),  # type: ignore[arg-type]
        (lambda: ServiceConfig(data_dir=3), "data_dir"),  # type: ignore[arg-type]
        (lambda: ServiceConfig(dense={}), "dense"),  # type: ignore[arg-type]
        (lambda: ServiceConfig(api_key=b"x"), "api_key"),  # type: ignore[arg-type]
        (lambda: DenseConfig(cache_bytes=-1), "dense.cache_bytes"),
        (lambda: AddSearchConfig(add_path="/search"), "addsearch.search_path"),
        (lambda: replace(ServiceConfig(), host=""), "host"),
    ],
)
def test_settings_built_by_hand_are_checked_alike(make: Callable[[], object], field: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make()
    assert caught.value.field == field


def _recipe(**retrieval: object) -> Recipe:
    return overridden(ServiceConfig(runtime_overrides={"retrieval": retrieval}).runtime_overrides)


def test_overrides_change_the_recipe_key_by_key() -> None:
    assert overridden({}) == DEFAULT
    assert _recipe(dense=1, near=[0.5], strip_names=False) == replace(
        DEFAULT, dense=1.0, near=(0.5,), strip_names=False
    )


@pytest.mark.parametrize(
    ("retrieval", "error"),
    [
        ({"dens": 1}, "runtime_overrides.retrieval.dens: unknown field; .*'dense'"),
        ({"dense": -1}, "runtime_overrides.retrieval.dense: must be a number from 0 to 100"),
        ({"short": 0}, "runtime_overrides.retrieval.short"),
        ({"near": 1}, "runtime_overrides.retrieval.near"),
        ({"b": 1.5}, "runtime_overrides.retrieval.b"),
    ],
)
def test_a_wrong_override_is_named(retrieval: dict[str, object], error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        _recipe(**retrieval)


def test_an_unknown_section_of_overrides_is_named_before_anything_is_opened(
    tmp_path: Path,
) -> None:
    config = ServiceConfig(data_dir=tmp_path / "d", runtime_overrides={"recall": {}})
    with pytest.raises(ConfigError, match=r"runtime_overrides\.recall: .*'retrieval'"):
        MemoryService.open(config=config)
    assert not (tmp_path / "d").exists()


def test_overrides_rule_what_a_service_finds(tmp_path: Path) -> None:
    config = ServiceConfig(
        data_dir=tmp_path,
        dense_retrieval=False,
        runtime_overrides={"retrieval": {"lexical": 2.0, "near": [], "session": 0}},
    )
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", [Message(role="user", content="a choir")])
        (hit,) = service.retrieve("t", "m", "choir").hits
        (plain,) = service.retrieve("t", "m", "choir", recipe=DEFAULT).hits
    assert (hit.score, plain.score) == (2.0, 1.25)


def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="absent"):
        ServiceConfig.load(tmp_path / "absent.json")
    broken = tmp_path / "broken.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(ConfigError, match="not valid JSON"):
        ServiceConfig.load(broken)


@pytest.mark.parametrize(
    ("host", "key", "insecure", "allowed"),
    [
        ("127.0.0.1", None, False, True),
        ("localhost", None, False, True),
        ("::1", None, False, True),
        (EVERYWHERE, None, False, False),
        (EVERYWHERE, "k", False, True),
        (EVERYWHERE, None, True, True),
        ("10.0.0.1", None, False, False),
        ("127.example.org", None, False, False),
    ],
)
def test_a_bind_beyond_loopback_needs_a_key(
    host: str, key: str | None, insecure: bool, allowed: bool
) -> None:
    config = ServiceConfig(host=host, api_key=key, insecure=insecure)
    if allowed:
        config.check_bind()
    else:
        with pytest.raises(ConfigError):
            config.check_bind()


def test_a_file_that_is_nested_too_deeply_is_named(tmp_path: Path) -> None:
    file = tmp_path / "deep.json"
    file.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"deep\.json is nested too deeply"):
        ServiceConfig.load(file)


def test_a_directory_may_be_named_by_a_string() -> None:
    assert ServiceConfig(data_dir="memory").data_dir == Path("memory")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="data_dir: must be a non-blank path"):
        ServiceConfig(data_dir=" ")  # type: ignore[arg-type]


def test_a_tokenizer_in_a_settings_file_may_be_below_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    file = tmp_path / "settings.json"
    file.write_text('{"tokenizer_path": "~/tokenizer.json"}', encoding="utf-8")
    assert ServiceConfig.load(file).tokenizer_path == str(tmp_path / "home" / "tokenizer.json")


def test_another_server_is_not_given_the_key_of_the_first() -> None:
    first = ServiceConfig(
        generate_answers=True,
        answer_model="m",
        answer_base_url="https://one.test/v1",
        answer_api_key="secret",
    )
    assert answered_by(first, base_url="https://two.test/v1").answer_api_key is None
    assert answered_by(first, base_url="https://one.test/v1").answer_api_key == "secret"
    assert answered_by(first, model="n").answer_api_key == "secret"
