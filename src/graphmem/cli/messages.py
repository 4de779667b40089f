"""Reads messages from JSON Lines, one object a line, as `graphmem add --file` takes them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Final

from graphmem.domain.message import Message
from graphmem.errors import InvalidInputError

_FIELDS: Final = ("role", "content", "speaker", "listener", "timestamp")


def read_source(path: Path) -> bytes:
    """The bytes of a file, or of stdin for `-`.

    Raises:
        InvalidInputError: the file can't be read.
    """
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidInputError("file", f"can't read {path}: {error.strerror}") from error


def parse_messages(data: bytes, defaults: Message) -> list[Message]:
    """The messages of all lines that are not blank.

    Args:
        data: JSON Lines in UTF-8.
        defaults: gives the role, speaker and timestamp of lines that state none.

    Raises:
        InvalidInputError: a line is wrong; the error names it.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInputError("file", f"is not UTF-8 at byte {error.start}") from error
    lines = enumerate(text.split("\n"), start=1)
    return [_message(number, line, defaults) for number, line in lines if line.strip()]


def _message(number: int, line: str, defaults: Message) -> Message:
    try:
        values = json.loads(line)
    except ValueError as error:
        raise InvalidInputError(f"line {number}", f"is not valid JSON: {error}") from error
    except RecursionError:
        raise InvalidInputError(f"line {number}", "is nested too deeply; flatten it") from None
    if not isinstance(values, dict):
        raise InvalidInputError(f"line {number}", "must be an object with at least `content`")
    for name in values:
        if name not in _FIELDS:
            known = ", ".join(_FIELDS)
            raise InvalidInputError(f"line {number}.{name}", f"unknown field; known are {known}")
    if values.get("content") is None:
        raise InvalidInputError(f"line {number}.content", "is missing")
    texts = {name: _text(number, name, value) for name, value in values.items()}
    return Message(
        role=texts.get("role") or defaults.role,
        content=texts["content"] or "",
        speaker=texts.get("speaker") or defaults.speaker,
        listener=texts.get("listener"),
        timestamp=texts.get("timestamp") or defaults.timestamp,
    )


def _text(number: int, name: str, value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"line {number}.{name}", "must be a string")
    return value
