"""Any exported cross-encoder: an ONNX file with its `tokenizer.json`."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import (
    ConfigError,
    RerankRefusedError,
    RerankResponseError,
    RerankUnavailableError,
)
from graphmem.providers.exported import (
    MAX_TOKENS,
    TOKENIZER_FILE,
    Encoding,
    Graph,
    ModelFiles,
    Tokenizer,
)

SETTING: Final = "rerank_model"
SCHEME: Final = "onnx:"

_LEAST_ROOM: Final = 16  # tokens that a text must be given, lest the query alone be scored
_CHARACTERS_PER_TOKEN: Final = 16  # more than a piece of such vocabularies has; bounds the reading
_TRIAL_QUERY: Final = "Is it a trial?"
_TRIAL_TEXT: Final = "It is one."


def find_files(name: str) -> ModelFiles:
    """The files of a model by the setting's value: `onnx:` with a directory or an ONNX file.

    The tokenizer of a file stands beside it, or in the directory above, where exports leave it.

    Raises:
        ConfigError: it is no such value, a file is missing, or the extra is not installed.
    """
    if not name.startswith(SCHEME) or name == SCHEME:
        raise ConfigError(
            SETTING, f"must be {SCHEME}DIRECTORY or {SCHEME}FILE of a model, or empty for none"
        )
    path = Path(name.removeprefix(SCHEME)).expanduser()
    files = ModelFiles.in_directory(path, SETTING)
    if path.is_file():
        above = path.parent.parent / TOKENIZER_FILE
        beside = path.parent / TOKENIZER_FILE
        tokenizer = above if above.is_file() and not beside.is_file() else beside
        files = ModelFiles(setting=SETTING, model=path, tokenizer=tokenizer)
    files.check()
    return files


class OnnxReranker:
    """A cross-encoder on one CPU thread a call; loaded by the first call. Thread-safe.

    Pairs run one by one. In a batch the activation ranges of int8 models are shared: logits of the
    MiniLM of docs/benchmarks.md moved by up to 0.6 with their neighbours, and the batch was slower.

    Args:
        files: where the model is.
        max_tokens: of a pair; what is over it is cut from the text, never from the query. A file of
            a tokenizer that names a smaller limit is right.
    """

    def __init__(self, files: ModelFiles, *, max_tokens: int = MAX_TOKENS) -> None:
        self._files = files
        self._max_tokens = max_tokens
        self._lock = threading.Lock()
        self._model: _CrossEncoder | None = None
        self._is_closed = False

    @property
    def name(self) -> str:
        path = self._files.model.resolve()
        return path.parent.name if self._files.model.name == "model.onnx" else path.name

    @property
    def fingerprint(self) -> str:
        try:
            return f"onnx:{self._files.digest(str(self._max_tokens))}"
        except OSError as error:
            raise RerankUnavailableError(
                f"{SETTING}: can't read {self._files.model.parent}: {error.strerror}"
            ) from error

    def score(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        return self._loaded().score(query, texts)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._model = None

    def _loaded(self) -> _CrossEncoder:
        with self._lock:
            if self._is_closed:
                raise RerankUnavailableError("the reranker is closed; open the service again")
            if self._model is None:
                try:
                    self._model = _CrossEncoder(self._files, self._max_tokens)
                except (ConfigError, RerankResponseError) as error:
                    raise RerankUnavailableError(str(error)) from error
            return self._model


class _CrossEncoder:
    """A loaded model, tried on one pair. Thread-safe: neither half is changed after loading."""

    def __init__(self, files: ModelFiles, max_tokens: int) -> None:
        self._tokenizer = files.open_tokenizer()
        self._max_tokens = min(max_tokens, _limit_of(self._tokenizer))
        self._tokenizer.no_truncation()
        self._marks = self._tokenizer.num_special_tokens_to_add(True)  # noqa: FBT003 - not ours
        if not self._marks:
            raise ConfigError(
                SETTING,
                f"{files.tokenizer} marks no pairs, so it is no cross-encoder's; "
                "name the model's own",
            )
        self._graph = Graph(files, output="logits", failure=RerankResponseError)
        self.score(_TRIAL_QUERY, [_TRIAL_TEXT])

    def score(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        asked = self._tokenizer.encode(query, add_special_tokens=False)
        room = self._max_tokens - self._marks - len(asked.ids)
        if room < _LEAST_ROOM:
            raise RerankRefusedError(
                f"the query has {len(asked.ids)} tokens and leaves no room for a text in the "
                f"model's {self._max_tokens}; ask in fewer words"
            )
        return tuple(_score_of(self._graph.run(self._pair(asked, text, room))) for text in texts)

    def _pair(self, asked: Encoding, text: str, room: int) -> Encoding:
        read = text[: room * _CHARACTERS_PER_TOKEN]
        told = self._tokenizer.encode(read, add_special_tokens=False)
        told.truncate(room)
        return self._tokenizer.post_process(asked, told)


def _limit_of(tokenizer: Tokenizer) -> int:
    """The longest pair by the tokenizer's own file; no limit where it says none."""
    limit = (tokenizer.truncation or {}).get("max_length")
    return limit if isinstance(limit, int) else MAX_TOKENS


def _score_of(output: NDArray[np.floating]) -> float:
    """The score of one pair: its logit, or by how much "relevant" is above "irrelevant"."""
    shape = output.shape
    if shape not in {(1,), (1, 1), (1, 2)}:
        sizes = "x".join(map(str, shape))
        raise RerankResponseError(
            f"the model gave an output of shape {sizes} for a pair, not 1, 1x1 or 1x2: it is no "
            f"cross-encoder; name one in {SETTING}"
        )
    values = output.reshape(-1).astype(np.float64)
    score = float(values[-1] - values[0]) if len(values) == 2 else float(values[0])
    if not math.isfinite(score):
        raise RerankResponseError(
            f"the model gave NaN or infinity for a pair; name another export in {SETTING}"
        )
    return score
