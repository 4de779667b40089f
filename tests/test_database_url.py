"""A database URL says where memories are; it holds no password, and wins over a directory by rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem.cli.options import load_config
from graphmem.config import ServiceConfig, placed
from graphmem.errors import ConfigError
from graphmem.service.memory import MemoryService

VARIABLE, WORD = "MEMORIES_PASSWORD", "hunter2"
URL = "postgresql://ada@db.example:5433/memories"


@pytest.mark.parametrize(
    "url",
    [
        URL,
        "postgres://db/x",
        "postgresql:///x?host=/tmp/socket&user=ada",
        "postgresql://ada:@/x?host=/tmp/socket",
        "postgresql://h1:1,h2:2/x?target_session_attrs=read-write",
        "postgresql://[::1]:5432/x",
    ],
)
def test_urls_without_a_password_are_taken(url: str) -> None:
    assert ServiceConfig(database_url=url).database_url == url


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:hunter2@db/x",
        "postgresql://ada:hun/ter2@db/x",
        "postgresql://ada:hun@ter2@db/x",
        "postgresql://ada:hunter2@db/x?sslmode=require",
        "postgresql://db/x?user=ada&password=hunter2",
        "postgresql://db/x?PASSWORD=hunter2",
        "postgresql://db/x?pass%77ord=hunter2",
        "postgresql://db/x?sslpassword=hunter2",
    ],
)
def test_a_password_in_the_url_is_refused_with_its_remedy_and_never_shown(url: str) -> None:
    with pytest.raises(ConfigError, match=r"database_password_env.*PGPASSWORD") as refused:
        ServiceConfig(database_url=url)
    assert refused.value.field == "database_url"
    assert "ter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["memories", "mysql://db/x", "postgresql://ada:hun?ter2@db/x", "postgresql://[::1/x", "  "],
)
def test_what_is_no_url_of_a_database_is_refused_and_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match=r"^database_url: .*write it as postgresql://") as refused:
        ServiceConfig(database_url=url)
    assert "ter2" not in str(refused.value)


def test_people_are_told_the_host_and_the_database_only() -> None:
    assert ServiceConfig(database_url=URL).place == "postgresql://db.example:5433/memories"
    assert ServiceConfig(data_dir=Path("x")).place == "x"


def _file(directory: Path, **values: object) -> Path:
    path = directory / "memory-service.json"
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def test_in_a_file_the_database_wins_over_the_directory(tmp_path: Path) -> None:
    config = ServiceConfig.load(_file(tmp_path, data_dir="d", database_url=URL))
    assert config.place == "postgresql://db.example:5433/memories"


def test_a_place_that_an_option_names_wins_over_both_of_the_file(tmp_path: Path) -> None:
    file = _file(tmp_path, data_dir="d", database_url=URL)
    assert load_config(file, Path("here")).place == "here"
    assert load_config(file, None, "postgresql://db/other").place == "postgresql://db/other"


def test_two_places_at_once_are_refused() -> None:
    for call in (
        lambda: placed(ServiceConfig(), data_dir=Path("x"), database_url=URL),
        lambda: MemoryService.open(data_dir="x", database_url=URL),
    ):
        with pytest.raises(ConfigError, match="name one of the two"):
            call()


def test_the_password_comes_from_the_variable_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, WORD)
    file = _file(tmp_path, database_url=URL, database_password_env=VARIABLE)
    config = ServiceConfig.load(file)
    assert config.database_password == WORD
    assert WORD not in repr(config)
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ConfigError, match=f"{VARIABLE} is not set"):
        ServiceConfig.load(file)


def test_a_password_in_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="database_password_env") as refused:
        ServiceConfig.load(_file(tmp_path, database_url=URL, database_password=WORD))
    assert WORD not in str(refused.value)
