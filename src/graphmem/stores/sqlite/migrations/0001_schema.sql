-- Ids are BLOBs of UTF-8, compared byte for byte; 32-byte digests keep keys bounded.
-- Every key but that of `memories` begins with `ns`, the number of the memory.

PRAGMA application_id = 1735552357;  -- "grme"

CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL
) STRICT;

CREATE TABLE memories (
    ns            INTEGER PRIMARY KEY,
    scope_digest  BLOB    NOT NULL UNIQUE,
    tenant_id     BLOB    NOT NULL,
    memory_id     BLOB    NOT NULL,
    version       INTEGER NOT NULL,
    ready_version INTEGER NOT NULL,
    turns         INTEGER NOT NULL,
    sessions      INTEGER NOT NULL,
    content_bytes INTEGER NOT NULL,
    created_us    INTEGER NOT NULL,
    updated_us    INTEGER NOT NULL,
    UNIQUE (tenant_id, memory_id)
) STRICT;

CREATE TABLE sessions (
    ns             INTEGER NOT NULL REFERENCES memories (ns),
    session_no     INTEGER NOT NULL,
    session_digest BLOB    NOT NULL,
    session_id     BLOB    NOT NULL,
    turns          INTEGER NOT NULL,
    PRIMARY KEY (ns, session_no),
    UNIQUE (ns, session_digest)
) STRICT, WITHOUT ROWID;

-- A rowid table: rows may be large, and those of WITHOUT ROWID sit in inner pages too.
CREATE TABLE turns (
    ns                 INTEGER NOT NULL,
    turn_no            INTEGER NOT NULL,
    turn_id            TEXT    NOT NULL,
    session_no         INTEGER NOT NULL,
    position           INTEGER NOT NULL,
    version            INTEGER NOT NULL,
    recorded_us        INTEGER NOT NULL,
    occurred_us        INTEGER,
    occurred_offset    INTEGER,
    occurred_precision TEXT,
    role               TEXT    NOT NULL,
    speaker            TEXT,
    listener           TEXT,
    content            TEXT    NOT NULL,
    parts              TEXT,
    UNIQUE (ns, turn_no),
    UNIQUE (ns, turn_id),
    FOREIGN KEY (ns, session_no) REFERENCES sessions (ns, session_no)
) STRICT;

CREATE TABLE requests (
    ns             INTEGER NOT NULL REFERENCES memories (ns),
    surface        TEXT    NOT NULL,
    request_digest BLOB    NOT NULL,
    request_id     BLOB    NOT NULL,
    payload_digest BLOB    NOT NULL,
    version        INTEGER NOT NULL,
    turns          INTEGER NOT NULL,
    PRIMARY KEY (ns, surface, request_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    first_turn INTEGER NOT NULL,
    turns      INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    data       BLOB    NOT NULL,
    UNIQUE (ns, first_turn)
) STRICT;

CREATE INDEX segments_by_version ON segments (ns, version);
