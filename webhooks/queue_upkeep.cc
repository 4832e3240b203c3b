#include "webhooks/body.h"
#include "webhooks/queue_steps.h"

#include <algorithm>

namespace callisto::webhooks {

using storage::Connection;

namespace {

constexpr std::int64_t purged_at_once = 200;

struct Concluded {
  std::int64_t ref = 0;
  DateTime created;
  std::int64_t body = 0;
};

// The next of them behind `last`.
Result<std::vector<Concluded>> concluded(Connection& connection, const Concluded& last, DateTime older_than) {
  static const Sql sql(
      "SELECT \"Ref\", \"CreatedDate\", \"BodyRef\" FROM \"webhook_delivery\" WHERE \"CreatedDate\" < ?1 "
      "AND (\"CreatedDate\" > ?2 OR (\"CreatedDate\" = ?2 AND \"Ref\" > ?3)) AND \"CreatedDate\" >= ?2 "
      "AND \"Status\" IN ('S', 'F', 'C') ORDER BY \"CreatedDate\", \"Ref\" LIMIT ?4");
  CALLISTO_TRY(const auto row,
               connection.query(sql, {Value(older_than), Value(last.created), Value(last.ref), Value(purged_at_once)}));
  std::vector<Concluded> found;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return found;
    found.push_back({row->integer(0), {row->integer(1)}, row->integer(2)});
  }
}

Result<void> remove(Connection& connection, const Concluded& delivery) {
  static const Sql of_delivery[] = {
      Sql("DELETE FROM webhook_attempt WHERE delivery = ?1"), Sql("DELETE FROM webhook_unmade WHERE delivery = ?1"),
      Sql("DELETE FROM \"webhook_log\" WHERE \"Delivery\" = ?1"),
      Sql("UPDATE \"webhook_delivery\" SET \"RedeliveryOf\" = NULL WHERE \"RedeliveryOf\" = ?1"),
      Sql("DELETE FROM \"webhook_delivery\" WHERE \"Ref\" = ?1")};
  for (const Sql& sql : of_delivery) CALLISTO_CHECK(connection.execute(sql, {Value(delivery.ref)}));
  return remove_body(connection, delivery.body);
}

Result<std::int64_t> number(Connection& connection, const Sql& sql) {
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : 0;
}

}  // namespace

Result<void> shift(Connection& connection, std::int64_t ms, DateTime now) {
  static const Sql sql(
      "UPDATE \"webhook_delivery\" SET \"FirstAttempt\" = \"FirstAttempt\" + ?1, "
      "\"NextAttempt\" = \"NextAttempt\" + ?1, \"Deadline\" = \"Deadline\" + ?1, \"UpdatedDate\" = ?2, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Status\" = 'R'");
  CALLISTO_CHECK(connection.execute(sql, {Value(ms), Value(now)}));
  return {};
}

Result<void> recover(Connection& connection, std::int64_t webhook, DateTime now, std::int64_t hour_ms) {
  static const Sql overdue(
      "UPDATE \"webhook_delivery\" SET \"NextAttempt\" = ?2, \"UpdatedDate\" = ?2, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Webhook\" = ?1 AND \"Status\" = 'R' AND \"Deadline\" <= ?2");
  // The clock was set back while nothing ran: nobody waits longer than an hour.
  static const Sql too_late(
      "UPDATE \"webhook_delivery\" SET \"NextAttempt\" = ?2, \"Deadline\" = ?2 + ?3, \"FirstAttempt\" = ?2, "
      "\"UpdatedDate\" = ?2, \"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Webhook\" = ?1 AND \"Status\" = 'R' "
      "AND \"Deadline\" > ?2 + ?3");
  CALLISTO_CHECK(let_heads(connection, webhook, now));
  CALLISTO_CHECK(connection.execute(overdue, {Value(webhook), Value(now)}));
  CALLISTO_CHECK(connection.execute(too_late, {Value(webhook), Value(now), Value(hour_ms)}));
  return {};
}

// A few steps down an index for each webhook, however long the queue.
Result<std::vector<Waiting>> waiting(Connection& connection) {
  static const Sql sql(
      "SELECT w.\"Ref\", (SELECT d.\"Ref\" FROM \"webhook_delivery\" d WHERE d.\"Webhook\" = w.\"Ref\" "
      "AND d.\"Status\" = 'P' AND d.\"NextAttempt\" IS NOT NULL ORDER BY d.\"Ref\" LIMIT 1), "
      "(SELECT d.\"NextAttempt\" FROM \"webhook_delivery\" d WHERE d.\"Webhook\" = w.\"Ref\" AND d.\"Status\" = 'R' "
      "ORDER BY d.\"NextAttempt\" LIMIT 1), CASE WHEN w.\"RecordVersion\" <> l.version THEN 1 END, l.owner, l.until "
      "FROM \"webhook\" w LEFT JOIN webhook_lane l ON l.webhook = w.\"Ref\"");
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  std::vector<Waiting> found;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return found;
    Waiting one{row->integer(0), !row->is_null(1), {}, !row->is_null(3), {}, {}};
    if (!row->is_null(2)) one.next_retry = DateTime{row->integer(2)};
    if (!row->is_null(4)) one.owner = row->text(4);
    if (!row->is_null(4)) one.until = DateTime{row->integer(5)};
    if (one.in_line || one.next_retry || one.edited || !one.owner.empty()) found.push_back(std::move(one));
  }
}

Result<QueueStats> stats(Connection& connection) {
  static const Sql in_line(
      "SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'P' AND \"NextAttempt\" IS NOT NULL");
  static const Sql waits(
      "SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'P' AND \"NextAttempt\" IS NULL");
  static const Sql retried("SELECT COUNT(*) FROM \"webhook_delivery\" WHERE \"Status\" = 'R'");
  // Of each webhook the first in line: one that waits has an older one before it.
  static const Sql oldest(
      "SELECT MIN(first.made) FROM (SELECT (SELECT d.\"CreatedDate\" FROM \"webhook_delivery\" d "
      "WHERE d.\"Webhook\" = w.\"Ref\" AND d.\"Status\" = 'P' AND d.\"NextAttempt\" IS NOT NULL "
      "ORDER BY d.\"Ref\" LIMIT 1) AS made FROM \"webhook\" w) first");
  QueueStats stats;
  CALLISTO_TRY(stats.pending, number(connection, in_line));
  CALLISTO_TRY(const std::int64_t waiting, number(connection, waits));
  stats.pending += waiting;
  CALLISTO_TRY(stats.retrying, number(connection, retried));
  CALLISTO_TRY(const auto row, connection.query(oldest, {}));
  CALLISTO_TRY(const bool found, row->step());
  if (found && !row->is_null(0)) stats.oldest_pending = DateTime{row->integer(0)};
  return stats;
}

Result<std::int64_t> purge(storage::Database& database, DateTime older_than) {
  CALLISTO_TRY(const auto reader, database.connect_reader());
  std::int64_t count = 0;
  Concluded last;
  last.created.ms = INT64_MIN;
  for (;;) {
    CALLISTO_TRY(const auto some, concluded(*reader, last, older_than));
    if (some.empty()) return count;
    CALLISTO_CHECK(database.write([&](Connection& connection) -> Result<void> {
      for (const Concluded& delivery : some) CALLISTO_CHECK(remove(connection, delivery));
      return {};
    }));
    count += static_cast<std::int64_t>(some.size());
    last = some.back();
  }
}

}  // namespace callisto::webhooks
