"""Verifying looks at a whole database: its pages, its counts, its ids, its segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from graphmem.errors import StoreFormatError
from graphmem.stores.sqlite.connection import Connection

# Takes a segment's bytes and what its memory was built with; raises StoreFormatError for damage.
CheckSegment: TypeAlias = Callable[[bytes, str], object]

# A buried memory is there no more, though its ledger and its tombstones are.
COUNT: Final = """
SELECT (SELECT count(*) FROM memories WHERE buried = 0), (SELECT count(*) FROM turns)
"""
BEFORE_GRAVES: Final = "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM turns)"
GRAVES: Final = "SELECT count(*) FROM pragma_table_info('memories') WHERE name = 'buried'"

MISCOUNTED: Final = """
SELECT count(*) FROM memories AS m WHERE
    turns <> (SELECT count(*) FROM turns AS t WHERE t.ns = m.ns)
    OR sessions <> (SELECT count(*) FROM sessions AS s WHERE s.ns = m.ns)
    OR content_bytes <> (
        SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM turns AS t WHERE t.ns = m.ns
    )
"""

ASTRAY: Final = """
SELECT count(*) FROM atom_sources AS s WHERE
    NOT EXISTS (SELECT 1 FROM atoms AS a WHERE a.ns = s.ns AND a.atom_no = s.atom_no AND a.is_live)
    OR NOT EXISTS (SELECT 1 FROM turns AS t WHERE t.ns = s.ns AND t.turn_no = s.turn_no)
"""

SEGMENTS: Final = "SELECT s.data, m.build FROM segments AS s JOIN memories AS m USING (ns)"

# Each write makes one version, so that a turn's version names the request that brought it.
BROUGHT: Final = """
SELECT m.tenant_id, m.memory_id, t.version, t.turn_id, r.surface, r.request_id, r.turns
FROM turns AS t
JOIN memories AS m ON m.ns = t.ns
LEFT JOIN requests AS r ON r.ns = t.ns AND r.version = t.version
ORDER BY t.ns, t.turn_no
"""


def count(connection: Connection) -> tuple[int, int]:
    """How many memories and turns there are."""
    has_graves = connection.rows(GRAVES) == [(1,)]
    ((memories, turns),) = connection.rows(COUNT if has_graves else BEFORE_GRAVES)
    return memories, turns


def require_sound(connection: Connection, name: str) -> None:
    """Read every page of the database.

    Raises:
        StoreFormatError: one is damaged.
    """
    if connection.rows("PRAGMA quick_check(1)") != [("ok",)]:
        raise _damaged(name, "its pages don't fit together")


def verify(connection: Connection, name: str, check_segment: CheckSegment) -> None:
    """Look at everything that can be checked without knowing what was said.

    Args:
        connection: a connection to the database, of the present schema.
        name: how errors call it.
        check_segment: see `CheckSegment`.

    Raises:
        StoreFormatError: something does not fit; the text says what.
    """
    if connection.rows("PRAGMA integrity_check(1)") != [("ok",)]:
        raise _damaged(name, "its pages or indexes don't fit together")
    if connection.rows("PRAGMA foreign_key_check"):
        raise _damaged(name, "rows refer to rows that are not there")
    if connection.rows(MISCOUNTED) != [(0,)]:
        raise _damaged(name, "a memory does not hold what it counts")
    if connection.rows(ASTRAY) != [(0,)]:
        raise _damaged(name, "an atom stands on words that are not there")
    for data, build in connection.stream(SEGMENTS):
        check_segment(data, build.decode())
    _check_ids(connection, name)


def _check_ids(connection: Connection, name: str) -> None:
    """Compute each turn's id anew from the request that brought it."""
    batch, position = None, 0
    for tenant_id, memory_id, version, turn_id, surface, request_id, turns in connection.stream(
        BROUGHT
    ):
        if request_id is None:
            raise _damaged(name, "a turn has no request that brought it")
        scope = Scope(tenant_id=tenant_id.decode(), memory_id=memory_id.decode())
        batch, before = (scope, version), batch
        position = position if batch == before else 0
        # Turns in between may have been deleted.
        while turn_id != make_turn_id(scope, surface, request_id.decode(), position):
            position += 1
            if position >= turns:
                raise _damaged(name, "a turn's id is not the one that its request gives")
        position += 1


def _damaged(name: str, what: str) -> StoreFormatError:
    return StoreFormatError(f"{name} is damaged: {what}; use another backup")
