"""The statements of the store, whole: none is ever put together from pieces."""

from __future__ import annotations

from typing import Final

from graphmem.stores.statements import Statements

# A reader's snapshot is fixed by its first query. A writer needs none: nobody else writes to its
# memory while it holds the memory's lock, and it must see what was committed while it waited.
BEGIN_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"

BEGIN_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"

# Half a minute is far more than any statement needs, the wait for a memory's lock included. A
# process that stopped in the middle of a write frees its memory after a minute. A database or a
# role that was set to lose commits in a crash is overruled.
PREPARE_SESSION: Final = """
SELECT
    set_config('statement_timeout', '30s', false),
    set_config('idle_in_transaction_session_timeout', '60s', false),
    set_config(
        'synchronous_commit',
        CASE current_setting('synchronous_commit')
            WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit')
        END,
        false
    )
"""

WAIT_FOR_EVER: Final = "SET LOCAL statement_timeout = 0"

# Two numbers are a key of their own kind, which no memory's lock can be; "grme".
LOCK_SCHEMA: Final = "SELECT pg_advisory_xact_lock(1735552357, 1)"

# A memory that a call builds is claimed by two numbers, too, and shared, so that nobody waits.
CLAIM: Final = "SELECT pg_advisory_lock_shared(%s::int, %s::int)"

RELEASE: Final = "SELECT pg_advisory_unlock_shared(%s::int, %s::int)"

IS_CLAIMED: Final = """
SELECT EXISTS (
    SELECT FROM pg_catalog.pg_locks
    WHERE locktype = 'advisory' AND objsubid = 2 AND classid = %s::int AND objid = %s::int
        AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())
        AND pid <> pg_backend_pid()
)
"""

LOCK_MEMORY: Final = "SELECT pg_advisory_xact_lock(%s)"

# Not by to_regclass and the like: within one transaction they may not notice what another process
# made while this one waited for its lock.
HAS_SCHEMA: Final = """
SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'graphmem')
"""

MAKE_SCHEMA: Final = "CREATE SCHEMA graphmem"

HAS_MIGRATIONS: Final = """
SELECT EXISTS (
    SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'graphmem' AND tablename = 'migrations'
)
"""

LAST_MIGRATION: Final = "SELECT coalesce(max(number), 0) FROM graphmem.migrations"

RECORD_MIGRATION: Final = "INSERT INTO graphmem.migrations (number, name) VALUES (%s, %s)"

FIND_MEMORY: Final = """
SELECT version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions, buried
FROM graphmem.memories WHERE ns = %s AND tenant_id = %s AND memory_id = %s
"""

INSERT_MEMORY: Final = """
INSERT INTO graphmem.memories (
    ns, tenant_id, memory_id,
    version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""

# An id's first 1,200 bytes, by which the index goes, order it like all of it, up to ties.
LIST_MEMORIES: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
FROM graphmem.memories
WHERE substring(tenant_id, 1, 1200) = substring(%s, 1, 1200) AND tenant_id = %s AND NOT buried
ORDER BY substring(memory_id, 1, 1200), memory_id LIMIT %s
"""

LIST_MEMORIES_AFTER: Final = """
SELECT memory_id, version, ready_version, turns, sessions, content_bytes, created_us, updated_us,
    ready_turns, build, generation, erased_turns, erased_sessions
FROM graphmem.memories
WHERE substring(tenant_id, 1, 1200) = substring(%s, 1, 1200) AND tenant_id = %s
    AND substring(memory_id, 1, 1200) >= substring(%s, 1, 1200) AND memory_id > %s AND NOT buried
ORDER BY substring(memory_id, 1, 1200), memory_id LIMIT %s
"""

LIST_SCOPES: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories WHERE NOT buried
ORDER BY substring(tenant_id, 1, 1200), tenant_id, substring(memory_id, 1, 1200), memory_id
LIMIT %s
"""

LIST_SCOPES_AFTER_TENANT: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories
WHERE substring(tenant_id, 1, 1200) >= substring(%s, 1, 1200) AND tenant_id > %s AND NOT buried
ORDER BY substring(tenant_id, 1, 1200), tenant_id, substring(memory_id, 1, 1200), memory_id
LIMIT %s
"""

LIST_GRAVES: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories
WHERE substring(tenant_id, 1, 1200) >= substring(%s, 1, 1200)
    AND (tenant_id, memory_id) > (%s, %s) AND buried
ORDER BY substring(tenant_id, 1, 1200), tenant_id, substring(memory_id, 1, 1200), memory_id
LIMIT %s
"""

LIST_PENDING_SCOPES: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories
WHERE ns IN (SELECT ns FROM graphmem.pending_vectors WHERE model = %s)
ORDER BY tenant_id, memory_id
"""

LIST_SCENE_SCOPES: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories
WHERE ns IN (SELECT ns FROM graphmem.scene_jobs WHERE waits) ORDER BY tenant_id, memory_id
"""

LIST_STALE_SCOPES: Final = """
SELECT tenant_id, memory_id FROM graphmem.memories
WHERE (ready_version < version OR build <> %s) AND NOT buried ORDER BY tenant_id, memory_id
"""

SELECT_TURNS: Final = """
SELECT
    t.turn_no, t.turn_id, t.session_no, s.session_id, t.position, t.version, t.recorded_us,
    t.occurred_us, t.occurred_offset, t.occurred_precision,
    t.role, t.speaker, t.listener, t.content, t.parts
FROM graphmem.turns AS t
JOIN graphmem.sessions AS s ON s.ns = t.ns AND s.session_no = t.session_no
WHERE t.ns = %s AND t.turn_no = ANY (%s)
"""

LIST_MODELS: Final = "SELECT fingerprint, name, dimension FROM graphmem.models ORDER BY fingerprint"

LIST_KEYS: Final = """
SELECT key_id, name, tenants, memories, rights, salt, digest, created_us, revoked_us
FROM graphmem.access_keys
"""

INSERT_KEY: Final = """
INSERT INTO graphmem.access_keys (
    key_id, name, tenants, memories, rights, salt, digest, created_us, revoked_us
) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
"""

REVOKE_KEY: Final = """
UPDATE graphmem.access_keys SET revoked_us = %s WHERE key_id = %s AND revoked_us IS NULL
RETURNING key_id
"""

PING: Final = "SELECT count(*) FROM graphmem.migrations"

# Those of one memory, for the transactions that all SQL stores share.
STATEMENTS: Final = Statements(
    update_head="""
        UPDATE graphmem.memories SET
            version = %s, ready_version = %s, turns = %s, sessions = %s, content_bytes = %s,
            created_us = %s, updated_us = %s,
            ready_turns = %s, build = %s, generation = %s,
            erased_turns = %s, erased_sessions = %s
        WHERE ns = %s
    """,
    select_session="""
        SELECT session_no, session_id, turns FROM graphmem.sessions
        WHERE ns = %s AND session_digest = %s
    """,
    upsert_session="""
        INSERT INTO graphmem.sessions (ns, session_no, session_digest, session_id, turns)
        VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (ns, session_no) DO UPDATE SET
            session_digest = excluded.session_digest,
            session_id = excluded.session_id,
            turns = excluded.turns
    """,
    insert_turn="""
        INSERT INTO graphmem.turns (
            ns, turn_no, turn_id, session_no, position, version, recorded_us,
            occurred_us, occurred_offset, occurred_precision,
            role, speaker, listener, content, parts
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
    """,
    select_request="""
        SELECT request_id, payload_digest, version, turns
        FROM graphmem.requests WHERE ns = %s AND surface = %s AND request_digest = %s
    """,
    insert_request="""
        INSERT INTO graphmem.requests (
            ns, surface, request_digest, request_id, payload_digest, version, turns
        ) VALUES (%s, %s, %s, %s, %s, %s, %s)
    """,
    select_requests="""
        SELECT surface, request_id, payload_digest, version, turns FROM graphmem.requests
        WHERE ns = %s AND (surface, request_digest) > (%s, %s)
        ORDER BY surface, request_digest LIMIT %s
    """,
    select_sessions="""
        SELECT session_no, session_id, turns FROM graphmem.sessions
        WHERE ns = %s AND session_no > %s ORDER BY session_no LIMIT %s
    """,
    select_segments="""
        SELECT first_turn, turns, version, data FROM graphmem.segments
        WHERE ns = %s AND version > %s ORDER BY first_turn
    """,
    select_segment="""
        SELECT first_turn, turns, version, data FROM graphmem.segments
        WHERE ns = %s AND first_turn = %s
    """,
    select_spans="""
        SELECT first_turn, turns FROM graphmem.segments WHERE ns = %s ORDER BY first_turn
    """,
    insert_segment="""
        INSERT INTO graphmem.segments (ns, first_turn, turns, version, data)
        VALUES (%s, %s, %s, %s, %s)
    """,
    delete_segment="DELETE FROM graphmem.segments WHERE ns = %s AND first_turn = %s",
    insert_model="""
        INSERT INTO graphmem.models (fingerprint, name, dimension) VALUES (%s, %s, %s)
        ON CONFLICT (fingerprint) DO NOTHING
    """,
    select_vectors="""
        SELECT first_turn, turns, version, data FROM graphmem.vectors
        WHERE ns = %s AND model = %s AND version > %s ORDER BY first_turn
    """,
    select_vector_spans="""
        SELECT first_turn, turns FROM graphmem.vectors
        WHERE ns = %s AND model = %s ORDER BY first_turn
    """,
    insert_vectors="""
        INSERT INTO graphmem.vectors (ns, model, first_turn, turns, version, data)
        VALUES (%s, %s, %s, %s, %s, %s)
    """,
    delete_other_vectors="DELETE FROM graphmem.vectors WHERE ns = %s AND model <> %s",
    select_pending="""
        SELECT first_turn, turns FROM graphmem.pending_vectors
        WHERE ns = %s AND model = %s ORDER BY first_turn
    """,
    insert_pending="""
        INSERT INTO graphmem.pending_vectors (ns, model, first_turn, turns) VALUES (%s, %s, %s, %s)
    """,
    delete_pending="""
        DELETE FROM graphmem.pending_vectors WHERE ns = %s AND model = %s AND first_turn = %s
    """,
    delete_other_pending="DELETE FROM graphmem.pending_vectors WHERE ns = %s AND model <> %s",
    set_buried="UPDATE graphmem.memories SET buried = %s WHERE ns = %s",
    select_turn_nos="SELECT turn_no FROM graphmem.turns WHERE ns = %s ORDER BY turn_no",
    find_turns="""
        SELECT turn_no FROM graphmem.turns WHERE ns = %s AND turn_id = ANY (%s) ORDER BY turn_no
    """,
    select_session_turns="""
        SELECT turn_no FROM graphmem.turns WHERE ns = %s AND session_no = %s ORDER BY turn_no LIMIT %s
    """,
    select_turns_before="""
        SELECT turn_no FROM graphmem.turns
        WHERE ns = %s AND recorded_us < %s ORDER BY turn_no
    """,
    delete_turn="DELETE FROM graphmem.turns WHERE ns = %s AND turn_no = %s",
    delete_session="DELETE FROM graphmem.sessions WHERE ns = %s AND session_no = %s",
    select_segments_around="""
        SELECT first_turn, turns, version, data FROM graphmem.segments
        WHERE ns = %s AND first_turn IN (
            SELECT (SELECT max(first_turn) FROM graphmem.segments WHERE ns = %s AND first_turn <= asked.value)
            FROM unnest(%s::bigint[]) AS asked (value)
        ) ORDER BY first_turn
    """,
    select_vectors_around="""
        SELECT first_turn, turns, version, data FROM graphmem.vectors
        WHERE ns = %s AND model = %s AND first_turn IN (
            SELECT (
                SELECT max(first_turn) FROM graphmem.vectors
                WHERE ns = %s AND model = %s AND first_turn <= asked.value
            )
            FROM unnest(%s::bigint[]) AS asked (value)
        ) ORDER BY first_turn
    """,
    select_vector_models="""
        SELECT model FROM graphmem.vectors WHERE ns = %s
        UNION SELECT model FROM graphmem.pending_vectors WHERE ns = %s ORDER BY model
    """,
    delete_vectors_at="DELETE FROM graphmem.vectors WHERE ns = %s AND model = %s AND first_turn = %s",
    delete_all_turns="DELETE FROM graphmem.turns WHERE ns = %s",
    delete_all_sessions="DELETE FROM graphmem.sessions WHERE ns = %s",
    delete_all_segments="DELETE FROM graphmem.segments WHERE ns = %s",
    delete_all_vectors="DELETE FROM graphmem.vectors WHERE ns = %s",
    delete_all_pending="DELETE FROM graphmem.pending_vectors WHERE ns = %s",
    select_tombstones="""
        SELECT version, kind, session_id, turn_ids, turns, sessions, deleted_us, erased_us
        FROM graphmem.tombstones WHERE ns = %s ORDER BY version
    """,
    insert_tombstone="""
        INSERT INTO graphmem.tombstones (
            ns, version, kind, session_id, turn_ids, turns, sessions, deleted_us, erased_us
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
    """,
    # Not ordered here, as with segments.
    select_atoms="""
        SELECT atom_no, atom_id, version, is_live, data FROM graphmem.atoms WHERE ns = %s AND version > %s
    """,
    select_atoms_at="""
        SELECT a.atom_no, a.atom_id, a.version, a.is_live, a.data
        FROM graphmem.atoms AS a
        WHERE a.ns = %s AND a.atom_no = ANY(%s::bigint[])
    """,
    find_atoms="""
        SELECT a.atom_no, a.atom_id, a.version, a.is_live, a.data
        FROM graphmem.atoms AS a
        WHERE a.ns = %s AND a.atom_id = ANY(%s::bytea[])
    """,
    select_last_atom="SELECT max(atom_no) FROM graphmem.atoms WHERE ns = %s",
    upsert_atom="""
        INSERT INTO graphmem.atoms (ns, atom_no, atom_id, version, is_live, data)
        VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (ns, atom_no) DO UPDATE SET
            atom_id = excluded.atom_id, version = excluded.version,
            is_live = excluded.is_live, data = excluded.data
    """,
    delete_atom="DELETE FROM graphmem.atoms WHERE ns = %s AND atom_no = %s",
    select_atom_sources="""
        SELECT a.atom_no, a.turn_no, a.start_at, a.end_at, a.origin
        FROM graphmem.atom_sources AS a
        WHERE a.ns = %s AND a.atom_no = ANY(%s::bigint[])
    """,
    select_sources_in="""
        SELECT a.atom_no, a.turn_no, a.start_at, a.end_at, a.origin
        FROM graphmem.atom_sources AS a
        WHERE a.ns = %s AND a.turn_no = ANY(%s::bigint[])
    """,
    upsert_atom_source="""
        INSERT INTO graphmem.atom_sources (ns, atom_no, turn_no, start_at, end_at, origin)
        VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (ns, atom_no, turn_no, start_at) DO UPDATE SET
            end_at = excluded.end_at, origin = excluded.origin
    """,
    delete_atom_source="""
        DELETE FROM graphmem.atom_sources WHERE ns = %s AND atom_no = %s AND turn_no = %s AND start_at = %s
    """,
    delete_sources_of_atom="DELETE FROM graphmem.atom_sources WHERE ns = %s AND atom_no = %s",
    select_atom_edits="""
        SELECT a.atom_id, a.revision, a.changed_us, a.reason, a.data
        FROM graphmem.atom_history AS a
        WHERE a.ns = %s AND a.atom_id = ANY(%s::bytea[])
    """,
    upsert_atom_edit="""
        INSERT INTO graphmem.atom_history (ns, atom_id, revision, changed_us, reason, data)
        VALUES (%s, %s, %s, %s, %s, %s)
        ON CONFLICT (ns, atom_id, revision) DO UPDATE SET
            changed_us = excluded.changed_us, reason = excluded.reason, data = excluded.data
    """,
    delete_atom_edits="DELETE FROM graphmem.atom_history WHERE ns = %s AND atom_id = %s",
    delete_all_atoms="DELETE FROM graphmem.atoms WHERE ns = %s",
    delete_all_atom_sources="DELETE FROM graphmem.atom_sources WHERE ns = %s",
    delete_all_atom_edits="DELETE FROM graphmem.atom_history WHERE ns = %s",
    select_scenes="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM graphmem.scene_jobs WHERE ns = %s
    """,
    select_waiting_scenes="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM graphmem.scene_jobs WHERE ns = %s AND waits
    """,
    select_scene="""
        SELECT session_no, scene_no, turn_nos, told, answer_key, attempts
        FROM graphmem.scene_jobs WHERE ns = %s AND session_no = %s AND scene_no = %s
    """,
    upsert_scene="""
        INSERT INTO graphmem.scene_jobs (
            ns, session_no, scene_no, turn_nos, told, answer_key, attempts, waits
        ) VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (ns, session_no, scene_no) DO UPDATE SET
            turn_nos = excluded.turn_nos, told = excluded.told, answer_key = excluded.answer_key,
            attempts = excluded.attempts, waits = excluded.waits
    """,
    delete_scene="""
        DELETE FROM graphmem.scene_jobs WHERE ns = %s AND session_no = %s AND scene_no = %s
    """,
    select_answer="""
        SELECT session_no, scene_no, data FROM graphmem.chat_cache WHERE ns = %s AND answer_key = %s
    """,
    upsert_answer="""
        INSERT INTO graphmem.chat_cache (ns, answer_key, session_no, scene_no, data)
        VALUES (%s, %s, %s, %s, %s)
        ON CONFLICT (ns, answer_key) DO UPDATE SET
            session_no = excluded.session_no, scene_no = excluded.scene_no, data = excluded.data
    """,
    delete_answers="""
        DELETE FROM graphmem.chat_cache WHERE ns = %s AND session_no = %s AND scene_no = %s
    """,
    select_chat_tokens="SELECT tokens FROM graphmem.chat_usage WHERE ns = %s",
    add_chat_tokens="""
        INSERT INTO graphmem.chat_usage (ns, tokens) VALUES (%s, %s)
        ON CONFLICT (ns) DO UPDATE SET tokens = graphmem.chat_usage.tokens + excluded.tokens
    """,
    delete_all_scenes="DELETE FROM graphmem.scene_jobs WHERE ns = %s",
    delete_all_answers="DELETE FROM graphmem.chat_cache WHERE ns = %s",
    delete_all_chat_tokens="DELETE FROM graphmem.chat_usage WHERE ns = %s",
)

# Those of the erasure. Deletions that end while it runs wait for the next one.

COUNT_UNERASED: Final = "SELECT count(*) FROM graphmem.tombstones WHERE erased_us IS NULL"

LIST_UNERASED: Final = """
SELECT ns, version FROM graphmem.tombstones WHERE erased_us IS NULL ORDER BY ns, version
"""

SET_ERASED: Final = """
UPDATE graphmem.tombstones SET erased_us = %s WHERE ns = %s AND version = %s
"""

NO_TIME_LIMIT: Final = "SET statement_timeout = 0"

TRY_LOCK_ERASURE: Final = "SELECT pg_try_advisory_lock(1735552357, 2)"

OWNS_TABLES: Final = """
SELECT coalesce(bool_and(pg_has_role(current_user, tableowner, 'USAGE')), false)
FROM pg_catalog.pg_tables WHERE schemaname = 'graphmem'
"""

NEXT_TRANSACTION: Final = """
SELECT convert_to(
    mod(pg_snapshot_xmax(pg_current_snapshot())::text::bigint, 4294967296)::text, 'UTF8'
)
"""

# Those of other databases don't matter, but those of standbys, which have none, do.
HAS_OLD_READERS: Final = """
SELECT EXISTS (
    SELECT FROM pg_catalog.pg_stat_activity
    WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()
        AND (datname = current_database() OR datname IS NULL)
        AND age(backend_xmin) > age(convert_from(%s, 'UTF8')::xid)
)
"""

# FREEZE, since a plain one passes over pages that someone is looking at.
VACUUM: Final = """
VACUUM (FREEZE) graphmem.turns, graphmem.sessions, graphmem.segments, graphmem.vectors,
    graphmem.pending_vectors, graphmem.atoms, graphmem.atom_sources, graphmem.atom_history,
    graphmem.scene_jobs, graphmem.chat_cache, graphmem.memories
"""

# Those of `graphmem doctor`.

DESCRIBE_SERVER: Final = """
SELECT
    convert_to(split_part(current_setting('server_version'), ' ', 1), 'UTF8'),
    has_database_privilege(current_database(), 'CREATE'),
    current_setting('fsync') = 'off' OR current_setting('full_page_writes') = 'off',
    pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on',
    current_setting('max_connections')::bigint
"""

DESCRIBE_RIGHTS: Final = """
SELECT
    coalesce(bool_and(
        has_schema_privilege(relnamespace, 'USAGE')
        AND has_table_privilege(pg_class.oid, 'SELECT')
        AND has_table_privilege(pg_class.oid, 'INSERT')
        AND has_table_privilege(pg_class.oid, 'UPDATE')
        AND has_table_privilege(pg_class.oid, 'DELETE')
    ), false),
    coalesce(bool_and(pg_has_role(current_user, relowner, 'USAGE')), false)
FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = 'graphmem' AND relkind IN ('r', 'p')
"""
