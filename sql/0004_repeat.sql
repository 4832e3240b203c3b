-- What a request with an Idempotency-Key was answered with, so that a repetition gets the same answer and changes nothing.

CREATE TABLE repeat_key (
  client     TEXT   NOT NULL,
  person     BIGINT NOT NULL,               -- 0: nobody
  repeat_key TEXT   NOT NULL,
  digest     TEXT   NOT NULL,               -- of path and body
  entity     TEXT   NOT NULL,
  record     BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (client, person, repeat_key)
);
CREATE INDEX repeat_key_created ON repeat_key (created_at);
