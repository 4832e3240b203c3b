-- How far `callisto import` has come with a file, so that a run that was cut off goes on there. `digest` is the SHA-256 of
-- the map and the file, unpacked. A batch changes these tables in the transaction that writes its records.

CREATE TABLE import_progress (
  digest      TEXT   NOT NULL PRIMARY KEY,
  file        TEXT   NOT NULL,               -- as the command named them
  map         TEXT   NOT NULL,
  groups_done BIGINT NOT NULL,
  started_at  BIGINT NOT NULL,
  updated_at  BIGINT NOT NULL
);

CREATE TABLE import_count (
  digest TEXT   NOT NULL REFERENCES import_progress (digest) ON DELETE CASCADE,
  entity TEXT   NOT NULL,
  made   BIGINT NOT NULL,
  PRIMARY KEY (digest, entity)
);

CREATE TABLE import_rejected (
  digest   TEXT   NOT NULL REFERENCES import_progress (digest) ON DELETE CASCADE,
  position BIGINT NOT NULL,                  -- of the row in the file, from 0
  PRIMARY KEY (digest, position)
);
