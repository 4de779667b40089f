"""Killed at any moment, a store has every acknowledged write and no half of another."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.stores.sqlite import SqliteStore
from tests.stores.children import child
from tests.stores.rows import SCOPE, add, contents, make_head

WRITE_UNTIL_KILLED = """
import sys
from pathlib import Path
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import SCOPE, add_turn

store = SqliteStore.open(Path(sys.argv[1]))
print("opened", flush=True)
while True:
    with store.write(SCOPE) as transaction:
        add_turn(transaction, "x" * 3000)
        version = add_turn(transaction, "y" * 3000)
    print(version, flush=True)
"""

DIE_IN_A_WRITE = """
import sys
from pathlib import Path
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import SCOPE, add, add_turn

store = SqliteStore.open(Path(sys.argv[1]))
add(store, content="acknowledged")
with store.write(SCOPE) as transaction:
    # More than the cache holds, so that pages of the open transaction are in the log already.
    add_turn(transaction, "not acknowledged" * 1_000_000)
    print("in the middle", flush=True)
    sys.stdin.read()
"""


def test_a_kill_in_a_write_leaves_nothing_of_it(tmp_path: Path) -> None:
    with child(DIE_IN_A_WRITE, tmp_path) as process:
        process.kill()
        process.wait()
    assert (tmp_path / "memory.sqlite-wal").stat().st_size > 1_000_000
    with closing(SqliteStore.open(tmp_path)) as store:
        assert contents(store) == ["acknowledged"]
        with store.read(SCOPE) as snapshot:
            assert snapshot.head() == make_head(1, turns=1, sessions=1)
            assert len(snapshot.segments(since=0)) == 1
        add(store, content="next")
        assert contents(store) == ["acknowledged", "next"]


SLOW_MOMENTS = [pytest.param(moment, marks=pytest.mark.slow) for moment in range(0, 300, 17)]


@pytest.mark.parametrize("milliseconds", [100, *SLOW_MOMENTS])
def test_a_kill_at_any_moment_loses_nothing_acknowledged(tmp_path: Path, milliseconds: int) -> None:
    acknowledged = _write_until_killed(tmp_path, milliseconds / 1000)
    with closing(SqliteStore.open(tmp_path)) as store, store.read(SCOPE) as snapshot:
        head = snapshot.head() or make_head(0)
        assert head.version >= acknowledged
        assert head.version % 2 == 0
        turns = snapshot.turns(range(head.version + 2))
        assert [turn.version for turn in turns] == list(range(1, head.version + 1))
        assert len(snapshot.segments(since=0)) == head.turns == head.version


def _write_until_killed(directory: Path, seconds: float) -> int:
    """Give the last version that was acknowledged."""
    with child(WRITE_UNTIL_KILLED, directory) as process:
        time.sleep(seconds)
        process.kill()
        assert process.stdout is not None
        # The last line may have been cut off by the kill.
        lines = process.stdout.read().split("\n")[:-1]
    return int(lines[-1]) if lines else 0
