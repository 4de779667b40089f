"""Second processes for the tests: they run a script and can be asked to say when they are there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WAIT = 20
# Scripts may import the helpers of the tests.
_ROOT = Path(__file__).parents[2]


@contextmanager
def child(script: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Run a script until it prints a line; it is killed at the end of the block."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "the child ended without a word"
            yield process
        finally:
            process.kill()


def run_child(script: str, *arguments: str | Path) -> None:
    """Run a script to its end; it must not fail."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=_WAIT, check=False, cwd=_ROOT
    )
    assert done.returncode == 0, done.stderr


HOLD = """
import sys
from pathlib import Path
from graphmem.stores.sqlite import SqliteStore

store = SqliteStore.open(Path(sys.argv[1]), address=sys.argv[2] or None)
print("held", flush=True)
sys.stdin.read()
store.close()
"""
