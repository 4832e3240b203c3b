-- Sessions that a browser holds by a cookie instead of a refresh token (/workbench): the digest of what the cookie says.

CREATE TABLE browser_session (
  hash    TEXT   NOT NULL PRIMARY KEY,   -- SHA-256, base64url
  session BIGINT NOT NULL
);
CREATE INDEX browser_session_by_session ON browser_session (session);
