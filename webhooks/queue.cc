#include "webhooks/queue.h"

#include "engine/storage/new_rows.h"

namespace callisto::webhooks {

using storage::Connection;

namespace {

Value text_or_null(const std::string& text) { return text.empty() ? Value(Null()) : Value(text); }

}  // namespace

Result<void> prepare(Connection& connection) {
  // Each holds what waits or is in hand alone, so that they stay small however many deliveries are kept.
  return connection.run_script(
      "CREATE INDEX IF NOT EXISTS \"ix_webhook_delivery_line\" ON \"webhook_delivery\" (\"Webhook\", \"Ref\") "
      "WHERE \"Status\" = 'P' AND \"NextAttempt\" IS NOT NULL;"
      "CREATE INDEX IF NOT EXISTS \"ix_webhook_delivery_waits\" ON \"webhook_delivery\" "
      "(\"Webhook\", \"EntityRef\", \"Ref\") WHERE \"Status\" = 'P' AND \"NextAttempt\" IS NULL;"
      "CREATE INDEX IF NOT EXISTS \"ix_webhook_delivery_retry\" ON \"webhook_delivery\" (\"Webhook\", \"NextAttempt\") "
      "WHERE \"Status\" = 'R';"
      "CREATE INDEX IF NOT EXISTS \"ix_webhook_delivery_retried\" ON \"webhook_delivery\" (\"Webhook\", \"EntityRef\") "
      "WHERE \"Status\" = 'R';"
      "DROP INDEX IF EXISTS \"ix_webhook_delivery_in_hand\";"
      "CREATE INDEX IF NOT EXISTS \"ix_webhook_delivery_body\" ON \"webhook_delivery\" (\"BodyRef\");"
      // Those made before webhooks had owners.
      "UPDATE \"webhook\" SET \"Owner\" = COALESCE(\"UpdatedBy\", \"CreatedBy\") WHERE \"Owner\" IS NULL "
      "AND COALESCE(\"UpdatedBy\", \"CreatedBy\") IS NOT NULL;");
}

Result<std::int64_t> enqueue(Connection& connection, const NewDelivery& delivery, DateTime now, Random& random) {
  static const storage::NewRows rows(
      "webhook_delivery",
      {"Webhook", "MessageId", "Event", "CoreEntityType", "EntityType", "EntityRef", "Status", "Attempts",
       "NextAttempt", "Redelivery", "RedeliveryOf", "Hops", "BodyRef", "TraceParent", "TraceState"});
  const auto& of = delivery.redelivery_of;
  return rows.insert(
      connection,
      {Value(delivery.webhook), Value(delivery.message_id), Value(delivery.event), Value(delivery.core_entity_type),
       Value(delivery.entity_type), delivery.entity_ref ? Value(*delivery.entity_ref) : Value(Null()),
       Value(std::string("P")), Value(std::int64_t{0}), Value(now), Value(of.has_value()),
       of ? Value(*of) : Value(Null()), Value(std::int64_t{delivery.hops}), Value(delivery.body),
       text_or_null(delivery.trace.parent), text_or_null(delivery.trace.state)},
      {now, random});
}

// The first of its kind alone: what is sent again after a redelivery failed too is the same message.
Result<std::vector<FailedDelivery>> failed_deliveries(Connection& connection, std::int64_t webhook, DateTime from,
                                                      DateTime to) {
  static const Sql sql(
      "SELECT d.\"Ref\", d.\"EntityType\", d.\"EntityRef\", b.id FROM \"webhook_delivery\" d "
      "LEFT JOIN webhook_body b ON b.id = d.\"BodyRef\" WHERE d.\"Webhook\" = ?1 "
      "AND d.\"Status\" = 'F' AND d.\"Redelivery\" = 0 AND d.\"CreatedDate\" >= ?2 AND d.\"CreatedDate\" < ?3 "
      "AND (b.id IS NOT NULL OR EXISTS (SELECT 1 FROM webhook_unmade u WHERE u.delivery = d.\"Ref\")) "
      "AND NOT EXISTS (SELECT 1 FROM \"webhook_delivery\" r WHERE r.\"RedeliveryOf\" = d.\"Ref\" "
      "AND r.\"Status\" IN ('P', 'R', 'S')) ORDER BY d.\"Ref\"");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(webhook), Value(from), Value(to)}));
  std::vector<FailedDelivery> found;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return found;
    found.push_back(
        {row->integer(0), std::string(row->text(1)), row->is_null(2) ? 0 : row->integer(2), !row->is_null(3)});
  }
}

Result<void> redeliver(Connection& connection, const std::vector<std::int64_t>& deliveries, DateTime now,
                       Random& random) {
  static const Sql sql(
      "INSERT INTO \"webhook_delivery\" (\"Ref\", \"Id\", \"CreatedDate\", \"UpdatedDate\", \"IsDeleted\", "
      "\"RecordVersion\", \"Webhook\", \"MessageId\", \"Event\", \"CoreEntityType\", \"EntityType\", \"EntityRef\", "
      "\"Status\", \"Attempts\", \"NextAttempt\", \"Redelivery\", \"RedeliveryOf\", \"Hops\", \"BodyRef\", "
      "\"TraceParent\", \"TraceState\") "
      "SELECT ?1, ?2, ?3, ?3, 0, 1, \"Webhook\", \"MessageId\", \"Event\", \"CoreEntityType\", \"EntityType\", "
      "\"EntityRef\", 'P', 0, ?3, 1, \"Ref\", \"Hops\", \"BodyRef\", \"TraceParent\", \"TraceState\" FROM "
      "\"webhook_delivery\" WHERE \"Ref\" = ?4");
  if (deliveries.empty()) return {};
  CALLISTO_TRY(std::int64_t next,
               storage::next_refs(connection, "webhook_delivery", static_cast<std::int64_t>(deliveries.size())));
  for (const std::int64_t ref : deliveries)
    CALLISTO_CHECK(connection.execute(sql, {Value(next++), Value(make_guid(random, now)), Value(now), Value(ref)}));
  return {};
}

}  // namespace callisto::webhooks
