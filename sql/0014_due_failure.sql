-- Records on which an action with `due` failed, or was undone since the record was due still when it was done: left alone
-- until the record or the rules change, or `again`. Of all nodes, so that none of them tries what another has just tried.

CREATE TABLE due_failure (
  entity  TEXT   NOT NULL,   -- where the action stands
  action  TEXT   NOT NULL,
  record  BIGINT NOT NULL,
  rule    TEXT   NOT NULL,   -- a digest of all code and of the action's rules
  version BIGINT NOT NULL,   -- RecordVersion of the record at the last try
  tries   BIGINT NOT NULL,   -- of this rule on this version
  since   BIGINT NOT NULL,   -- the first failure
  again   BIGINT NOT NULL,   -- the next try
  PRIMARY KEY (entity, action, record)
);
