-- What an atom says stands in `data` alone; of one that was removed only number and id are left.

CREATE TABLE graphmem.atoms (
    ns      uuid    NOT NULL REFERENCES graphmem.memories (ns),
    atom_no bigint  NOT NULL,
    atom_id bytea   NOT NULL,
    version bigint  NOT NULL,
    is_live boolean NOT NULL,
    data    bytea   NOT NULL,
    PRIMARY KEY (ns, atom_no),
    UNIQUE (ns, atom_id)
);

CREATE INDEX atoms_by_version ON graphmem.atoms (ns, version);

CREATE TABLE graphmem.atom_sources (
    ns       uuid   NOT NULL REFERENCES graphmem.memories (ns),
    atom_no  bigint NOT NULL,
    turn_no  bigint NOT NULL,
    start_at bigint NOT NULL,
    end_at   bigint NOT NULL,
    origin   bytea  NOT NULL,
    PRIMARY KEY (ns, atom_no, turn_no, start_at)
);

CREATE INDEX atom_sources_by_turn ON graphmem.atom_sources (ns, turn_no);

-- Changes by hand only; a rebuild replays them.
CREATE TABLE graphmem.atom_history (
    ns         uuid   NOT NULL REFERENCES graphmem.memories (ns),
    atom_id    bytea  NOT NULL,
    revision   bigint NOT NULL,
    changed_us bigint NOT NULL,
    reason     bytea  NOT NULL,
    data       bytea  NOT NULL,
    PRIMARY KEY (ns, atom_id, revision)
);
