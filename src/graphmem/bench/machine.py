"""What machine a measurement was made on, so that a figure can be read."""

from __future__ import annotations

import os
import platform
import re
import sqlite3
from pathlib import Path
from typing import Final

_CPU_INFO: Final = Path("/proc/cpuinfo")
_STATUS: Final = Path("/proc/self/status")


def machine_facts() -> dict[str, object]:
    """CPU, its cores, system, and the versions of Python and SQLite."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }


def resident_mib() -> float | None:
    """Memory that this process holds now, in MiB; None where the system does not tell."""
    return _first_number(_STATUS, r"^VmRSS:\s+(\d+) kB", scale=1024)


def _first_number(path: Path, pattern: str, *, scale: float) -> float | None:
    try:
        found = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    return int(found[1]) / scale if found else None


def _cpu() -> str:
    try:
        text = _CPU_INFO.read_text(encoding="utf-8")
    except OSError:
        text = ""
    named = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return named[1].strip() if named else platform.processor() or "unknown"
