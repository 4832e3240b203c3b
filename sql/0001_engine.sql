-- Tables of the engine itself. Entity tables are derived from entities/ and stand in no file here.

-- The next free key of each table (Connection::next_ids).
CREATE TABLE id_block (
  entity TEXT PRIMARY KEY NOT NULL,
  next   BIGINT NOT NULL
);
