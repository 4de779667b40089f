"""Any exported sentence encoder: a directory with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ConfigError, EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.ports.embedder import EmbeddingModel, Vectors
from graphmem.providers.embedding.extras import require
from graphmem.providers.embedding.normal import RawVectors, unit_rows
from graphmem.providers.embedding.prefixes import NO_PREFIXES, Prefixes

EXTRA: Final = "onnx"
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
MAX_TOKENS: Final = 512  # what encoders of this kind were trained on
POOLING_FILE: Final = "1_Pooling/config.json"

_Integer: TypeAlias = type[np.int64] | type[np.int32]

_FIELD: Final = "embedding_model"
_KNOWN_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_INTEGERS: Final[Mapping[str, _Integer]] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class _Slot(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...


class _Session(Protocol):
    def get_inputs(self) -> list[_Slot]: ...
    def get_outputs(self) -> list[_Slot]: ...
    def run(
        self, outputs: list[str], feed: dict[str, NDArray[np.integer]]
    ) -> list[NDArray[np.floating]]: ...


class _Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...
    @property
    def type_ids(self) -> list[int]: ...


class _Tokenizer(Protocol):
    def encode(self, text: str) -> _Encoding: ...
    def enable_truncation(self, max_length: int) -> None: ...
    def no_padding(self) -> None: ...


def check_directory(directory: Path) -> None:
    """Look for what an `OnnxEmbedder` needs, without loading it.

    Raises:
        ConfigError: the extra `onnx` is not installed, or a file is missing.
    """
    for module in ("onnxruntime", "tokenizers"):
        require(module, extra=EXTRA)
    for name in (MODEL_FILE, TOKENIZER_FILE):
        if not (directory / name).is_file():
            raise ConfigError(_FIELD, f"the directory {directory} holds no {name}")


def fingerprint_of(
    directory: Path, prefixes: Prefixes = NO_PREFIXES, max_tokens: int = MAX_TOKENS
) -> str:
    """The fingerprint of a directory's model with these options; reads the files, loads nothing."""
    options = [prefixes.query, prefixes.passage, max_tokens, _reads_cls(directory / POOLING_FILE)]
    return f"onnx:{_digest(directory, json.dumps(options))}"


class OnnxEmbedder:
    """A local encoder on one CPU thread. Not thread-safe.

    Texts run one by one: padding, and the activation ranges of int8 models, would let a text's
    vector depend on its neighbours, and on one thread a batch gains nothing.
    """

    def __init__(
        self,
        directory: Path,
        *,
        prefixes: Prefixes = NO_PREFIXES,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        """Load the model and try it on one text.

        Args:
            directory: holds `model.onnx` and `tokenizer.json`; mean pooling, unless a
                `1_Pooling/config.json` (of sentence-transformers) says cls.
            prefixes: put before every text.
            max_tokens: longer texts are cut to this many.

        Raises:
            ConfigError: the extra `onnx` is missing, or the directory holds no such model.
            EmbeddingResponseError: the model gives no vector for the trial text.
        """
        check_directory(directory)
        self._prefixes = prefixes
        self._is_cls = _reads_cls(directory / POOLING_FILE)
        runtime = require("onnxruntime", extra=EXTRA)
        self._failures = _failures_of(runtime)
        self._session: _Session | None = _open_session(runtime, directory, self._failures)
        self._inputs = _check_inputs(self._session.get_inputs())
        self._output = _choose_output(self._session.get_outputs())
        self._tokenizer = _open_tokenizer(directory, max_tokens)
        self._model = EmbeddingModel(
            name=directory.resolve().name,
            dimension=self._embed_one("dimension").shape[1],
            fingerprint=fingerprint_of(directory, prefixes, max_tokens),
        )

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._prefixes.passage)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._prefixes.query)

    def close(self) -> None:
        self._session = None

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        empty = np.zeros((0, self._model.dimension), dtype=np.float32)
        return np.concatenate([empty, *(self._embed_one(prefix + text) for text in texts)])

    def _embed_one(self, text: str) -> Vectors:
        if self._session is None:
            raise EmbeddingUnavailableError("the embedder is closed; open another one")
        encoding = self._tokenizer.encode(text)
        if not encoding.ids:
            raise EmbeddingResponseError("the ONNX model's tokenizer finds nothing in a text")
        try:
            (output,) = self._session.run([self._output], self._feed(encoding))
        except self._failures as error:
            raise EmbeddingResponseError("the ONNX model failed on a text") from error
        return unit_rows(self._pool(output))

    def _feed(self, encoding: _Encoding) -> dict[str, NDArray[np.integer]]:
        values = {
            "input_ids": encoding.ids,
            "attention_mask": [1] * len(encoding.ids),
            "token_type_ids": encoding.type_ids,
        }
        return {
            name: np.array([values[name]], dtype=integer) for name, integer in self._inputs.items()
        }

    def _pool(self, output: NDArray[np.floating]) -> RawVectors:
        if output.ndim == 3:
            # One unpadded text: every token counts.
            pooled: RawVectors = output[:, 0] if self._is_cls else output.mean(axis=1)
            return pooled
        if output.ndim == 2:
            return output
        raise EmbeddingResponseError(f"the ONNX model's output has {output.ndim} axes, not 2 or 3")


def _failures_of(runtime: ModuleType) -> tuple[type[Exception], ...]:
    """What onnxruntime raises: exceptions without a common root, in its compiled module."""
    names = vars(runtime.capi.onnxruntime_pybind11_state).values()
    own = [kind for kind in names if isinstance(kind, type) and issubclass(kind, Exception)]
    return (*own, RuntimeError, ValueError)


def _open_session(
    runtime: ModuleType, directory: Path, failures: tuple[type[Exception], ...]
) -> _Session:
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    path = str(directory / MODEL_FILE)
    try:
        session: _Session = runtime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
    except failures as error:
        raise ConfigError(_FIELD, f"{path} is not an ONNX model that loads here") from error
    return session


def _open_tokenizer(directory: Path, max_tokens: int) -> _Tokenizer:
    path = str(directory / TOKENIZER_FILE)
    tokenizers = require("tokenizers", extra=EXTRA)
    # The package raises bare Exception for a file that it can't use, so it is looked at here first.
    try:
        is_tokenizer = "model" in json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(_FIELD, f"{path} is not a tokenizer") from error
    if not is_tokenizer:
        raise ConfigError(_FIELD, f"{path} is not a tokenizer")
    tokenizer: _Tokenizer = tokenizers.Tokenizer.from_file(path)
    tokenizer.enable_truncation(max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _check_inputs(slots: Iterable[_Slot]) -> dict[str, _Integer]:
    inputs = {slot.name: _INTEGERS.get(slot.type) for slot in slots}
    if not _KNOWN_INPUTS.issuperset(inputs) or "input_ids" not in inputs:
        raise ConfigError(
            _FIELD, f"the model wants the inputs {sorted(inputs)}; not a text encoder"
        )
    known = {name: integer for name, integer in inputs.items() if integer is not None}
    if len(known) != len(inputs):
        raise ConfigError(_FIELD, "the model's inputs are not integers; not a text encoder")
    return known


def _choose_output(slots: Iterable[_Slot]) -> str:
    names = [slot.name for slot in slots]
    return "sentence_embedding" if "sentence_embedding" in names else names[0]


def _reads_cls(path: Path) -> bool:
    """Whether the pooling file asks for the first token; False (mean) where there is no file."""
    if not path.is_file():
        return False
    try:
        modes = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(_FIELD, f"{path} is not valid JSON") from error
    wanted = [name for name, value in modes.items() if name.startswith("pooling_mode") and value]
    if wanted not in (["pooling_mode_cls_token"], ["pooling_mode_mean_tokens"]):
        raise ConfigError(_FIELD, f"{path} asks for {wanted}; known are mean and cls alone")
    return wanted == ["pooling_mode_cls_token"]


def _digest(directory: Path, options: str) -> str:
    # With `model.onnx_data`, where large exports keep their weights.
    files = sorted([*directory.glob(f"{MODEL_FILE}*"), directory / TOKENIZER_FILE])
    parts = [options]
    for file in files:
        status = file.stat()
        parts.append(_digest_file(file, status.st_size, status.st_mtime_ns))
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()


@lru_cache(maxsize=16)
def _digest_file(path: Path, size: int, changed_ns: int) -> str:
    """Digest of a file's content; size and time are there to make the cache forget."""
    digest = hashlib.blake2b(f"{size}".encode(), digest_size=16)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
