"""Exported models: an ONNX file and a `tokenizer.json`, run on one CPU thread."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ConfigError, ModelError

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
MAX_TOKENS: Final = 512  # what encoders of this kind were trained on
EXTRA: Final = "onnx"

_Integer: TypeAlias = type[np.int64] | type[np.int32]
_KNOWN_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_INTEGERS: Final[Mapping[str, _Integer]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class Slot(Protocol):
    """An input or an output of a graph."""

    @property
    def name(self) -> str:
        """What the graph calls it."""
        ...

    @property
    def type(self) -> str:
        """Such as `tensor(int64)`."""
        ...


class _Session(Protocol):
    def get_inputs(self) -> list[Slot]: ...
    def get_outputs(self) -> list[Slot]: ...
    def run(
        self, outputs: list[str], feed: dict[str, NDArray[np.integer]]
    ) -> list[NDArray[np.floating]]: ...


class Encoding(Protocol):
    """A text, or a pair of texts, as the tokenizer gives it."""

    @property
    def ids(self) -> list[int]:
        """The tokens' numbers."""
        ...

    @property
    def type_ids(self) -> list[int]:
        """To which text of a pair each belongs."""
        ...

    def truncate(self, max_length: int) -> None:
        """Drop what is behind so many tokens."""
        ...


class Tokenizer(Protocol):
    """What is used of a tokenizer of the `tokenizers` library. Thread-safe while it is not changed."""

    @property
    def truncation(self) -> Mapping[str, object] | None:
        """What its file says about the longest text."""
        ...

    def encode(self, sequence: str, *, add_special_tokens: bool = True) -> Encoding:
        """The tokens of a text."""
        ...

    def post_process(self, encoding: Encoding, pair: Encoding) -> Encoding:
        """A pair as one, with the marks that the model knows."""
        ...

    def num_special_tokens_to_add(self, is_pair: bool) -> int:  # noqa: FBT001 - not ours
        """How many marks a text, or a pair, gets."""
        ...

    def enable_truncation(self, max_length: int) -> None:
        """Cut texts to so many tokens."""
        ...

    def no_truncation(self) -> None:
        """Cut nothing."""
        ...

    def no_padding(self) -> None:
        """Fill nothing up."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFiles:
    """Where a model is.

    Attributes:
        setting: the setting that names it, for errors.
        model: the ONNX file; large exports keep their weights beside it.
        tokenizer: the tokenizer's file.
    """

    setting: str
    model: Path
    tokenizer: Path

    @classmethod
    def in_directory(cls, directory: Path, setting: str) -> ModelFiles:
        """The files of a directory that has them under their usual names."""
        return cls(
            setting=setting, model=directory / MODEL_FILE, tokenizer=directory / TOKENIZER_FILE
        )

    def check(self) -> None:
        """Look for what the model needs, without loading it.

        Raises:
            ConfigError: the extra `onnx` is not installed, or a file is missing.
        """
        for module in ("onnxruntime", "tokenizers"):
            require(module, extra=EXTRA, setting=self.setting)
        for file in (self.model, self.tokenizer):
            if not file.is_file():
                raise ConfigError(
                    self.setting,
                    f"the directory {file.parent} holds no {file.name}; name one that does",
                )

    def digest(self, options: str) -> str:
        """What tells this model with these options from all others; reads the files."""
        beside = self.model.parent.glob(f"{self.model.name}*")
        files = sorted({self.model, *beside, self.tokenizer})
        parts = [options]
        for file in files:
            status = file.stat()
            parts.append(_digest_file(file, status.st_size, status.st_mtime_ns))
        return hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()

    def open_tokenizer(self) -> Tokenizer:
        """The tokenizer, without padding and with the truncation that its file says.

        Raises:
            ConfigError: the file is no tokenizer's, or the extra is not installed.
        """
        library = require("tokenizers", extra=EXTRA, setting=self.setting)
        # The package raises bare Exception for a file that it can't use, so it is looked at first.
        try:
            is_one = "model" in json.loads(self.tokenizer.read_text(encoding="utf-8"))
        except (OSError, ValueError, TypeError) as error:
            raise ConfigError(self.setting, f"{self.tokenizer} is not a tokenizer") from error
        if not is_one:
            raise ConfigError(self.setting, f"{self.tokenizer} is not a tokenizer")
        tokenizer: Tokenizer = library.Tokenizer.from_file(str(self.tokenizer))
        tokenizer.no_padding()
        return tokenizer


class Graph:
    """A graph that reads tokens, on one CPU thread. Thread-safe."""

    def __init__(self, files: ModelFiles, *, output: str, failure: type[ModelError]) -> None:
        """Load it.

        Args:
            files: where it is.
            output: the output that is wanted; without one of this name, the first.
            failure: what to raise when a text can't be run.

        Raises:
            ConfigError: the file is no graph that loads here, or none that reads tokens.
        """
        runtime = require("onnxruntime", extra=EXTRA, setting=files.setting)
        self._failure = failure
        self._failures = _failures_of(runtime)
        self._session = _open_session(runtime, files, self._failures)
        self._inputs = check_inputs(self._session.get_inputs(), files.setting)
        self._output = choose_output(self._session.get_outputs(), output)

    def run(self, encoding: Encoding) -> NDArray[np.floating]:
        """The output for one text, or one pair: its first axis has length 1, as a rule."""
        values = {
            "input_ids": encoding.ids,
            "attention_mask": [1] * len(encoding.ids),
            "token_type_ids": encoding.type_ids,
        }
        feed: dict[str, NDArray[np.integer]] = {
            name: np.array([values[name]], dtype=integer) for name, integer in self._inputs.items()
        }
        try:
            (output,) = self._session.run([self._output], feed)
        except self._failures as error:
            raise self._failure(
                "the ONNX model failed on a text; does its tokenizer.json belong to it?"
            ) from error
        return output


def require(module: str, *, extra: str, setting: str) -> ModuleType:
    """A module that only some models need, imported now.

    Raises:
        ConfigError: it is not installed; the error names the extra that brings it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        reason = f"this model needs {module}; install it with: pip install 'graphmem[{extra}]'"
        raise ConfigError(setting, reason) from error


def check_inputs(slots: Iterable[Slot], setting: str) -> dict[str, _Integer]:
    """The inputs of a graph with their types.

    Raises:
        ConfigError: they are not those of a text encoder.
    """
    inputs = {slot.name: _INTEGERS.get(slot.type) for slot in slots}
    if not _KNOWN_INPUTS.issuperset(inputs) or "input_ids" not in inputs:
        raise ConfigError(
            setting, f"the model wants the inputs {sorted(inputs)}; not a text encoder"
        )
    known = {name: integer for name, integer in inputs.items() if integer is not None}
    if len(known) != len(inputs):
        raise ConfigError(setting, "the model's inputs are not integers; not a text encoder")
    return known


def choose_output(slots: Iterable[Slot], wanted: str) -> str:
    """The output of this name, else the first."""
    names = [slot.name for slot in slots]
    return wanted if wanted in names else names[0]


def _failures_of(runtime: ModuleType) -> tuple[type[Exception], ...]:
    """What onnxruntime raises: exceptions without a common root, in its compiled module."""
    names = vars(runtime.capi.onnxruntime_pybind11_state).values()
    own = [kind for kind in names if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, RuntimeError, ValueError)


def _open_session(
    runtime: ModuleType, files: ModelFiles, failures: tuple[type[Exception], ...]
) -> _Session:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    path = str(files.model)
    try:
        session: _Session = runtime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
    except failures as error:
        raise ConfigError(files.setting, f"{path} is not an ONNX model that loads here") from error
    return session


@lru_cache(maxsize=16)
def _digest_file(path: Path, size: int, changed_ns: int) -> str:
    """Digest of a file's content; size and time are there to make the cache forget."""
    digest = hashlib.blake2b(f"{size}".encode(), digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
