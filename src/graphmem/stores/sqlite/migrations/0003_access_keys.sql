-- Of the service, not of a memory. A row is never removed, see ports/keys.py.

CREATE TABLE access_keys (
    key_id     TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    tenants    TEXT,              -- JSON array, NULL for all
    memories   TEXT,              -- JSON array, NULL for all
    rights     TEXT    NOT NULL,  -- JSON array
    salt       BLOB    NOT NULL,
    digest     BLOB    NOT NULL,
    created_us INTEGER NOT NULL,
    revoked_us INTEGER
) STRICT, WITHOUT ROWID;
