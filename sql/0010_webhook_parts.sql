-- What a body holds beside its own text (webhooks/body.h). A piece stands at `place` in that text, counted in bytes: a file,
-- in base64, as long as it is stored unchanged where `source` says; or a part that is kept here, once for all bodies.
CREATE TABLE webhook_part (
  id         BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  digest     TEXT,              -- SHA-256 in hex; null: of a file that was changed since
  bytes      BLOB   NOT NULL
);
CREATE UNIQUE INDEX ux_webhook_part_digest ON webhook_part (digest);

CREATE TABLE webhook_body_part (
  body       BIGINT NOT NULL,
  nth        BIGINT NOT NULL,
  place      BIGINT NOT NULL,
  source     TEXT,              -- of a file: table, key's column and content's column, parted by blanks
  file       BIGINT,            -- its key
  stored     BIGINT NOT NULL,   -- bytes, where they are kept
  sent       BIGINT NOT NULL,   -- and as they stand in the body
  part       BIGINT,
  PRIMARY KEY (body, nth)
);
CREATE INDEX ix_webhook_body_part_file ON webhook_body_part (file);
CREATE INDEX ix_webhook_body_part_part ON webhook_body_part (part);
