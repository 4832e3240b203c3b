-- Wrong guesses at a password by account and network, so that who guesses locks out nobody but where the guesses come from;
-- and from where each person signed in lately, which the lock of the whole account does not hold for. person_password
-- counts what came from all other networks together.

CREATE TABLE sign_in_network (
  person       BIGINT NOT NULL,
  network      TEXT   NOT NULL,              -- HMAC-SHA-256 of person and network, base64url; '': stands in for all others
  failures     BIGINT NOT NULL DEFAULT 0,    -- in a row
  locked_until BIGINT NOT NULL DEFAULT 0,
  refused_at   BIGINT NOT NULL DEFAULT 0,
  admitted_at  BIGINT NOT NULL DEFAULT 0,    -- 0: never
  PRIMARY KEY (person, network)
);
CREATE INDEX sign_in_network_by_refusal ON sign_in_network (refused_at);

CREATE INDEX authorization_code_by_session ON authorization_code (session);
CREATE INDEX authorization_code_by_person ON authorization_code (person);

-- Whom a subject of an identity provider is: a record from here on (entities/identity-link.lua), so that administrators see
-- and make them. The server moves what stands here when it starts next.
DROP INDEX identity_link_by_person;
ALTER TABLE identity_link RENAME TO identity_link_before;
