"""Reads an evidence set from a file, whatever its format: the shape tells."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from graphmem.bench.evidence import EvidenceSet
from graphmem.bench.formats import locomo, longmemeval, native
from graphmem.bench.node import Node
from graphmem.errors import InvalidInputError

_FORMATS: Final = (
    (native.matches, native.read),
    (locomo.matches, locomo.read),
    (longmemeval.matches, longmemeval.read),
)


def load(path: str | os.PathLike[str]) -> EvidenceSet:
    """Read an evidence set in our format, original LoCoMo or original LongMemEval.

    Raises:
        InvalidInputError: the file can't be read, has none of these formats, or one of its
            fields is wrong; the error names the field.
    """
    top = Node(_read_json(Path(path)), "", Path(path).name)
    for matches, read in _FORMATS:
        if matches(top):
            return read(top)
    raise top.fail(
        "is no known evidence set; known are an object with `memories` (ours), an array of "
        "objects with `conversation` (LoCoMo), and one with `haystack_sessions` (LongMemEval)"
    )


def _read_json(path: Path) -> object:
    try:
        value: object = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidInputError("file", f"can't read {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInputError("file", f"{path} is not valid JSON: {error}") from error
    return value
