"""A model's own tokenizer, read from its `tokenizer.json` (extra `tokenizer`)."""

from __future__ import annotations

import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from graphmem.errors import ConfigError
from graphmem.ports.tokens import TokenCounter

_FIELD = "tokenizer_path"


class _Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...


class _Tokenizer(Protocol):
    def encode(self, sequence: str, *, add_special_tokens: bool) -> _Encoding: ...
    def no_truncation(self) -> None: ...
    def no_padding(self) -> None: ...


class ExactTokenCounter:
    """Counts with a tokenizer of the `tokenizers` library."""

    def __init__(self, tokenizer: _Tokenizer, name: str) -> None:
        self._tokenizer = tokenizer
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @property
    def is_approximate(self) -> bool:
        return False

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


def open_tokenizer(path: Path) -> TokenCounter:
    """Read a `tokenizer.json`, or that of a directory; its digest is the counter's name.

    Raises:
        ConfigError: the file can't be read or is none, or the extra is not installed.
    """
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ConfigError(_FIELD, f"can't read {file}: {error.strerror}") from error
    # The library raises bare Exception for a file that it can't use, so it is looked at here first.
    try:
        is_tokenizer = "model" in json.loads(data)
    except (ValueError, TypeError) as error:
        raise ConfigError(_FIELD, f"{file} is not a tokenizer.json") from error
    if not is_tokenizer:
        raise ConfigError(_FIELD, f"{file} is not a tokenizer.json")
    try:
        library = import_module("tokenizers")
    except ImportError as error:
        raise ConfigError(
            _FIELD, "needs the extra: pip install 'graphmem[tokenizer]', or leave it empty"
        ) from error
    tokenizer = cast("_Tokenizer", library.Tokenizer.from_buffer(data))
    tokenizer.no_truncation()  # the file may carry a model's limit
    tokenizer.no_padding()
    return ExactTokenCounter(tokenizer, f"tokenizer:{hashlib.sha256(data).hexdigest()[:12]}")
