-- Fingerprints are made by graphmem and short, so that they may stand in keys as they are.

CREATE TABLE models (
    fingerprint TEXT    NOT NULL PRIMARY KEY,
    name        TEXT    NOT NULL,
    dimension   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE vectors (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    model      TEXT    NOT NULL REFERENCES models (fingerprint),
    first_turn INTEGER NOT NULL,
    turns      INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    data       BLOB    NOT NULL,
    UNIQUE (ns, model, first_turn)
) STRICT;

CREATE INDEX vectors_by_version ON vectors (ns, model, version);

-- A model may have work before it is known: it has perhaps never answered yet.
CREATE TABLE pending_vectors (
    ns         INTEGER NOT NULL REFERENCES memories (ns),
    model      TEXT    NOT NULL,
    first_turn INTEGER NOT NULL,
    turns      INTEGER NOT NULL,
    PRIMARY KEY (ns, model, first_turn)
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_vectors_by_model ON pending_vectors (model);
