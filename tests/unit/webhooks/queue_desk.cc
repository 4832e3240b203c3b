#include "tests/unit/webhooks/queue_desk.h"
#include "tests/support/paths.h"

#include "engine/records/schema.h"
#include "engine/script/program.h"
#include "engine/storage/migrate.h"
#include "engine/storage/new_rows.h"
#include "webhooks/body.h"

#include <algorithm>

namespace callisto::webhooks {

namespace {

std::vector<storage::TableSpec> webhook_tables() {
  const std::string root = test::source_folder();
  const auto loaded = script::load({root + "/entities"}, {root + "/scripts"});
  REQUIRE(loaded.program);
  auto tables = records::tables_of(*loaded.program->catalog);
  std::erase_if(tables, [](const storage::TableSpec& table) { return !table.name.text().starts_with("webhook"); });
  REQUIRE(tables.size() == 3);
  return tables;
}

}  // namespace

std::string sealed(const std::string& secret) {
  testing::SeededRandom random;
  return test_sealer().seal(secret, random);
}

QueueDesk::QueueDesk(const std::string& url) {
  static const std::vector<storage::TableSpec> tables = webhook_tables();
  database_ = must(storage::Database::open({.url = url}));
  must(storage::apply(*database_, storage::engine_migrations(), tables, {}));
  write([](storage::Connection& connection) { return prepare(connection); });
  reader_ = must(database_->connect_reader());
}

void QueueDesk::clear() {
  write([](storage::Connection& connection) {
    return connection.run_script(
        "DELETE FROM webhook; DELETE FROM webhook_delivery; DELETE FROM webhook_log; DELETE FROM webhook_attempt; "
        "DELETE FROM webhook_body; DELETE FROM webhook_body_part; DELETE FROM webhook_part; "
        "DELETE FROM webhook_unmade; DELETE FROM webhook_lane; DELETE FROM id_block;");
  });
}

std::int64_t QueueDesk::number(const Sql& sql, const std::vector<Value>& values) {
  const auto row = must(reader_->query(sql, values));
  REQUIRE(must(row->step()));
  return row->integer(0);
}

std::string QueueDesk::text(const Sql& sql, const std::vector<Value>& values) {
  const auto row = must(reader_->query(sql, values));
  REQUIRE(must(row->step()));
  return std::string(row->text(0));
}

std::int64_t QueueDesk::add_webhook(bool ordered, const std::string& secret) {
  static const storage::NewRows rows("webhook",
                                     {"PayloadUrl", "Secret", "CoreEntityType", "Active", "Ordered", "Status"});
  std::int64_t ref = 0;
  write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(ref, rows.insert(connection,
                                  {Value(std::string("http://receiver.example/")), Value(sealed(secret)),
                                   Value(std::string("Call")), Value(true), Value(ordered), Value(std::string("P"))},
                                  {DateTime{}, random_}));
    return {};
  });
  return ref;
}

void QueueDesk::set_webhook(std::int64_t webhook, const Sql& assignment) {
  const Sql sql = Sql("UPDATE \"webhook\" SET ") << assignment << " WHERE \"Ref\" = ?1";
  write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(sql, {Value(webhook)}));
    return {};
  });
}

std::int64_t QueueDesk::add_delivery(std::int64_t webhook, std::int64_t entity_ref, DateTime now) {
  std::int64_t ref = 0;
  write([&](storage::Connection& connection) -> Result<void> {
    NewDelivery delivery{webhook, "msg_" + make_guid(random_, now), "Forwarded", "Call", "incident", entity_ref, 0, 0,
                         {}};
    if (entity_ref == 0) delivery.entity_ref.reset();
    CALLISTO_TRY(delivery.body, keep_body(connection, {"{\"of\":\"" + delivery.message_id + "\"}", {}}, now));
    CALLISTO_TRY(ref, enqueue(connection, delivery, now, random_));
    return {};
  });
  return ref;
}

std::int64_t QueueDesk::redeliver_failed(std::int64_t webhook, DateTime from, DateTime to, DateTime now) {
  std::vector<std::int64_t> refs;
  write([&](storage::Connection& connection) -> Result<void> {
    refs.clear();
    CALLISTO_TRY(const auto failed, failed_deliveries(connection, webhook, from, to));
    for (const FailedDelivery& each : failed) refs.push_back(each.ref);
    return redeliver(connection, refs, now, random_);
  });
  return static_cast<std::int64_t>(refs.size());
}

std::string QueueDesk::status(std::int64_t delivery) {
  return text(Sql("SELECT \"Status\" FROM \"webhook_delivery\" WHERE \"Ref\" = ?1"), {Value(delivery)});
}

std::string QueueDesk::webhook_status(std::int64_t webhook) {
  return text(Sql("SELECT \"Status\" FROM \"webhook\" WHERE \"Ref\" = ?1"), {Value(webhook)});
}

}  // namespace callisto::webhooks
