-- Deliveries whose payload could not be made, such as for a word of the webhook that a reload took away: what happened, and
-- the record's row as it was, so that it can be made once the word is back (webhooks/snapshot.h).
CREATE TABLE webhook_unmade (
  delivery      BIGINT NOT NULL PRIMARY KEY,
  created_at    BIGINT NOT NULL,
  person        BIGINT,
  history_order BIGINT,
  file          BIGINT,
  row_values    TEXT   NOT NULL     -- JSON: by column
);
