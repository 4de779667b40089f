"""Any exported sentence encoder: a directory with `model.onnx` and `tokenizer.json`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import ConfigError, EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.ports.embedder import EmbeddingModel, Vectors
from graphmem.providers.embedding.normal import RawVectors, unit_rows
from graphmem.providers.embedding.prefixes import NO_PREFIXES, Prefixes
from graphmem.providers.exported import MAX_TOKENS, Graph, ModelFiles

POOLING_FILE: Final = "1_Pooling/config.json"

_FIELD: Final = "embedding_model"


def check_directory(directory: Path) -> None:
    """Look for what an `OnnxEmbedder` needs, without loading it.

    Raises:
        ConfigError: the extra `onnx` is not installed, or a file is missing.
    """
    _files(directory).check()


def fingerprint_of(
    directory: Path, prefixes: Prefixes = NO_PREFIXES, max_tokens: int = MAX_TOKENS
) -> str:
    """The fingerprint of a directory's model with these options; reads the files, loads nothing."""
    options = [prefixes.query, prefixes.passage, max_tokens, _reads_cls(directory / POOLING_FILE)]
    return f"onnx:{_files(directory).digest(json.dumps(options))}"


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
        files = _files(directory)
        files.check()
        self._prefixes = prefixes
        self._is_cls = _reads_cls(directory / POOLING_FILE)
        self._graph: Graph | None = Graph(
            files, output="sentence_embedding", failure=EmbeddingResponseError
        )
        self._tokenizer = files.open_tokenizer()
        self._tokenizer.enable_truncation(max_tokens)
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
        self._graph = None

    def _embed(self, texts: Sequence[str], prefix: str) -> Vectors:
        empty = np.zeros((0, self._model.dimension), dtype=np.float32)
        return np.concatenate([empty, *(self._embed_one(prefix + text) for text in texts)])

    def _embed_one(self, text: str) -> Vectors:
        if self._graph is None:
            raise EmbeddingUnavailableError("the embedder is closed; open another one")
        encoding = self._tokenizer.encode(text)
        if not encoding.ids:
            raise EmbeddingResponseError("the ONNX model's tokenizer finds nothing in a text")
        return unit_rows(self._pool(self._graph.run(encoding)))

    def _pool(self, output: NDArray[np.floating]) -> RawVectors:
        if output.ndim == 3:
            # One unpadded text: every token counts.
            pooled: RawVectors = output[:, 0] if self._is_cls else output.mean(axis=1)
            return pooled
        if output.ndim == 2:
            return output
        raise EmbeddingResponseError(f"the ONNX model's output has {output.ndim} axes, not 2 or 3")


def _files(directory: Path) -> ModelFiles:
    return ModelFiles.in_directory(directory, _FIELD)


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
