"""The holder of a data directory: the process that writes there, found without disturbing it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

_LOCK: Final = "memory.lock"
_NOTE: Final = "memory.holder.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A process that holds a directory.

    Attributes:
        pid: its id, None if its note can't be read.
        address: where it serves, None if it does not, or its note can't be read.
    """

    pid: int | None = None
    address: str | None = None


def exists(path: Path) -> bool:
    """Whether there is such a file that this user may know of."""
    try:
        return path.exists()
    except OSError:
        return False


def is_directory(path: Path) -> bool:
    """Whether there is such a directory that this user may know of."""
    return exists(path) and path.is_dir()


def find_holder(directory: Path) -> Holder | None:
    """Who holds the directory; None when nobody does. Opens no database and makes no file."""
    lock = directory / _LOCK
    if not exists(lock):
        return None
    try:
        with FileLock(str(lock), timeout=0, mode=0o600):
            return None
    except Timeout:
        return _read_note(directory / _NOTE)
    except OSError:  # a directory of another user: the note is all there is to go by
        return _read_note(directory / _NOTE) if exists(directory / _NOTE) else None


def _read_note(path: Path) -> Holder:
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Holder()
    match note:
        case {"pid": int(pid), "address": str() | None as address}:
            return Holder(pid=pid, address=address)
    return Holder()
