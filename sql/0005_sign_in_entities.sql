-- Sessions, clients, roles and who has them are entities from here on: their tables follow from entities/session.lua,
-- client.lua, role.lua, role-partition.lua and person-role.lua. What the old tables held is dropped, because entity
-- tables are made only after these files have run, and no release had the old ones: clients and roles are to be added
-- again, people to sign in again. What stays here is what nobody may read: secrets and digests.

DROP TABLE access_token;
DROP TABLE refresh_token;
DROP TABLE session;
DROP TABLE person_role;
DROP TABLE role_partition;
DROP TABLE role;
DROP TABLE oauth_client;

CREATE TABLE client_secret (
  client BIGINT NOT NULL PRIMARY KEY,        -- Ref of the entity client; without a row: a public client
  hash   TEXT   NOT NULL
);

-- Tokens of a session that has ended stay until they would have expired and an hour more, so that a logout can tell a
-- removed token from an unknown one. `session` is the Ref of the entity session; the rows go with it.
CREATE TABLE access_token (
  hash       TEXT   NOT NULL PRIMARY KEY,    -- SHA-256, base64url; the token itself is kept nowhere
  session    BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX access_token_by_session ON access_token (session);
CREATE INDEX access_token_by_expiry ON access_token (expires_at);

CREATE TABLE refresh_token (
  hash       TEXT   NOT NULL PRIMARY KEY,
  session    BIGINT NOT NULL,
  state      TEXT   NOT NULL DEFAULT 'A',    -- A: active; U: used
  used_at    BIGINT,
  successor  TEXT,                           -- hash of the token that replaced it
  expires_at BIGINT NOT NULL
);
CREATE INDEX refresh_token_by_session ON refresh_token (session);
CREATE INDEX refresh_token_by_expiry ON refresh_token (expires_at);

CREATE TABLE authorization_code (
  hash           TEXT   NOT NULL PRIMARY KEY,
  client         BIGINT NOT NULL,
  person         BIGINT NOT NULL,
  session_type   TEXT   NOT NULL,
  redirect_uri   TEXT   NOT NULL,
  redirect_given BIGINT NOT NULL,            -- 1: the request named it, so the exchange must repeat it
  code_challenge TEXT,                       -- S256; null: a client with a secret that sent none
  address        TEXT   NOT NULL,
  expires_at     BIGINT NOT NULL,
  used_at        BIGINT,
  session        BIGINT                      -- made with it
);
CREATE INDEX authorization_code_by_expiry ON authorization_code (expires_at);

-- One row. in_use counts the sessions that live; every change of it stands in the transaction that opens or ends one.
CREATE TABLE licence_pool (
  id       BIGINT NOT NULL PRIMARY KEY,
  capacity BIGINT NOT NULL,                  -- 0: unlimited
  in_use   BIGINT NOT NULL
);
INSERT INTO licence_pool (id, capacity, in_use) VALUES (1, 0, 0);
