-- Of the service, not of a memory. A row is never removed, see ports/keys.py.

CREATE TABLE graphmem.access_keys (
    key_id     bytea  PRIMARY KEY,
    name       bytea  NOT NULL,
    tenants    bytea,             -- JSON array, NULL for all
    memories   bytea,             -- JSON array, NULL for all
    rights     bytea  NOT NULL,   -- JSON array
    salt       bytea  NOT NULL,
    digest     bytea  NOT NULL,
    created_us bigint NOT NULL,
    revoked_us bigint
);
