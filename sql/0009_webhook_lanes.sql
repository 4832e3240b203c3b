-- Which node works for a webhook, where several share the desk's deliveries (webhooks/lanes.h). `fence` counts those who
-- took it; `until` is by the database's clock; an `owner` of null: nobody.
CREATE TABLE webhook_lane (
  webhook BIGINT NOT NULL PRIMARY KEY,
  owner   TEXT,
  fence   BIGINT NOT NULL,
  until   BIGINT NOT NULL,
  version BIGINT NOT NULL    -- RecordVersion of the webhook that what waits has been judged by
);
