-- What the nodes of one desk agree on: `secret_key`, a fingerprint of DATA/secret.key; `reload`, how often entities and
-- scripts were reloaded.
CREATE TABLE desk_fact (
  name  TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);
