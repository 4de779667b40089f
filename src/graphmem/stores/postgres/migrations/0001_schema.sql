-- All texts and ids are bytea of UTF-8: PostgreSQL's text can't hold U+0000, and bytes are compared
-- and ordered as they are, whatever the database's encoding and collation. To read one by hand:
-- convert_from(content, 'UTF8').
--
-- `ns` is the first half of the scope's 32-byte digest, so that every key begins with the memory
-- and no look-up is needed to know it. Long ids stand in keys as digests or as their beginning,
-- since an index row holds 2,704 bytes at most.

CREATE TABLE graphmem.migrations (
    number bigint PRIMARY KEY,
    name   bytea  NOT NULL
);

CREATE TABLE graphmem.memories (
    ns            uuid   PRIMARY KEY,
    tenant_id     bytea  NOT NULL,
    memory_id     bytea  NOT NULL,
    version       bigint NOT NULL,
    ready_version bigint NOT NULL,
    turns         bigint NOT NULL,
    sessions      bigint NOT NULL,
    content_bytes bigint NOT NULL,
    created_us    bigint NOT NULL,
    updated_us    bigint NOT NULL
);

CREATE INDEX memories_by_ids
ON graphmem.memories (substring(tenant_id, 1, 1200), substring(memory_id, 1, 1200));

CREATE TABLE graphmem.sessions (
    ns             uuid   NOT NULL REFERENCES graphmem.memories (ns),
    session_no     bigint NOT NULL,
    session_digest bytea  NOT NULL,
    session_id     bytea  NOT NULL,
    turns          bigint NOT NULL,
    PRIMARY KEY (ns, session_no),
    UNIQUE (ns, session_digest)
);

CREATE TABLE graphmem.turns (
    ns                 uuid   NOT NULL,
    turn_no            bigint NOT NULL,
    turn_id            bytea  NOT NULL,
    session_no         bigint NOT NULL,
    position           bigint NOT NULL,
    version            bigint NOT NULL,
    recorded_us        bigint NOT NULL,
    occurred_us        bigint,
    occurred_offset    bigint,
    occurred_precision bytea,
    role               bytea  NOT NULL,
    speaker            bytea,
    listener           bytea,
    content            bytea  NOT NULL,
    parts              bytea,
    PRIMARY KEY (ns, turn_no),
    UNIQUE (ns, turn_id),
    FOREIGN KEY (ns, session_no) REFERENCES graphmem.sessions (ns, session_no)
);

CREATE TABLE graphmem.requests (
    ns             uuid   NOT NULL REFERENCES graphmem.memories (ns),
    surface        bytea  NOT NULL,
    request_digest bytea  NOT NULL,
    request_id     bytea  NOT NULL,
    payload_digest bytea  NOT NULL,
    version        bigint NOT NULL,
    turns          bigint NOT NULL,
    PRIMARY KEY (ns, surface, request_digest)
);

-- What is encoded densely already would only cost time to compress: EXTERNAL.

CREATE TABLE graphmem.segments (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    first_turn bigint NOT NULL,
    turns      bigint NOT NULL,
    version    bigint NOT NULL,
    data       bytea  NOT NULL,
    PRIMARY KEY (ns, first_turn)
);

ALTER TABLE graphmem.segments ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE INDEX segments_by_version ON graphmem.segments (ns, version);

-- The one table of all memories; small, and made a reference table where tables are distributed.
CREATE TABLE graphmem.models (
    fingerprint bytea  PRIMARY KEY,
    name        bytea  NOT NULL,
    dimension   bigint NOT NULL
);

CREATE TABLE graphmem.vectors (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    model      bytea  NOT NULL REFERENCES graphmem.models (fingerprint),
    first_turn bigint NOT NULL,
    turns      bigint NOT NULL,
    version    bigint NOT NULL,
    data       bytea  NOT NULL,
    PRIMARY KEY (ns, model, first_turn)
);

ALTER TABLE graphmem.vectors ALTER COLUMN data SET STORAGE EXTERNAL;

CREATE INDEX vectors_by_version ON graphmem.vectors (ns, model, version);

-- A model may have work before it is known: it has perhaps never answered yet.
CREATE TABLE graphmem.pending_vectors (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    model      bytea  NOT NULL,
    first_turn bigint NOT NULL,
    turns      bigint NOT NULL,
    PRIMARY KEY (ns, model, first_turn)
);

CREATE INDEX pending_vectors_by_model ON graphmem.pending_vectors (model, ns);
