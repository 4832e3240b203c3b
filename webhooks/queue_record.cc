#include "webhooks/queue_steps.h"

#include <algorithm>

namespace callisto::webhooks {

using storage::Connection;

namespace {

Value date_or_null(const std::optional<DateTime>& date) { return date ? Value(*date) : Value(Null()); }

// What record() needs of the delivery that an attempt was of; nothing where it is not in the owner's hand.
Result<std::optional<Delivery>> find_in_hand(Connection& connection, std::int64_t ref, const std::string& owner) {
  static const Sql sql(
      "SELECT \"Webhook\", \"CoreEntityType\", \"EntityRef\", \"Redelivery\" FROM \"webhook_delivery\" "
      "WHERE \"Ref\" = ?1 AND \"LeaseOwner\" = ?2");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref), Value(owner)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Delivery>();
  Delivery delivery;
  delivery.ref = ref;
  delivery.webhook = row->integer(0);
  delivery.core_entity_type = row->text(1);
  if (!row->is_null(2)) delivery.entity_ref = row->integer(2);
  delivery.redelivery = row->integer(3) != 0;
  return std::optional(delivery);
}

Result<void> write_delivery(Connection& connection, const Attempt& attempt, char status, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"Status\" = ?2, \"Attempts\" = ?3, \"FirstAttempt\" = ?4, "
      "\"LastAttempt\" = ?5, \"NextAttempt\" = ?6, \"Deadline\" = ?7, \"ResponseCode\" = ?8, \"DurationMs\" = ?9, "
      "\"Error\" = ?10, \"LeaseUntil\" = NULL, \"LeaseOwner\" = NULL, \"UpdatedDate\" = ?11, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = ?1");
  const bool answered = attempt.response_code != 0;
  CALLISTO_CHECK(connection.execute(
      sql, {Value(attempt.delivery), Value(std::string(1, status)), Value(attempt.number), Value(attempt.first),
            Value(attempt.started), status == 'R' ? date_or_null(attempt.next) : Value(Null()), Value(attempt.deadline),
            answered ? Value(std::int64_t{attempt.response_code}) : Value(Null()), Value(attempt.duration_ms),
            attempt.error.empty() ? Value(Null()) : Value(attempt.error), Value(now)}));
  return {};
}

Result<void> write_attempt(Connection& connection, const Attempt& attempt) {
  static const Sql sql(
      "INSERT INTO webhook_attempt (delivery, attempt, started_at, duration_ms, address, request_headers, "
      "response_code, response_headers, response_body, outcome, error) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  CALLISTO_CHECK(connection.execute(
      sql,
      {Value(attempt.delivery), Value(attempt.number), Value(attempt.started), Value(attempt.duration_ms),
       Value(attempt.address), Value(attempt.request_headers), Value(std::int64_t{attempt.response_code}),
       Value(attempt.response_headers), Value(attempt.response_body), Value(attempt.outcome), Value(attempt.error)}));
  return {};
}

}  // namespace

char status_after(char webhook_status, char delivery_status) {
  if (delivery_status == 'S' || delivery_status == 'F') return delivery_status;
  if (delivery_status == 'R') return webhook_status == 'F' ? 'F' : 'R';
  return webhook_status;
}

Result<Webhook> find_webhook(Connection& connection, std::int64_t ref) {
  static const Sql sql(
      "SELECT \"PayloadUrl\", \"Secret\", \"PreviousSecret\", \"PreviousSecretUntil\", \"IsDeleted\", \"Active\", "
      "\"Ordered\", \"Status\" FROM \"webhook\" WHERE \"Ref\" = ?1");
  Webhook webhook;
  webhook.ref = ref;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return webhook;
  webhook.url = row->text(0);
  webhook.secret = row->text(1);
  webhook.previous_secret = row->text(2);
  webhook.previous_until.ms = row->integer(3);
  webhook.deleted = row->integer(4) != 0;
  webhook.active = row->integer(5) != 0;
  webhook.ordered = row->integer(6) != 0;
  if (const auto status = row->text(7); !status.empty()) webhook.status = status.front();
  return webhook;
}

Result<void> let_next(Connection& connection, const Delivery& delivery, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"NextAttempt\" = ?4, \"UpdatedDate\" = ?4, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = (SELECT MIN(\"Ref\") FROM \"webhook_delivery\" "
      "WHERE \"Webhook\" = ?1 AND \"CoreEntityType\" = ?2 AND \"EntityRef\" = ?3 AND \"Status\" = 'P' "
      "AND \"NextAttempt\" IS NULL)");
  if (!delivery.entity_ref) return {};
  CALLISTO_CHECK(connection.execute(
      sql, {Value(delivery.webhook), Value(delivery.core_entity_type), Value(*delivery.entity_ref), Value(now)}));
  return {};
}

Result<void> let_heads(Connection& connection, std::int64_t webhook, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"NextAttempt\" = ?2, \"UpdatedDate\" = ?2, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" IN (SELECT MIN(\"Ref\") FROM \"webhook_delivery\" "
      "WHERE \"Webhook\" = ?1 AND \"Status\" = 'P' AND \"NextAttempt\" IS NULL "
      "GROUP BY \"EntityRef\", \"CoreEntityType\")");
  CALLISTO_CHECK(connection.execute(sql, {Value(webhook), Value(now)}));
  return {};
}

Result<Webhook> record(Connection& connection, std::int64_t ref, const std::vector<Attempt>& attempts,
                       const std::string& owner, DateTime now) {
  static const Sql note("UPDATE \"webhook\" SET \"Status\" = ?2, \"LastDeliveryDate\" = ?3 WHERE \"Ref\" = ?1");
  CALLISTO_TRY(Webhook webhook, find_webhook(connection, ref));
  std::optional<DateTime> last;
  for (const Attempt& attempt : attempts) {
    CALLISTO_TRY(const auto delivery, find_in_hand(connection, attempt.delivery, owner));
    if (!delivery) continue;
    const bool goes_on = !webhook.deleted && (webhook.active || delivery->redelivery);
    const char status = attempt.status == 'R' && !goes_on ? 'C' : attempt.status;
    CALLISTO_CHECK(write_delivery(connection, attempt, status, now));
    CALLISTO_CHECK(write_attempt(connection, attempt));
    CALLISTO_CHECK(let_next(connection, *delivery, now));
    webhook.status = status_after(webhook.status, status);
    last = std::max(last.value_or(attempt.started), attempt.started);
  }
  if (last) CALLISTO_CHECK(connection.execute(note, {Value(ref), Value(std::string(1, webhook.status)), Value(*last)}));
  return webhook;
}

Result<void> release(Connection& connection, std::int64_t ref, const std::string& owner, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"LeaseUntil\" = NULL, \"LeaseOwner\" = NULL WHERE \"Ref\" = ?1");
  CALLISTO_TRY(const auto delivery, find_in_hand(connection, ref, owner));
  if (!delivery) return {};
  CALLISTO_CHECK(connection.execute(sql, {Value(ref)}));
  return let_next(connection, *delivery, now);
}

}  // namespace callisto::webhooks
