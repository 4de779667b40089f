"""Verifying looks at a whole database: its pages, its counts, its ids, its segments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

from graphmem.domain.payload import payload_digest
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn, make_turn_id
from graphmem.errors import StoreFormatError
from graphmem.stores.rows import Row, to_turn
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
SELECT
    t.ns, t.version, m.tenant_id, m.memory_id, r.surface, r.request_id, r.payload_digest, r.turns,
    t.turn_no, t.turn_id, t.session_no, s.session_id, t.position, t.version, t.recorded_us,
    t.occurred_us, t.occurred_offset, t.occurred_precision, t.role, t.speaker, t.listener,
    t.content, t.parts
FROM turns AS t
JOIN memories AS m ON m.ns = t.ns
JOIN sessions AS s ON s.ns = t.ns AND s.session_no = t.session_no
LEFT JOIN requests AS r ON r.ns = t.ns AND r.version = t.version
ORDER BY t.ns, t.turn_no
"""
_OF_REQUEST: Final = 8  # columns before the turn's own
_BATCH: Final = itemgetter(0, 1)


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
    require_as_brought(connection, name)


def require_as_brought(connection: Connection, name: str) -> None:
    """Hold each turn to the request that brought it: its id, and what was said.

    Of a request some of whose turns were deleted only the ids can be checked.

    Raises:
        StoreFormatError: a turn is not what its request brought.
    """
    with closing(connection.stream(BROUGHT)) as stream:
        for _, found in groupby(stream, key=_BATCH):
            _check_batch([*found], name)


def _check_batch(batch: Sequence[Row], name: str) -> None:
    """Of requests that share a version, one brought its turns; others found nothing to delete."""
    by_request: dict[Row, list[Row]] = defaultdict(list)
    for row in batch:
        by_request[tuple(row[2:_OF_REQUEST])].append(row)
    if any(request_id is None for _, _, _, request_id, _, _ in by_request):
        raise _damaged(name, "a turn has no request that brought it")
    for (tenant_id, memory_id, surface, request_id, digest, count), rows in by_request.items():
        turns = [_turn(row, name) for row in rows]
        scope = Scope(tenant_id=tenant_id.decode(), memory_id=memory_id.decode())
        # Turns in between may have been deleted, hence each is looked for behind the one before.
        ids = (make_turn_id(scope, surface, request_id.decode(), at) for at in range(count))
        if not all(turn.turn_id in ids for turn in turns):
            continue
        if len(turns) == count and payload_digest(turns[0].session_id, turns) != digest:
            raise _damaged(name, "a request's messages are not those that it brought")
        return
    raise _damaged(name, "a turn's id is not the one that its request gives")


def _turn(row: Row, name: str) -> Turn:
    try:
        return to_turn(row[_OF_REQUEST:])
    except ValueError as error:
        raise _damaged(name, "a turn can't be read") from error


def _damaged(name: str, what: str) -> StoreFormatError:
    return StoreFormatError(f"{name} is damaged: {what}; restore an intact backup")
