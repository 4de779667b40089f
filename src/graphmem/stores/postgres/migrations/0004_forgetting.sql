-- Numbers of turns and sessions are never used again, so that the next ones are no longer the counts.
-- A buried memory keeps its row, for its ledger and its tombstones; the rest of it is gone.

ALTER TABLE graphmem.memories
ADD COLUMN erased_turns bigint NOT NULL DEFAULT 0,
ADD COLUMN erased_sessions bigint NOT NULL DEFAULT 0,
ADD COLUMN buried boolean NOT NULL DEFAULT false;

-- It covers what a deletion asks for: a session's turns, and turns by their age.
CREATE INDEX turns_by_session ON graphmem.turns (ns, session_no, turn_no, recorded_us);

-- Ids and counts only, no text.
CREATE TABLE graphmem.tombstones (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    version    bigint NOT NULL,
    kind       bytea  NOT NULL,
    session_id bytea,
    turn_ids   bytea,
    turns      bigint NOT NULL,
    sessions   bigint NOT NULL,
    deleted_us bigint NOT NULL,
    erased_us  bigint,
    PRIMARY KEY (ns, version)
);

CREATE INDEX tombstones_unerased ON graphmem.tombstones (ns, version) WHERE erased_us IS NULL;
