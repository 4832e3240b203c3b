#include "webhooks/lanes.h"

#include "engine/storage/dialect.h"

namespace callisto::webhooks {

using storage::Connection;

namespace {

bool has_row_locks(const Connection& connection) { return &connection.dialect() == &storage::postgres_dialect(); }

// Of the row, until the transaction ends. SQLite has one writer.
Sql locking(const Connection& connection, const Sql& sql, SqlLiteral lock) {
  return has_row_locks(connection) ? Sql(sql) << lock : sql;
}

}  // namespace

Result<DateTime> postgres_time(Connection& connection) {
  static const Sql sql("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? DateTime{row->integer(0)} : DateTime{};
}

Result<void> begin_lanes(Connection& connection) {
  if (!has_row_locks(connection)) return {};
  return connection.run_script("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
}

// Who stands still in the middle of a write keeps the row locked: then others pass it over instead of waiting.
Result<std::optional<Taken>> take_lane(Connection& connection, std::int64_t webhook, const std::string& owner,
                                       const LaneTime& time) {
  static const Sql find(
      "SELECT fence, owner FROM webhook_lane WHERE webhook = ?1 AND (owner IS NULL OR owner = ?2 OR until <= ?3)");
  static const Sql take("UPDATE webhook_lane SET owner = ?2, fence = ?3, until = ?4 WHERE webhook = ?1");
  static const Sql first(
      "INSERT INTO webhook_lane (webhook, owner, fence, until, version) VALUES (?1, ?2, 1, ?3, 0) "
      "ON CONFLICT (webhook) DO NOTHING");
  std::optional<Taken> taken;
  {
    CALLISTO_TRY(const auto row, connection.query(locking(connection, find, " FOR UPDATE SKIP LOCKED"),
                                                  {Value(webhook), Value(owner), Value(time.now)}));
    CALLISTO_TRY(const bool found, row->step());
    if (found) taken = Taken{row->integer(0) + 1, !row->is_null(1)};
  }
  if (taken) {
    CALLISTO_CHECK(connection.execute(take, {Value(webhook), Value(owner), Value(taken->fence), Value(time.until)}));
    return taken;
  }
  CALLISTO_TRY(const std::int64_t made, connection.execute(first, {Value(webhook), Value(owner), Value(time.until)}));
  return made == 1 ? std::optional(Taken{1, true}) : std::nullopt;
}

Result<bool> hold_lane(Connection& connection, const Holding& holding, std::optional<DateTime> until) {
  static const Sql look("SELECT 1 FROM webhook_lane WHERE webhook = ?1 AND owner = ?2 AND fence = ?3");
  static const Sql renew("UPDATE webhook_lane SET until = ?4 WHERE webhook = ?1 AND owner = ?2 AND fence = ?3");
  std::vector<Value> values{Value(holding.webhook), Value(holding.owner), Value(holding.fence)};
  if (until) {
    values.emplace_back(*until);
    CALLISTO_TRY(const std::int64_t renewed, connection.execute(renew, values));
    return renewed == 1;
  }
  CALLISTO_TRY(const auto row, connection.query(locking(connection, look, " FOR UPDATE"), values));
  return row->step();
}

Result<void> note_version(Connection& connection, std::int64_t webhook, std::int64_t version) {
  static const Sql sql("UPDATE webhook_lane SET version = ?2 WHERE webhook = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(webhook), Value(version)}));
  return {};
}

Result<void> give_back_lane(Connection& connection, const Holding& holding) {
  static const Sql sql(
      "UPDATE webhook_lane SET owner = NULL, until = 0 WHERE webhook = ?1 AND owner = ?2 AND fence = ?3");
  CALLISTO_CHECK(connection.execute(sql, {Value(holding.webhook), Value(holding.owner), Value(holding.fence)}));
  return {};
}

}  // namespace callisto::webhooks
