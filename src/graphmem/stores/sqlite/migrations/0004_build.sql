-- What was there before is published whole, by the first version of the index.

ALTER TABLE memories ADD COLUMN ready_turns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN build BLOB NOT NULL DEFAULT x'';
ALTER TABLE memories ADD COLUMN generation INTEGER NOT NULL DEFAULT 0;

UPDATE memories SET ready_turns = turns, build = CAST('{"index":"1"}' AS BLOB);
