#include "webhooks/queue_steps.h"

#include <algorithm>
#include <utility>

namespace callisto::webhooks {

using storage::Connection;
using storage::Cursor;

namespace {

// Rows read beyond the room, for those that turn out to wait.
constexpr std::size_t spare = 64;
constexpr std::int64_t most_cancelled = 500;

// Bodies that are small come along: what is ready to be sent is bounded in number.
const Sql& deliveries_of_webhook() {
  static const Sql columns(
      "SELECT d.\"Ref\", d.\"Webhook\", d.\"MessageId\", d.\"Event\", d.\"CoreEntityType\", d.\"EntityRef\", "
      "d.\"Attempts\", d.\"FirstAttempt\", d.\"Deadline\", d.\"BodyRef\", COALESCE(LENGTH(b.body), 0) + "
      "CAST(COALESCE((SELECT SUM(p.sent) FROM webhook_body_part p WHERE p.body = b.id), 0) AS BIGINT), d.\"Hops\", "
      "d.\"Redelivery\", CASE WHEN LENGTH(b.body) <= 8192 AND NOT EXISTS (SELECT 1 FROM webhook_body_part p "
      "WHERE p.body = b.id) THEN b.body END, d.\"TraceParent\", d.\"TraceState\" FROM \"webhook_delivery\" d "
      "LEFT JOIN webhook_body b ON b.id = d.\"BodyRef\" WHERE d.\"Webhook\" = ?1 ");
  return columns;
}

Delivery read_delivery(const Cursor& row) {
  Delivery delivery;
  delivery.ref = row.integer(0);
  delivery.webhook = row.integer(1);
  delivery.message_id = row.text(2);
  delivery.event = row.text(3);
  delivery.core_entity_type = row.text(4);
  if (!row.is_null(5)) delivery.entity_ref = row.integer(5);
  delivery.attempts = row.integer(6);
  delivery.first.ms = row.integer(7);
  delivery.deadline.ms = row.integer(8);
  delivery.body = row.integer(9);
  delivery.body_bytes = row.integer(10);
  delivery.hops = row.integer(11);
  delivery.redelivery = row.integer(12) != 0;
  if (!row.is_null(13)) delivery.small_body = std::make_shared<const std::string>(row.text(13));
  if (!row.is_null(14)) delivery.trace.parent = row.text(14);
  if (!row.is_null(15)) delivery.trace.state = row.text(15);
  return delivery;
}

// Those not in hand, until there are `most` that wait for no other. All of them before the first is touched: a cursor
// does not outlive a change of what it walks.
Result<std::vector<Delivery>> read_deliveries(Connection& connection, const Sql& sql, const std::vector<Value>& values,
                                              InFlight in_flight, std::size_t most) {
  CALLISTO_TRY(const auto row, connection.query(sql, values));
  std::vector<Delivery> deliveries;
  for (std::size_t free = 0; free < most;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) break;
    if (in_flight.holds(row->integer(0))) continue;
    const Delivery& delivery = deliveries.emplace_back(read_delivery(*row));
    if (in_flight.holds_record_of(delivery)) continue;
    in_flight.take(delivery);
    ++free;
  }
  return deliveries;
}

Result<bool> record_retried(Connection& connection, const Delivery& delivery) {
  static const Sql sql(
      "SELECT 1 FROM \"webhook_delivery\" WHERE \"Webhook\" = ?1 AND \"CoreEntityType\" = ?2 AND \"EntityRef\" = ?3 "
      "AND \"Status\" = 'R' LIMIT 1");
  if (!delivery.entity_ref) return false;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(delivery.webhook), Value(delivery.core_entity_type),
                                                      Value(*delivery.entity_ref)}));
  return row->step();
}

// Some hundreds of those for which `where` holds, but for what is in hand.
Result<std::int64_t> cancel(Connection& connection, const Webhook& webhook, const Sql& where, const InFlight& in_flight,
                            DateTime now) {
  Sql sql(
      "UPDATE \"webhook_delivery\" SET \"Status\" = 'C', \"NextAttempt\" = NULL, \"UpdatedDate\" = ?2, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" IN (SELECT \"Ref\" FROM \"webhook_delivery\" "
      "WHERE \"Webhook\" = ?1 AND \"Redelivery\" <= ?3 AND ");
  sql << where;
  std::vector<Value> values{Value(webhook.ref), Value(now),
                            Value(std::int64_t{webhook.deleted || webhook.silent ? 1 : 0}), Value(most_cancelled)};
  for (const std::int64_t ref : in_flight.deliveries()) {
    values.emplace_back(ref);
    sql << " AND \"Ref\" <> ";
    sql.parameter(values.size());
  }
  sql << " LIMIT ?4)";
  return connection.execute(sql, values);
}

Result<std::int64_t> cancel(Connection& connection, const Webhook& webhook, const InFlight& in_flight, DateTime now) {
  static const Sql all[] = {Sql("\"Status\" = 'P' AND \"NextAttempt\" IS NOT NULL"),
                            Sql("\"Status\" = 'P' AND \"NextAttempt\" IS NULL"), Sql("\"Status\" = 'R'")};
  std::int64_t most = 0;
  for (const Sql& where : all) {
    CALLISTO_TRY(const std::int64_t count, cancel(connection, webhook, where, in_flight, now));
    most = std::max(most, count);
  }
  return most;
}

// One claim, from the webhook's row to the deliveries taken.
class Claiming {
 public:
  Claiming(Connection& connection, const Room& room, const InFlight& in_flight, const Times& times)
      : connection_(connection), room_(room), times_(times), in_flight_(in_flight) {
    claim_.some_wait = room.some_wait || room.changed;
  }

  Result<Claim> run() {
    CALLISTO_TRY(claim_.webhook, find_webhook(connection_, room_.webhook));
    if (room_.is_silent && !webhook().deleted) {
      CALLISTO_TRY(claim_.webhook.silent, room_.is_silent(connection_, webhook().owner));
    }
    if (webhook().deleted || webhook().silent || !webhook().active) CALLISTO_CHECK(cancel_waiting());
    else if (room_.changed) CALLISTO_CHECK(let_heads(connection_, webhook().ref, times_.now));
    if (!webhook().deleted && !webhook().silent) {
      CALLISTO_CHECK(take_retries());
      if (claim_.deliveries.size() < room_.total) CALLISTO_CHECK(take_first_attempts());
      CALLISTO_CHECK(find_next_retry());
    }
    if (claim_.some_wait) CALLISTO_CHECK(see_who_waits());
    return std::move(claim_);
  }

 private:
  const Webhook& webhook() const { return claim_.webhook; }
  bool may_be_sent(const Delivery& delivery) const { return webhook().active || delivery.redelivery; }

  // What waited for one that is cancelled now waits for nothing.
  Result<void> cancel_waiting() {
    CALLISTO_TRY(const std::int64_t cancelled, cancel(connection_, webhook(), in_flight_, times_.now));
    claim_.more = cancelled == most_cancelled;
    if (cancelled > 0 || room_.changed) CALLISTO_CHECK(let_heads(connection_, webhook().ref, times_.now));
    return settle_status(connection_, claim_.webhook);
  }

  Result<void> take_retries() {
    static const Sql sql = Sql(deliveries_of_webhook())
                           << Sql("AND d.\"Status\" = 'R' AND d.\"NextAttempt\" <= ?2 "
                                  "ORDER BY d.\"NextAttempt\", d.\"Ref\" LIMIT ?3");
    const std::size_t room = std::min(room_.total, room_.retries);
    const std::size_t window = room + spare;
    CALLISTO_TRY(const auto due,
                 read_deliveries(connection_, sql, {Value(webhook().ref), Value(times_.now), window_of(window)},
                                 in_flight_, window));
    for (const Delivery& delivery : due) {
      if (!may_be_sent(delivery)) continue;
      if (delivery.deadline <= times_.now && delivery.deadline > times_.since) {
        CALLISTO_CHECK(give_up(delivery));
        continue;
      }
      if (in_flight_.holds_record_of(delivery) || claim_.deliveries.size() >= room) claim_.retries_due = true;
      else take(delivery);
    }
    return {};
  }

  Result<void> take_first_attempts() {
    static const Sql sql = Sql(deliveries_of_webhook())
                           << Sql("AND d.\"Status\" = 'P' AND d.\"NextAttempt\" IS NOT NULL "
                                  "ORDER BY d.\"Ref\" LIMIT ?2");
    const std::size_t free = room_.total - claim_.deliveries.size();
    CALLISTO_TRY(const auto line,
                 read_deliveries(connection_, sql, {Value(webhook().ref), window_of(free + spare)}, in_flight_, free));
    if (line.size() >= free) claim_.more = true;
    for (const Delivery& delivery : line) {
      if (!may_be_sent(delivery)) continue;  // cancelled soon
      CALLISTO_TRY(const bool must_wait, waits(delivery));
      if (must_wait) CALLISTO_CHECK(let_wait(delivery));
      else take(delivery);
    }
    return {};
  }

  // As many, beside those in hand.
  Value window_of(std::size_t count) const {
    return Value(static_cast<std::int64_t>(count + in_flight_.deliveries().size()));
  }

  Result<bool> waits(const Delivery& delivery) {
    if (in_flight_.holds_record_of(delivery)) return true;
    return webhook().ordered ? record_retried(connection_, delivery) : false;
  }

  Result<void> let_wait(const Delivery& delivery) {
    static const Sql sql(
        "UPDATE \"webhook_delivery\" SET \"NextAttempt\" = NULL, \"UpdatedDate\" = ?2, "
        "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = ?1");
    CALLISTO_CHECK(connection_.execute(sql, {Value(delivery.ref), Value(times_.now)}));
    claim_.some_wait = true;
    return {};
  }

  void take(const Delivery& delivery) {
    in_flight_.take(delivery);
    claim_.deliveries.push_back(delivery);
  }

  // Its hour passed while others of the webhook had its turn.
  Result<void> give_up(const Delivery& delivery) {
    static const Sql conclude(
        "UPDATE \"webhook_delivery\" SET \"Status\" = 'F', \"NextAttempt\" = NULL, \"UpdatedDate\" = ?2, "
        "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = ?1");
    CALLISTO_CHECK(connection_.execute(conclude, {Value(delivery.ref), Value(times_.now)}));
    claim_.webhook.status = status_after(webhook().status, 'F');
    CALLISTO_CHECK(set_status(connection_, webhook().ref, webhook().status));
    return let_next(connection_, delivery, times_.now);
  }

  Result<void> find_next_retry() {
    static const Sql sql(
        "SELECT \"NextAttempt\" FROM \"webhook_delivery\" WHERE \"Webhook\" = ?1 AND \"Status\" = 'R' "
        "AND \"NextAttempt\" > ?2 ORDER BY \"NextAttempt\" LIMIT 1");
    CALLISTO_TRY(const auto row, connection_.query(sql, {Value(webhook().ref), Value(times_.now)}));
    CALLISTO_TRY(const bool found, row->step());
    if (found) claim_.next_retry = DateTime{row->integer(0)};
    return {};
  }

  Result<void> see_who_waits() {
    static const Sql sql(
        "SELECT 1 FROM \"webhook_delivery\" WHERE \"Webhook\" = ?1 AND \"Status\" = 'P' AND \"NextAttempt\" IS NULL "
        "LIMIT 1");
    CALLISTO_TRY(const auto row, connection_.query(sql, {Value(room_.webhook)}));
    CALLISTO_TRY(claim_.some_wait, row->step());
    return {};
  }

  Connection& connection_;
  const Room& room_;
  const Times& times_;
  InFlight in_flight_;
  Claim claim_;
};

}  // namespace

Result<Claim> claim(Connection& connection, const Room& room, const InFlight& in_flight, const Times& times) {
  return Claiming(connection, room, in_flight, times).run();
}

}  // namespace callisto::webhooks
