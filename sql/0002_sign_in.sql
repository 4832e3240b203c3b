-- Who may sign in and who has: clients, passwords, roles, sessions and the digests of their tokens. Times are
-- milliseconds since 1970 UTC; flags are 1 and 0; lists are words parted by blanks. The text is the same for SQLite and
-- PostgreSQL. Persons themselves are rows of the entity `person`; the columns named `person` hold their keys.

CREATE TABLE oauth_client (
  client_id     TEXT   NOT NULL PRIMARY KEY,
  name          TEXT   NOT NULL,
  secret_hash   TEXT,                        -- null: a public client
  session_type  TEXT   NOT NULL DEFAULT 'Any' CHECK (session_type IN ('Any', 'User', 'Analyst')),
  enabled       BIGINT NOT NULL DEFAULT 1,
  grants        TEXT   NOT NULL DEFAULT '',
  redirect_uris TEXT   NOT NULL DEFAULT ''
);

CREATE TABLE person_password (
  person       BIGINT NOT NULL PRIMARY KEY,
  hash         TEXT   NOT NULL,
  failures     BIGINT NOT NULL DEFAULT 0,    -- in a row
  locked_until BIGINT NOT NULL DEFAULT 0,
  refused_at   BIGINT NOT NULL DEFAULT 0
);

-- Stands in for every unknown login name, so that refusing one costs the same writes as refusing a known one.
INSERT INTO person_password (person, hash) VALUES (0, '');

CREATE TABLE role (
  ref            BIGINT NOT NULL PRIMARY KEY,
  name           TEXT   NOT NULL UNIQUE,
  rights         TEXT   NOT NULL DEFAULT '',
  all_partitions BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE role_partition (
  role      BIGINT NOT NULL REFERENCES role (ref) ON DELETE CASCADE,
  partition BIGINT NOT NULL,
  PRIMARY KEY (role, partition)
);

CREATE TABLE person_role (
  person BIGINT NOT NULL,
  role   BIGINT NOT NULL REFERENCES role (ref) ON DELETE CASCADE,
  PRIMARY KEY (person, role)
);
CREATE INDEX person_role_by_role ON person_role (role);

CREATE TABLE session (
  id           BIGINT NOT NULL PRIMARY KEY,
  person       BIGINT,                       -- null: nobody in particular
  client_id    TEXT   NOT NULL,
  session_type TEXT   NOT NULL CHECK (session_type IN ('User', 'Analyst')),
  created_at   BIGINT NOT NULL,
  last_used    BIGINT NOT NULL,
  expires_at   BIGINT NOT NULL,              -- with its newest refresh token
  address      TEXT   NOT NULL,
  ended_at     BIGINT                        -- logout, theft or an administrator
);
CREATE INDEX session_by_expiry ON session (expires_at);
CREATE INDEX session_by_person ON session (person);

CREATE TABLE access_token (
  hash       TEXT   NOT NULL PRIMARY KEY,    -- SHA-256, base64url; the token itself is kept nowhere
  session    BIGINT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  expires_at BIGINT NOT NULL
);
CREATE INDEX access_token_by_session ON access_token (session);
CREATE INDEX access_token_by_expiry ON access_token (expires_at);

CREATE TABLE refresh_token (
  hash       TEXT   NOT NULL PRIMARY KEY,
  session    BIGINT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  client_id  TEXT   NOT NULL,
  state      TEXT   NOT NULL DEFAULT 'A',    -- A: active; U: used
  used_at    BIGINT,
  successor  TEXT,                           -- hash of the token that replaced it
  expires_at BIGINT NOT NULL
);
CREATE INDEX refresh_token_by_session ON refresh_token (session);
CREATE INDEX refresh_token_by_expiry ON refresh_token (expires_at);
