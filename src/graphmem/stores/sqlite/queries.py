"""The statements of the store, whole: none is ever put together from pieces."""

from __future__ import annotations

from typing import Final

from graphmem.stores.statements import Statements

FIND_MEMORY: Final = "SELECT ns, buried FROM memories WHERE scope_digest = ?"

INSERT_MEMORY: Final = """
INSERT INTO memories (
    scope_digest, tenant_id, memory_id,
    version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""

SELECT_HEAD: Final = """
SELECT version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
FROM memories WHERE ns = ?
"""

# BLOBs are ordered by their bytes, so that the empty one is before all others.
LIST_MEMORIES: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
FROM memories WHERE tenant_id = ? AND buried = 0 ORDER BY memory_id LIMIT ?
"""

LIST_MEMORIES_AFTER: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
FROM memories WHERE tenant_id = ? AND memory_id > ? AND buried = 0
ORDER BY memory_id LIMIT ?
"""

LIST_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE buried = 0 ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_SCOPES_AFTER: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE (tenant_id, memory_id) > (?, ?) AND buried = 0 ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_GRAVES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE buried = 1 ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_GRAVES_AFTER: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE (tenant_id, memory_id) > (?, ?) AND buried = 1 ORDER BY tenant_id, memory_id LIMIT ?
"""

LIST_PENDING_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE ns IN (SELECT ns FROM pending_vectors WHERE model = ?) ORDER BY tenant_id, memory_id
"""

LIST_SCENE_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE ns IN (SELECT ns FROM scene_jobs WHERE waits = 1) ORDER BY tenant_id, memory_id
"""

LIST_STALE_SCOPES: Final = """
SELECT tenant_id, memory_id FROM memories
WHERE (ready_version < version OR build <> ?) AND buried = 0 ORDER BY tenant_id, memory_id
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
            ready_turns = ?, build = ?, generation = ?,
            erased_turns = ?, erased_sessions = ?
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
    select_requests="""
        SELECT CAST(surface AS BLOB), request_id, payload_digest, version, turns
        FROM requests
        WHERE ns = ? AND (surface, request_digest) > (?, ?)
        ORDER BY surface, request_digest LIMIT ?
    """,
    select_sessions="""
        SELECT session_no, session_id, turns FROM sessions
        WHERE ns = ? AND session_no > ? ORDER BY session_no LIMIT ?
    """,
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
    set_buried="UPDATE memories SET buried = ? WHERE ns = ?",
    select_turn_nos="SELECT turn_no FROM turns WHERE ns = ? ORDER BY turn_no",
    find_turns="""
        SELECT t.turn_no FROM json_each(?2) AS asked
        CROSS JOIN turns AS t ON t.ns = ?1 AND t.turn_id = asked.value
        ORDER BY t.turn_no
    """,
    select_session_turns="""
        SELECT turn_no FROM turns WHERE ns = ? AND session_no = ? ORDER BY turn_no LIMIT ?
    """,
    select_turns_before="""
        SELECT turn_no FROM turns INDEXED BY turns_by_session
        WHERE ns = ? AND recorded_us < ? ORDER BY turn_no
    """,
    delete_turn="DELETE FROM turns WHERE ns = ? AND turn_no = ?",
    delete_session="DELETE FROM sessions WHERE ns = ? AND session_no = ?",
    select_segments_around="""
        SELECT first_turn, turns, version, data FROM segments
        WHERE ns = ? AND first_turn IN (
            SELECT (SELECT max(first_turn) FROM segments WHERE ns = ? AND first_turn <= asked.value)
            FROM json_each(?) AS asked
        )
    """,
    select_vectors_around="""
        SELECT first_turn, turns, version, data FROM vectors
        WHERE ns = ? AND model = ? AND first_turn IN (
            SELECT (
                SELECT max(first_turn) FROM vectors
                WHERE ns = ? AND model = ? AND first_turn <= asked.value
            )
            FROM json_each(?) AS asked
        )
    """,
    select_vector_models="""
        SELECT model FROM vectors WHERE ns = ?
        UNION SELECT model FROM pending_vectors WHERE ns = ? ORDER BY model
    """,
    delete_vectors_at="DELETE FROM vectors WHERE ns = ? AND model = ? AND first_turn = ?",
    delete_all_turns="DELETE FROM turns WHERE ns = ?",
    delete_all_sessions="DELETE FROM sessions WHERE ns = ?",
    delete_all_segments="DELETE FROM segments WHERE ns = ?",
    delete_all_vectors="DELETE FROM vectors WHERE ns = ?",
    delete_all_pending="DELETE FROM pending_vectors WHERE ns = ?",
    select_tombstones="""
        SELECT version, kind, session_id, turn_ids, turns, sessions, deleted_us, erased_us
        FROM tombstones WHERE ns = ? ORDER BY version
    """,
    insert_tombstone="""
        INSERT INTO tombstones (
            ns, version, kind, session_id, turn_ids, turns, sessions, deleted_us, erased_us
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """,
    # Not ordered here, as with segments.
    select_atoms="""
        SELECT atom_no, atom_id, version, is_live, data FROM atoms WHERE ns = ? AND version > ?
    """,
    select_atoms_at="""
        SELECT a.atom_no, a.atom_id, a.version, a.is_live, a.data
        FROM json_each(?2) AS asked
        CROSS JOIN atoms AS a ON a.ns = ?1 AND a.atom_no = asked.value
    """,
    find_atoms="""
        SELECT a.atom_no, a.atom_id, a.version, a.is_live, a.data
        FROM json_each(?2) AS asked
        CROSS JOIN atoms AS a ON a.ns = ?1 AND a.atom_id = asked.value
    """,
    select_last_atom="SELECT max(atom_no) FROM atoms WHERE ns = ?",
    upsert_atom="""
        INSERT INTO atoms (ns, atom_no, atom_id, version, is_live, data)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (ns, atom_no) DO UPDATE SET
            atom_id = excluded.atom_id, version = excluded.version,
            is_live = excluded.is_live, data = excluded.data
    """,
    delete_atom="DELETE FROM atoms WHERE ns = ? AND atom_no = ?",
    select_atom_sources="""
        SELECT a.atom_no, a.turn_no, a.start_at, a.end_at, a.origin
        FROM json_each(?2) AS asked
        CROSS JOIN atom_sources AS a ON a.ns = ?1 AND a.atom_no = asked.value
    """,
    select_sources_in="""
        SELECT a.atom_no, a.turn_no, a.start_at, a.end_at, a.origin
        FROM json_each(?2) AS asked
        CROSS JOIN atom_sources AS a ON a.ns = ?1 AND a.turn_no = asked.value
    """,
    upsert_atom_source="""
        INSERT INTO atom_sources (ns, atom_no, turn_no, start_at, end_at, origin)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (ns, atom_no, turn_no, start_at) DO UPDATE SET
            end_at = excluded.end_at, origin = excluded.origin
    """,
    delete_atom_source="""
        DELETE FROM atom_sources WHERE ns = ? AND atom_no = ? AND turn_no = ? AND start_at = ?
    """,
    delete_sources_of_atom="DELETE FROM atom_sources WHERE ns = ? AND atom_no = ?",
    select_atom_edits="""
        SELECT a.atom_id, a.revision, a.changed_us, a.reason, a.data
        FROM json_each(?2) AS asked
        CROSS JOIN atom_history AS a ON a.ns = ?1 AND a.atom_id = asked.value
    """,
    upsert_atom_edit="""
        INSERT INTO atom_history (ns, atom_id, revision, changed_us, reason, data)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (ns, atom_id, revision) DO UPDATE SET
            changed_us = excluded.changed_us, reason = excluded.reason, data = excluded.data
    """,
    delete_atom_edits="DELETE FROM atom_history WHERE ns = ? AND atom_id = ?",
    delete_all_atoms="DELETE FROM atoms WHERE ns = ?",
    delete_all_atom_sources="DELETE FROM atom_sources WHERE ns = ?",
    delete_all_atom_edits="DELETE FROM atom_history WHERE ns = ?",
    select_scenes="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM scene_jobs WHERE ns = ?
    """,
    select_waiting_scenes="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM scene_jobs WHERE ns = ? AND waits = 1
    """,
    select_scene="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM scene_jobs WHERE ns = ? AND session_no = ? AND scene_no = ?
    """,
    upsert_scene="""
        INSERT INTO scene_jobs (
            ns, session_no, scene_no, turn_nos, told, answer_key, attempts, waits
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (ns, session_no, scene_no) DO UPDATE SET
            turn_nos = excluded.turn_nos, told = excluded.told, answer_key = excluded.answer_key,
            attempts = excluded.attempts, waits = excluded.waits
    """,
    delete_scene="""
        DELETE FROM scene_jobs WHERE ns = ? AND session_no = ? AND scene_no = ?
    """,
    select_answer="""
        SELECT session_no, scene_no, data FROM chat_cache WHERE ns = ? AND answer_key = ?
    """,
    upsert_answer="""
        INSERT INTO chat_cache (ns, answer_key, session_no, scene_no, data)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (ns, answer_key) DO UPDATE SET
            session_no = excluded.session_no, scene_no = excluded.scene_no, data = excluded.data
    """,
    delete_answers="""
        DELETE FROM chat_cache WHERE ns = ? AND session_no = ? AND scene_no = ?
    """,
    select_chat_tokens="SELECT tokens FROM chat_usage WHERE ns = ?",
    add_chat_tokens="""
        INSERT INTO chat_usage (ns, tokens) VALUES (?, ?)
        ON CONFLICT (ns) DO UPDATE SET tokens = chat_usage.tokens + excluded.tokens
    """,
    delete_all_scenes="DELETE FROM scene_jobs WHERE ns = ?",
    delete_all_answers="DELETE FROM chat_cache WHERE ns = ?",
    delete_all_chat_tokens="DELETE FROM chat_usage WHERE ns = ?",
)

# Those of the erasure. Deletions that end while it runs wait for the next one.

COUNT_UNERASED: Final = "SELECT count(*) FROM tombstones WHERE erased_us IS NULL"

LIST_UNERASED: Final = """
SELECT ns, version FROM tombstones WHERE erased_us IS NULL ORDER BY ns, version
"""

SET_ERASED: Final = """
UPDATE tombstones SET erased_us = ? WHERE ns = ? AND version = ?
"""
