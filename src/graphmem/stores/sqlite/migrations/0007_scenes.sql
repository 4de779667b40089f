-- What a chat model still has to tell of a memory, and what it answered, keyed by the memory.

CREATE TABLE scene_jobs (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    session_no INTEGER NOT NULL,
    scene_no   INTEGER NOT NULL,
    turn_nos   BLOB    NOT NULL,
    told       INTEGER NOT NULL,
    answer_key BLOB    NOT NULL,
    attempts   INTEGER NOT NULL,
    waits      INTEGER NOT NULL,
    PRIMARY KEY (ns, session_no, scene_no)
) STRICT, WITHOUT ROWID;

CREATE INDEX waiting_scenes ON scene_jobs (ns) WHERE waits = 1;

CREATE TABLE chat_cache (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    answer_key BLOB    NOT NULL,
    session_no INTEGER NOT NULL,
    scene_no   INTEGER NOT NULL,
    data       BLOB    NOT NULL,
    UNIQUE (ns, answer_key)
) STRICT;

CREATE INDEX chat_cache_by_scene ON chat_cache (ns, session_no, scene_no);

CREATE TABLE chat_usage (
    ns     INTEGER PRIMARY KEY REFERENCES memories (ns),
    tokens INTEGER NOT NULL
) STRICT;
