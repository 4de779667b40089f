-- What a chat model still has to tell of a memory, and what it answered, keyed by the memory.

CREATE TABLE graphmem.scene_jobs (
    ns         uuid    NOT NULL REFERENCES graphmem.memories (ns),
    session_no bigint  NOT NULL,
    scene_no   bigint  NOT NULL,
    turn_nos   bytea   NOT NULL,
    told       bigint  NOT NULL,
    answer_key bytea   NOT NULL,
    attempts   bigint  NOT NULL,
    waits      boolean NOT NULL,
    PRIMARY KEY (ns, session_no, scene_no)
);

CREATE INDEX waiting_scenes ON graphmem.scene_jobs (ns) WHERE waits;

CREATE TABLE graphmem.chat_cache (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    answer_key bytea  NOT NULL,
    session_no bigint NOT NULL,
    scene_no   bigint NOT NULL,
    data       bytea  NOT NULL,
    PRIMARY KEY (ns, answer_key)
);

CREATE INDEX chat_cache_by_scene ON graphmem.chat_cache (ns, session_no, scene_no);

CREATE TABLE graphmem.chat_usage (
    ns     uuid   PRIMARY KEY REFERENCES graphmem.memories (ns),
    tokens bigint NOT NULL
);
