#include "engine/app/serving/script_monitor.h"

#include "tests/support/metrics_text.h"
#include "tests/support/seeded_random.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <thread>

namespace {

using namespace callisto;
using app::ScriptMonitor;
using script::ScriptFailure;

class SteppedClock final : public Clock {
 public:
  DateTime now() const override { return {1'700'000'000'000}; }
  std::int64_t steady_ms() const override { return steady_; }
  void step(std::int64_t ms) { steady_ += ms; }

 private:
  std::atomic<std::int64_t> steady_ = 0;
};

// A database with the two tables that are written.
std::unique_ptr<storage::Database> make_database() {
  auto database = storage::Database::open({.url = "sqlite::memory:"});
  REQUIRE(database);
  REQUIRE((*database)->write([](storage::Connection& connection) {
    return connection.run_script(R"(
      CREATE TABLE id_block (entity TEXT PRIMARY KEY NOT NULL, next BIGINT NOT NULL);
      CREATE TABLE script_failure ("Ref" BIGINT PRIMARY KEY, "Id" TEXT, "CreatedDate" BIGINT, "UpdatedDate" BIGINT,
        "IsDeleted" BIGINT, "RecordVersion" BIGINT, "Reference" TEXT, "Date" BIGINT, "Entity" TEXT, "Action" TEXT,
        "Person" BIGINT, "File" TEXT, "Line" BIGINT, "Message" TEXT, "Traceback" TEXT);)");
  }));
  return *std::move(database);
}

std::int64_t ask(storage::Database& database, const Sql& sql) {
  const auto connection = database.connect_reader();
  REQUIRE(connection);
  auto row = (*connection)->query(sql, {});
  REQUIRE(row);
  REQUIRE((*row)->step());
  return (*row)->integer(0);
}

ScriptFailure failure(int number) {
  ScriptFailure made;
  made.reference = std::to_string(number);
  made.action = "@Broken";
  made.file = "broken.lua";
  made.line = number;
  made.message = "it is broken";
  return made;
}

double left_out(const ScriptMonitor& watch) {
  MetricsText text;
  watch.append(text);
  const auto read = test::MetricsReader::read(text.take());
  CHECK(read.problem.empty());
  return read.value("callisto_script_failures_left_out_total");
}

}  // namespace

TEST_CASE("the newest thousand failures are kept") {
  const auto database = make_database();
  SteppedClock clock;
  testing::SeededRandom random;
  {
    ScriptMonitor watch(*database, clock, random, true);
    for (int number = 1; number <= 1050; ++number) {
      if (number % 100 == 0) {
        clock.step(60'000);
        // So that not too many wait.
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (ask(*database, Sql("SELECT ifnull(max(\"Ref\"), 0) FROM script_failure")) < number - 1) {
          REQUIRE(std::chrono::steady_clock::now() < end);
          std::this_thread::yield();
        }
      }
      watch.failed(failure(number));
    }
    CHECK(left_out(watch) == 0);
  }
  CHECK(ask(*database, Sql("SELECT count(*) FROM script_failure")) == 1000);
  CHECK(ask(*database, Sql("SELECT min(\"Line\") FROM script_failure")) == 51);
}

TEST_CASE("one place has ten rows a minute and all together a hundred and twenty") {
  const auto database = make_database();
  SteppedClock clock;
  testing::SeededRandom random;
  {
    ScriptMonitor watch(*database, clock, random, true);
    for (int i = 0; i < 50; ++i) watch.failed(failure(7));
    CHECK(left_out(watch) == 40);
    clock.step(60'000);
    for (int i = 0; i < 150; ++i) watch.failed(failure(i));
    CHECK(left_out(watch) == 70);
  }
  CHECK(ask(*database, Sql("SELECT count(*) FROM script_failure")) == 130);
}

TEST_CASE("long texts are cut between characters, and a desk without the entity keeps nothing") {
  const auto database = make_database();
  SteppedClock clock;
  testing::SeededRandom random;
  {
    ScriptMonitor watch(*database, clock, random, true);
    ScriptFailure long_one = failure(1);
    for (int i = 0; i < 1500; ++i) long_one.message += "\xC3\xA9";  // 12 + 3000 bytes
    watch.failed(long_one);
    ScriptMonitor none(*database, clock, random, false);
    none.failed(failure(2));
  }
  CHECK(ask(*database, Sql("SELECT count(*) FROM script_failure")) == 1);
  CHECK(ask(*database, Sql("SELECT length(CAST(\"Message\" AS BLOB)) FROM script_failure")) == 2000);
}
