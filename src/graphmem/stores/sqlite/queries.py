"""The statements of the store, whole: none is ever put together from pieces."""

from __future__ import annotations

from typing import Final

from graphmem.stores.statements import Statements

FIND_MEMORY: Final = "SELECT ns FROM memories WHERE scope_digest = ?"

INSERT_MEMORY: Final = """
INSERT INTO memories (
    scope_digest, tenant_id, memory_id,
    version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

SELECT_HEAD: Final = """
SELECT version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation
FROM memories WHERE ns = ?
"""

# BLOBs are ordered by their bytes, so that the empty one is before all others.
LIST_MEMORIES: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation
FROM memories WHERE tenant_id = ? ORDER BY memory_id LIMIT ?
"""

LIST_MEMORIES_AFTER: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation
FROM memories WHERE tenant_id = ? AND memory_id > ? ORDER BY memory_id LIMIT ?
"""

LIST_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_SCOPES_AFTER: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE (tenant_id, memory_id) > (?, ?) ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_PENDING_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE ns IN (SELECT ns FROM pending_vectors WHERE model = ?) ORDER BY tenant_id, memory_id
"""

LIST_STALE_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE ready_version < version OR build <> ? ORDER BY tenant_id, memory_id
"""

# CROSS JOIN fixes the order of the loops: each number asked for is one look-up by key.
SELECT_TURNS: Final = """
SELECT
    t.turn_no, t.turn_id, t.session_no, s.session_id, t.position, t.version, t.recorded_us,
    t.occurred_us, t.occurred_offset, t.occurred_precision,
    t.role, t.speaker, t.listener, t.content, t.parts
FROM json_each(?2) AS asked
CROSS JOIN turns AS t ON t.ns = ?1 AND t.turn_no = asked.value
CROSS JOIN sessions AS s ON s.ns = ?1 AND s.session_no = t.session_no
"""

LIST_MODELS: Final = "SELECT fingerprint, name, dimension FROM models ORDER BY fingerprint"

LIST_KEYS: Final = """
SELECT key_id, name, tenants, memories, rights, salt, digest, created_us, revoked_us
FROM access_keys
"""

INSERT_KEY: Final = """
INSERT INTO access_keys (
    key_id, name, tenants, memories, rights, salt, digest, created_us, revoked_us
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

REVOKE_KEY: Final = """
UPDATE access_keys SET revoked_us = ? WHERE key_id = ? AND revoked_us IS NULL
RETURNING key_id
"""

PING: Final = "SELECT count(*) FROM migrations"

# Those of one memory, for the transactions that all SQL stores share.
STATEMENTS: Final = Statements(
    update_head="""
        UPDATE memories SET
            version = ?, ready_version = ?, turns = ?, sessions = ?, content_bytes = ?,
            created_us = ?, updated_us = ?,
            ready_turns = ?, build = ?, generation = ?
        WHERE ns = ?
    """,
    select_session="""
        SELECT session_no, session_id, turns FROM sessions WHERE ns = ? AND session_digest = ?
    """,
    upsert_session="""
        INSERT INTO sessions (ns, session_no, session_digest, session_id, turns)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (ns, session_no) DO UPDATE SET
            session_digest = excluded.session_digest,
            session_id = excluded.session_id,
            turns = excluded.turns
    """,
    insert_turn="""
        INSERT INTO turns (
            ns, turn_no, turn_id, session_no, position, version, recorded_us,
            occurred_us, occurred_offset, occurred_precision,
            role, speaker, listener, content, parts
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    select_request="""
        SELECT request_id, payload_digest, version, turns
        FROM requests WHERE ns = ? AND surface = ? AND request_digest = ?
    """,
    insert_request="""
        INSERT INTO requests (
            ns, surface, request_digest, request_id, payload_digest, version, turns
        ) VALUES (?, ?, ?, ?, ?, ?, ?)
    """,
    # Not ordered here: SQLite would copy all data to sort them.
    select_segments="""
        SELECT first_turn, turns, version, data FROM segments WHERE ns = ? AND version > ?
    """,
    select_segment="""
        SELECT first_turn, turns, version, data FROM segments WHERE ns = ? AND first_turn = ?
    """,
    select_spans="""
        SELECT first_turn, turns FROM segments WHERE ns = ? ORDER BY first_turn
    """,
    insert_segment="""
        INSERT INTO segments (ns, first_turn, turns, version, data) VALUES (?, ?, ?, ?, ?)
    """,
    delete_segment="DELETE FROM segments WHERE ns = ? AND first_turn = ?",
    insert_model="""
        INSERT INTO models (fingerprint, name, dimension) VALUES (?, ?, ?)
        ON CONFLICT (fingerprint) DO NOTHING
    """,
    # Not ordered here, as with segments.
    select_vectors="""
        SELECT first_turn, turns, version, data FROM vectors
        WHERE ns = ? AND model = ? AND version > ?
    """,
    select_vector_spans="""
        SELECT first_turn, turns FROM vectors WHERE ns = ? AND model = ? ORDER BY first_turn
    """,
    insert_vectors="""
        INSERT INTO vectors (ns, model, first_turn, turns, version, data) VALUES (?, ?, ?, ?, ?, ?)
    """,
    delete_other_vectors="DELETE FROM vectors WHERE ns = ? AND model <> ?",
    select_pending="""
        SELECT first_turn, turns FROM pending_vectors WHERE ns = ? AND model = ? ORDER BY first_turn
    """,
    insert_pending="""
        INSERT INTO pending_vectors (ns, model, first_turn, turns) VALUES (?, ?, ?, ?)
    """,
    delete_pending="""
        DELETE FROM pending_vectors WHERE ns = ? AND model = ? AND first_turn = ?
    """,
    delete_other_pending="DELETE FROM pending_vectors WHERE ns = ? AND model <> ?",
)
