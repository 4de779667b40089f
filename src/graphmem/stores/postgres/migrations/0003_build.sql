-- What was there before is published whole, by the first version of the index.

ALTER TABLE graphmem.memories
    ADD COLUMN ready_turns bigint NOT NULL DEFAULT 0,
    ADD COLUMN build       bytea  NOT NULL DEFAULT '',
    ADD COLUMN generation  bigint NOT NULL DEFAULT 0;

UPDATE graphmem.memories SET
    ready_turns = turns, build = convert_to('{"index":"1"}', 'UTF8');
