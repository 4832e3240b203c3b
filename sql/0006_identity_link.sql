-- Whom an identity provider's subject is: made at the first sign-in by login name, from then on the only way, so that
-- a login name given to somebody else there opens nobody's account here.

CREATE TABLE identity_link (
  issuer    TEXT   NOT NULL,
  subject   TEXT   NOT NULL,
  person    BIGINT NOT NULL,
  linked_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_link_by_person ON identity_link (person);
