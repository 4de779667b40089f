"""A journal tells, of a process that will be killed, what it asked for and what was answered.

A line is one write to a file: what the process wrote before the kill is there after it.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
from pathlib import Path
from typing import Any

Line = dict[str, Any]


class Journal:
    """Appends lines; shared by the threads of a driver."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    def begin(self, **what: object) -> int:
        """Note what is about to be asked for; the number under which its end is noted."""
        with self._lock:
            number = next(self._numbers)
            self._write(what | {"begin": number})
        return number

    def end(self, number: int) -> None:
        """Note that it was acknowledged."""
        self.note(end=number)

    def note(self, **what: object) -> None:
        """Note anything else."""
        with self._lock:
            self._write(what)

    def _write(self, line: Line) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")


def read_journal(path: Path) -> list[Line]:
    """The lines of a process that was killed; the last may have been cut off by the kill."""
    if not path.exists():
        return []
    whole = path.read_bytes().split(b"\n")[:-1]
    return [json.loads(line) for line in whole]
