#include "tests/faults/ledger.h"

#include "engine/storage/migrate.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

namespace callisto::test {

namespace {

using storage::Connection;

constexpr std::int64_t kept_versions = 3;

const std::vector<storage::Migration>& tables() {
  static const std::vector<storage::Migration> all{
      {1, "0001_ledger.sql",
       "CREATE TABLE id_block (entity TEXT PRIMARY KEY, next BIGINT NOT NULL);"
       "CREATE TABLE item (ref BIGINT PRIMARY KEY, version BIGINT, content TEXT);"
       "CREATE TABLE history (id BIGINT PRIMARY KEY, item BIGINT REFERENCES item (ref), version BIGINT);"
       "CREATE UNIQUE INDEX history_item ON history (item, version);"
       "CREATE TABLE total (n BIGINT); INSERT INTO total VALUES (0);"}};
  return all;
}

// Mostly small, now and then of several pages.
std::string content_of(std::int64_t item, std::int64_t version) {
  const std::string word = std::to_string(item) + "." + std::to_string(version) + " ";
  const auto words = static_cast<std::size_t>((item * 31 + version * 17) % 7 == 0 ? 2500 : (item + version) % 90);
  std::string text;
  for (std::size_t i = 0; i <= words; ++i) text += word;
  return text;
}

Result<std::int64_t> number(Connection& connection, const Sql& sql, const std::vector<Value>& values = {}) {
  CALLISTO_TRY(auto cursor, connection.query(sql, values));
  CALLISTO_TRY(const bool found, cursor->step());
  return found ? cursor->integer(0) : -1;
}

}  // namespace

Result<void> Ledger::open() {
  CALLISTO_TRY(database_, storage::Database::open({.url = "sqlite:" + path_}));
  CALLISTO_CHECK(storage::apply(*database_, tables(), {}, DateTime{0}));
  return {};
}

Result<void> Ledger::raise(Connection& connection, std::int64_t item, std::int64_t version) {
  CALLISTO_TRY(const std::int64_t id, connection.next_ids("history", 1));
  CALLISTO_CHECK(connection.execute(Sql("INSERT INTO item VALUES (?1, ?2, ?3) ON CONFLICT (ref) DO UPDATE SET "
                                        "version = excluded.version, content = excluded.content"),
                                    {item, version, content_of(item, version)}));
  CALLISTO_CHECK(connection.execute(Sql("INSERT INTO history VALUES (?1, ?2, ?3)"), {id, item, version}));
  CALLISTO_CHECK(connection.execute(Sql("DELETE FROM history WHERE item = ?1 AND version <= ?2"),
                                    {item, version - kept_versions}));
  CALLISTO_CHECK(connection.execute(Sql("UPDATE total SET n = n + 1"), {}));
  return {};
}

Result<void> Ledger::write_one(std::int64_t item) {
  Known& known = known_[item];
  const std::int64_t version = known.acknowledged + 1;
  known.attempted = version;
  auto written = database_->write([item, version](Connection& connection) { return raise(connection, item, version); });
  if (!written) return written;
  known.acknowledged = version;
  return {};
}

std::size_t Ledger::write(const std::vector<std::int64_t>& items, std::vector<Error>* errors) {
  std::vector<Result<void>> results;
  if (items.size() == 1) results.push_back(write_one(items.front()));
  else results = write_together(items);
  std::size_t done = 0;
  for (const auto& result : results) {
    if (result) ++done;
    else if (errors) errors->push_back(result.error());
  }
  all_acknowledged_ += done;
  return done;
}

// The first holds the writer until the others are queued behind it, one after the other.
std::vector<Result<void>> Ledger::write_together(const std::vector<std::int64_t>& items) {
  std::promise<void> started, go;
  auto gate = std::async(std::launch::async, [&] {
    return database_->write([&](Connection&) -> Result<void> {
      started.set_value();
      go.get_future().wait();
      return {};
    });
  });
  // A writer that has stopped runs nothing.
  const auto holds = started.get_future();
  while (holds.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
    if (gate.wait_for(std::chrono::seconds(0)) == std::future_status::ready) break;
  std::vector<std::future<Result<void>>> writes;
  for (const std::int64_t item : items) {
    known_[item];  // so that no thread adds to the map
    const std::size_t before = database_->writer_load().queued;
    writes.push_back(std::async(std::launch::async, [this, item] { return write_one(item); }));
    while (database_->writer_load().queued == before &&
           writes.back().wait_for(std::chrono::microseconds(0)) != std::future_status::ready)
      std::this_thread::sleep_for(std::chrono::microseconds(20));  // a poll
  }
  go.set_value();
  (void)gate.get();
  std::vector<Result<void>> results;
  for (auto& write : writes) results.push_back(write.get());
  return results;
}

std::vector<std::string> Ledger::audit() {
  auto reader = database_->connect_reader();
  if (!reader) return {"no reader: " + reader.error().log_detail};
  auto problems = look(**reader);
  if (!problems) return {"the audit cannot read: " + problems.error().log_detail};
  return *std::move(problems);
}

Result<std::vector<std::string>> Ledger::look(Connection& reader) {
  std::vector<std::string> problems;
  for (const Sql& check : {Sql("PRAGMA integrity_check"), Sql("PRAGMA foreign_key_check")}) {
    CALLISTO_TRY(auto cursor, reader.query(check, {}));
    for (;;) {
      CALLISTO_TRY(const bool row, cursor->step());
      if (!row) break;
      if (cursor->text(0) != "ok") problems.push_back(check.text() + ": " + std::string(cursor->text(0)));
    }
  }
  std::int64_t sum = 0;
  for (auto& [item, known] : known_) {
    CALLISTO_TRY(auto cursor, reader.query(Sql("SELECT version, content FROM item WHERE ref = ?1"), {item}));
    CALLISTO_TRY(const bool found, cursor->step());
    const std::int64_t version = found ? cursor->integer(0) : 0;
    const std::string name = "item " + std::to_string(item) + ": ";
    if (version != known.acknowledged && version != known.attempted)
      problems.push_back(name + "version " + std::to_string(version) + ", acknowledged " +
                         std::to_string(known.acknowledged) + ", attempted " + std::to_string(known.attempted));
    if (found && cursor->text(1) != content_of(item, version)) problems.push_back(name + "another content");
    CALLISTO_TRY(const std::int64_t rows,
                 number(reader, Sql("SELECT count(*) FROM history WHERE item = ?1 AND version BETWEEN ?2 AND ?3"),
                        {item, version - kept_versions + 1, version}));
    CALLISTO_TRY(const std::int64_t all, number(reader, Sql("SELECT count(*) FROM history WHERE item = ?1"), {item}));
    if (rows != std::min(version, kept_versions) || all != rows) problems.push_back(name + "another history");
    sum += version;
    known.acknowledged = version;
  }
  CALLISTO_TRY(const std::int64_t total, number(reader, Sql("SELECT n FROM total")));
  if (total != sum) problems.push_back("total " + std::to_string(total) + " of " + std::to_string(sum));
  CALLISTO_TRY(const std::int64_t behind,
               number(reader, Sql("SELECT count(*) FROM history WHERE id >= (SELECT next FROM id_block)")));
  if (behind > 0) problems.push_back("keys would be given out again");
  return problems;
}

}  // namespace callisto::test
