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
class ServiceConfig:
    """Settings of one service process.

    Attributes:
        data_dir: the directory that holds `memory.sqlite`; created when absent.
        host: address to bind; anything but loopback needs an API key or `insecure`.
        port: TCP port, 0 for a free one.
        insecure: allow a bind beyond loopback without a key (public smoke tests only).
        cache_bytes: the most that compiled views of memories may hold together.
        addsearch: settings of the Add / Search contract.
        api_key: the service secret, from the environment only; None leaves the server open.
    """

    data_dir: Path = DEFAULT_DATA_DIR
    host: str = "127.0.0.1"
    port: int = 8420
    insecure: bool = False
    cache_bytes: int = 512 * 1024 * 1024
    addsearch: AddSearchConfig = field(default_factory=AddSearchConfig)
    api_key: str | None = field(default=None, repr=False)

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
        return replace(config, api_key=os.environ.get(API_KEY_VARIABLE) or None)

    @property
    def is_loopback(self) -> bool:
        """Whether `host` can be reached from this machine only."""
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return self.host == "localhost"

    def check_bind(self) -> None:
        """Refuse to be reachable from outside without a key.

        Raises:
            ConfigError: the bind is not loopback and there is no key and no `insecure`.
        """
        if not (self.is_loopback or self.api_key or self.insecure):
            raise ConfigError(
                "host",
                f"{self.host} can be reached from outside; set {API_KEY_VARIABLE}, "
                "bind to 127.0.0.1, or pass --insecure for a public smoke test",
            )


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
    known = [f.name for f in fields(ServiceConfig) if f.name != "api_key"]
    _refuse_unknown("", values, known)
    given = dict(values)
    section = given.pop("addsearch", {})
    if not isinstance(section, dict):
        raise ConfigError("addsearch", "must be an object")
    addsearch = _build_addsearch(section)
    defaults = ServiceConfig()
    return ServiceConfig(
        data_dir=Path(_text(given, "data_dir", str(defaults.data_dir))),
        host=_text(given, "host", defaults.host),
        port=_whole(given, "port", defaults.port, least=0, most=65_535),
        insecure=_flag(given, "insecure", defaults.insecure),
        cache_bytes=_whole(given, "cache_bytes", defaults.cache_bytes, least=0),
        addsearch=addsearch,
    )


def _build_addsearch(values: Mapping[str, object]) -> AddSearchConfig:
    _refuse_unknown("addsearch.", values, [f.name for f in fields(AddSearchConfig)])
    given = {f"addsearch.{name}": value for name, value in values.items()}
    defaults = AddSearchConfig()
    built = AddSearchConfig(
        add_path=_route(given, "addsearch.add_path", defaults.add_path),
        search_path=_route(given, "addsearch.search_path", defaults.search_path),
        top_k_max=_whole(given, "addsearch.top_k_max", defaults.top_k_max, least=1, most=1000),
        content_parts=_flag(given, "addsearch.content_parts", defaults.content_parts),
        max_body_bytes=_whole(
            given, "addsearch.max_body_bytes", defaults.max_body_bytes, least=1024
        ),
    )
    if built.add_path == built.search_path:
        raise ConfigError("addsearch.search_path", "must differ from addsearch.add_path")
    return built


def _refuse_unknown(prefix: str, values: Mapping[str, object], known: list[str]) -> None:
    for name in values:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)[0]
            raise ConfigError(
                f"{prefix}{name}", f"unknown field; the nearest known one is {near!r}"
            )


def _text(values: Mapping[str, object], name: str, default: str) -> str:
    value = values.get(name, default)
    if not isinstance(value, str) or not value.strip():
        raise ConfigError(name, "must be a non-blank string")
    return value


def _route(values: Mapping[str, object], name: str, default: str) -> str:
    value = _text(values, name, default)
    if not value.startswith("/") or value in {"/", "/health"} or any(c in value for c in "{}?# "):
        raise ConfigError(name, "must be a URL path such as /add")
    return value


def _flag(values: Mapping[str, object], name: str, default: bool) -> bool:  # noqa: FBT001
    value = values.get(name, default)
    if not isinstance(value, bool):
        raise ConfigError(name, "must be true or false")
    return value


def _whole(
    values: Mapping[str, object], name: str, default: int, *, least: int, most: int | None = None
) -> int:
    value = values.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(name, "must be a whole number")
    if value < least or (most is not None and value > most):
        upper = f" and at most {most}" if most is not None else ""
        raise ConfigError(name, f"must be at least {least}{upper}")
    return value
