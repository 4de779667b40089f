"""Every statement finds its rows by a key that begins with the memory, or the tenant."""

from __future__ import annotations

import re
from dataclasses import asdict
from types import ModuleType

import pytest

from graphmem.stores.sqlite import SqliteStore, queries


def statements_of(module: ModuleType) -> dict[str, str]:
    """All statements of a store by their names."""
    own = {name: value for name, value in vars(module).items() if name.isupper()}
    return asdict(own.pop("STATEMENTS")) | own


STATEMENTS = statements_of(queries)
# A listing of everything walks its key from the beginning, and ends at its limit.
LISTINGS = {
    "LIST_SCOPES": "SCAN memories USING INDEX sqlite_autoindex_memories_2",
    "LIST_GRAVES": "SCAN memories USING INDEX sqlite_autoindex_memories_2",
    "LIST_STALE_SCOPES": "SCAN memories USING INDEX sqlite_autoindex_memories_2",  # once, at open
    "LIST_MODELS": "SCAN models",
    "LIST_KEYS": "SCAN access_keys",
    "LIST_UNERASED": "SCAN tombstones USING INDEX tombstones_unerased",
    "COUNT_UNERASED": "SCAN tombstones USING INDEX tombstones_unerased",
}
# The numbers that a caller asks for are walked one by one, and that is all.
ASKED = "SCAN asked VIRTUAL TABLE INDEX 1:"
# The index holds only what waits, of all memories.
WAITING = "SCAN scene_jobs USING INDEX waiting_scenes"


@pytest.mark.parametrize("name", sorted(set(STATEMENTS) - {"PING", *LISTINGS}))
def test_no_statement_scans_a_table(sqlite: SqliteStore, name: str) -> None:
    steps = plan(sqlite, STATEMENTS[name])
    scans = [step for step in steps if step.startswith("SCAN")]
    assert scans in ([], [WAITING] if name == "LIST_SCENE_SCOPES" else [ASKED]), steps
    keys = {match[1] for step in steps if (match := re.search(r"\((\w+)=\?", step))}
    # Work that waits is also found by its model, over all memories, and only there.
    by_model = {"model"} if "pending_vectors" in STATEMENTS[name] else set()
    by_key = {"key_id"} if "access_keys" in STATEMENTS[name] else set()
    assert keys <= {"ns", "tenant_id", "scope_digest", "rowid"} | by_model | by_key, steps


@pytest.mark.parametrize("name", sorted(LISTINGS))
def test_a_listing_of_everything_walks_a_key(sqlite: SqliteStore, name: str) -> None:
    assert plan(sqlite, STATEMENTS[name]) == [LISTINGS[name]]


def plan(sqlite: SqliteStore, statement: str) -> list[str]:
    """The steps by which SQLite answers a statement."""
    values = [None] * (2 if "?2" in statement else statement.count("?"))
    with sqlite._readers.lend() as connection:
        return [row[3] for row in connection.rows("EXPLAIN QUERY PLAN " + statement, values)]
