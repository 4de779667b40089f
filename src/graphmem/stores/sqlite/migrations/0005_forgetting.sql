-- Numbers of turns and sessions are never used again, so that the next ones are no longer the counts.
-- A buried memory keeps its row, for its ledger and its tombstones; the rest of it is gone.

ALTER TABLE memories ADD COLUMN erased_turns INTEGER NOT NULL DEFAULT 0;

ALTER TABLE memories ADD COLUMN erased_sessions INTEGER NOT NULL DEFAULT 0;

ALTER TABLE memories ADD COLUMN buried INTEGER NOT NULL DEFAULT 0;

-- It covers what a deletion asks for: a session's turns, and turns by their age.
CREATE INDEX turns_by_session ON turns (ns, session_no, turn_no, recorded_us);

-- Ids and counts only, no text.
CREATE TABLE tombstones (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    version    INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    session_id BLOB,
    turn_ids   BLOB,
    turns      INTEGER NOT NULL,
    sessions   INTEGER NOT NULL,
    deleted_us INTEGER NOT NULL,
    erased_us  INTEGER,
    PRIMARY KEY (ns, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_unerased ON tombstones (ns, version) WHERE erased_us IS NULL;
