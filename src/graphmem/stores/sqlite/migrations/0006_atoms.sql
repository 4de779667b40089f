-- What an atom says stands in `data` alone; of one that was removed only number and id are left.

CREATE TABLE atoms (
    ns      INTEGER NOT NULL REFERENCES memories (ns),
    atom_no INTEGER NOT NULL,
    atom_id TEXT    NOT NULL,
    version INTEGER NOT NULL,
    is_live INTEGER NOT NULL,
    data    BLOB    NOT NULL,
    UNIQUE (ns, atom_no),
    UNIQUE (ns, atom_id)
) STRICT;

CREATE INDEX atoms_by_version ON atoms (ns, version);

CREATE TABLE atom_sources (
    ns       INTEGER NOT NULL REFERENCES memories (ns),
    atom_no  INTEGER NOT NULL,
    turn_no  INTEGER NOT NULL,
    start_at INTEGER NOT NULL,
    end_at   INTEGER NOT NULL,
    origin   TEXT    NOT NULL,
    PRIMARY KEY (ns, atom_no, turn_no, start_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX atom_sources_by_turn ON atom_sources (ns, turn_no);

-- Changes by hand only; a rebuild replays them.
CREATE TABLE atom_history (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    atom_id    TEXT    NOT NULL,
    revision   INTEGER NOT NULL,
    changed_us INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    data       BLOB    NOT NULL,
    UNIQUE (ns, atom_id, revision)
) STRICT;
