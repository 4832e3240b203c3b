#include "webhooks/queue_steps.h"

#include <algorithm>

namespace callisto::webhooks {

using storage::Connection;

namespace {

Value date_or_null(const std::optional<DateTime>& date) { return date ? Value(*date) : Value(Null()); }

constexpr std::int64_t note_pause_ms = 1'000;

// False where the attempt is no longer the next one of its delivery: then it is written already, or was another's.
Result<bool> write_delivery(Connection& connection, const Attempt& attempt, char status, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"Status\" = ?2, \"Attempts\" = ?3, \"FirstAttempt\" = ?4, "
      "\"LastAttempt\" = ?5, \"NextAttempt\" = ?6, \"Deadline\" = ?7, \"ResponseCode\" = ?8, \"DurationMs\" = ?9, "
      "\"Error\" = ?10, \"UpdatedDate\" = ?11, \"RecordVersion\" = \"RecordVersion\" + 1 "
      "WHERE \"Ref\" = ?1 AND \"Attempts\" = ?3 - 1 AND \"Status\" IN ('P', 'R')");
  const bool answered = attempt.response_code != 0;
  CALLISTO_TRY(
      const std::int64_t changed,
      connection.execute(
          sql, {Value(attempt.delivery.ref), Value(std::string(1, status)), Value(attempt.number), Value(attempt.first),
                Value(attempt.started), status == 'R' ? date_or_null(attempt.next) : Value(Null()),
                Value(attempt.deadline), answered ? Value(std::int64_t{attempt.response_code}) : Value(Null()),
                Value(attempt.duration_ms), attempt.error.empty() ? Value(Null()) : Value(attempt.error), Value(now)}));
  return changed == 1;
}

Result<void> write_attempt(Connection& connection, const Attempt& attempt) {
  static const Sql sql(
      "INSERT INTO webhook_attempt (delivery, attempt, started_at, duration_ms, address, request_headers, "
      "response_code, response_headers, response_body, outcome, error) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  CALLISTO_CHECK(connection.execute(
      sql,
      {Value(attempt.delivery.ref), Value(attempt.number), Value(attempt.started), Value(attempt.duration_ms),
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

Result<void> set_status(Connection& connection, std::int64_t webhook, char status) {
  static const Sql sql("UPDATE \"webhook\" SET \"Status\" = ?2 WHERE \"Ref\" = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(webhook), Value(std::string(1, status))}));
  return {};
}

// R comes after a success or after nothing at all: status_after() lets it hide no failure.
Result<void> settle_status(Connection& connection, Webhook& webhook) {
  static const Sql sql(
      "UPDATE \"webhook\" SET \"Status\" = CASE WHEN EXISTS (SELECT 1 FROM \"webhook_delivery\" WHERE \"Webhook\" = ?1 "
      "AND \"Status\" = 'S') THEN 'S' ELSE 'P' END WHERE \"Ref\" = ?1 AND \"Status\" = 'R' "
      "AND NOT EXISTS (SELECT 1 FROM \"webhook_delivery\" WHERE \"Webhook\" = ?1 AND \"Status\" = 'R')");
  if (webhook.status != 'R') return {};
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {Value(webhook.ref)}));
  if (changed > 0) { CALLISTO_TRY(webhook, find_webhook(connection, webhook.ref)); }
  return {};
}

Result<Webhook> find_webhook(Connection& connection, std::int64_t ref) {
  static const Sql sql(
      "SELECT \"PayloadUrl\", \"Secret\", \"PreviousSecret\", \"PreviousSecretUntil\", \"IsDeleted\", \"Active\", "
      "\"Ordered\", \"Status\", \"LastDeliveryDate\", \"RecordVersion\", \"Owner\" FROM \"webhook\" WHERE \"Ref\" = "
      "?1");
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
  webhook.last_delivery.ms = row->integer(8);
  webhook.version = row->integer(9);
  if (!row->is_null(10)) webhook.owner = row->integer(10);
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

Result<Webhook> record(Connection& connection, const Ended& ended, DateTime now) {
  static const Sql note("UPDATE \"webhook\" SET \"Status\" = ?2, \"LastDeliveryDate\" = ?3 WHERE \"Ref\" = ?1");
  CALLISTO_TRY(Webhook webhook, find_webhook(connection, ended.webhook));
  const Webhook before = webhook;
  for (const Attempt& attempt : ended.attempts) {
    const bool goes_on = !webhook.deleted && (webhook.active || attempt.delivery.redelivery);
    const char status = attempt.status == 'R' && !goes_on ? 'C' : attempt.status;
    CALLISTO_TRY(const bool is_next, write_delivery(connection, attempt, status, now));
    if (is_next) CALLISTO_CHECK(write_attempt(connection, attempt));
    if (ended.some_wait) CALLISTO_CHECK(let_next(connection, attempt.delivery, now));
    if (!is_next) continue;
    webhook.status = status_after(webhook.status, status);
    webhook.last_delivery = std::max(webhook.last_delivery, attempt.started);
  }
  const std::int64_t later = webhook.last_delivery.ms - before.last_delivery.ms;
  if (webhook.status != before.status || later >= note_pause_ms || (ended.last && later != 0))
    CALLISTO_CHECK(connection.execute(
        note, {Value(ended.webhook), Value(std::string(1, webhook.status)), Value(webhook.last_delivery)}));
  if (!webhook.active) CALLISTO_CHECK(settle_status(connection, webhook));
  return webhook;
}

}  // namespace callisto::webhooks
