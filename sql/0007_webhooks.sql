-- What the entities webhook and webhook-delivery do not show as columns: the bodies, each kept once for all deliveries
-- that carry it, and what each attempt sent and got back. Headers are texts of "Name: value" lines.

CREATE TABLE webhook_body (
  id         BIGINT PRIMARY KEY,
  created_at BIGINT NOT NULL,
  body       BLOB   NOT NULL
);

CREATE TABLE webhook_attempt (
  delivery         BIGINT NOT NULL,
  attempt          BIGINT NOT NULL,
  started_at       BIGINT NOT NULL,
  duration_ms      BIGINT NOT NULL,
  address          TEXT   NOT NULL,
  request_headers  TEXT   NOT NULL,
  response_code    BIGINT NOT NULL,
  response_headers TEXT   NOT NULL,
  response_body    TEXT   NOT NULL,
  outcome          TEXT   NOT NULL,
  error            TEXT   NOT NULL,
  PRIMARY KEY (delivery, attempt)
);
