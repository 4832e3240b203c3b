// bench_webhook_queue: what a long queue costs the dispatcher. Fills a desk of its own with deliveries for a handful of
// webhooks, then delivers some thousands of them through a transport that answers at once. Prints the memory that the
// backlog takes, the time of a turn, and deliveries a second. Everything but the network is as in the server.
//
//   bench_webhook_queue [queued deliveries = 1000000] [to deliver = 20000]
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "engine/storage/new_rows.h"
#include "tests/bench/desk.h"
#include "tests/support/temporary_folder.h"
#include "webhooks/body.h"
#include "webhooks/dispatcher.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace callisto::bench {
namespace {

using webhooks::Request;
using webhooks::Response;

constexpr int webhook_count = 5;
constexpr std::int64_t batch = 100;  // as an importer's: SQLite walks all that a transaction did at each statement

class Prompt final : public webhooks::Transport {
 public:
  void start(Request request) override {
    Response response;
    response.delivery = request.delivery;
    response.outcome = webhooks::Outcome::Http;
    response.status = 200;
    ended_.push_back(std::move(response));
    ++started;
  }
  std::size_t in_flight() const override { return ended_.size(); }
  std::vector<Response> wait(std::chrono::milliseconds) override { return std::exchange(ended_, {}); }
  void wake() override {}

  std::int64_t started = 0;

 private:
  std::vector<Response> ended_;
};

long resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stol(line.substr(6));
  return 0;
}

void must_do(Result<void> done) {
  if (!done) fail(done.error().message + " " + done.error().log_detail);
}

double ms_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

std::unique_ptr<storage::Database> make_database(const std::string& path, DateTime now) {
  const Desk desk;
  auto tables = records::tables_of(desk.model().catalog());
  std::erase_if(tables, [](const storage::TableSpec& table) { return !table.name.text().starts_with("webhook"); });
  auto database = must(storage::Database::open({.url = "sqlite:" + path}));
  (void)must(storage::apply(*database, storage::engine_migrations(), tables, now));
  must_do(database->write([](storage::Connection& connection) { return webhooks::prepare(connection); }));
  return database;
}

void add_webhooks(storage::Database& database, const Sealer& sealer, DateTime now, Random& random) {
  const storage::NewRows rows("webhook", {"PayloadUrl", "Secret", "Active", "Ordered", "Status"});
  must_do(database.write([&](storage::Connection& connection) -> Result<void> {
    for (int i = 0; i < webhook_count; ++i)
      CALLISTO_CHECK(rows.insert(connection,
                                 {Value(std::string("http://receiver.example/")), Value(sealer.seal("secret", random)),
                                  Value(true), Value(false), Value(std::string("S"))},
                                 {now, random}));
    return {};
  }));
}

void fill(storage::Database& database, std::int64_t count, DateTime now, Random& random) {
  for (std::int64_t done = 0; done < count; done += batch)
    must_do(database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(const auto body, webhooks::keep_body(connection, {std::string(1000, 'x'), {}}, now));
      for (std::int64_t i = done; i < std::min(count, done + batch); ++i)
        CALLISTO_CHECK(webhooks::enqueue(
            connection,
            {1 + i % webhook_count, "msg_" + std::to_string(i), "Forwarded", "Call", "call", i / 3, body, 0, {}}, now,
            random));
      return {};
    }));
}

void report(std::vector<double> turns, std::int64_t delivered, double ms) {
  std::sort(turns.begin(), turns.end());
  const auto at = [&](double part) {
    return turns[static_cast<std::size_t>(part * static_cast<double>(turns.size() - 1))];
  };
  std::printf("turn        p50 %.2f ms, p99 %.2f ms, longest %.2f ms (%zu turns)\n", at(0.5), at(0.99), at(1),
              turns.size());
  std::printf("deliveries  %.0f a second\n", static_cast<double>(delivered) * 1000 / ms);
}

int run(std::int64_t queued, std::int64_t wanted) {
  const SystemClock clock;
  SystemRandom random;
  const Sealer sealer(std::string(aes_gcm_key_bytes, 'k'));
  const test::TemporaryFolder folder;
  auto database = make_database(folder / "desk.db", clock.now());
  add_webhooks(*database, sealer, clock.now(), random);
  webhooks::DispatcherOptions options;
  options.sign = [](const webhooks::SigningInput&) -> Result<webhooks::Headers> { return webhooks::Headers{}; };
  Prompt transport;
  {  // what a short queue costs, caches filled
    fill(*database, 2'000, clock.now(), random);
    webhooks::Dispatcher dispatcher(options, *database, transport, clock, random, sealer);
    must_do(dispatcher.start());
    while (dispatcher.turn(), dispatcher.metrics().in_flight > 0) {}
  }
  auto begun = std::chrono::steady_clock::now();
  fill(*database, queued, clock.now(), random);
  std::printf("queued      %lld deliveries in %.0f s\n", static_cast<long long>(queued), ms_since(begun) / 1000);
  database.reset();  // what writing them took is no part of the queue
  database = must(storage::Database::open({.url = "sqlite:" + (folder / "desk.db")}));
  const long before = resident_kib();
  webhooks::Dispatcher dispatcher(options, *database, transport, clock, random, sealer);
  begun = std::chrono::steady_clock::now();
  must_do(dispatcher.start());
  std::printf("start       %.0f ms\n", ms_since(begun));
  begun = std::chrono::steady_clock::now();
  dispatcher.turn();
  std::printf("first turn  %.0f ms, with the survey\n", ms_since(begun));
  std::vector<double> turns;
  transport.started = 0;
  const auto all = std::chrono::steady_clock::now();
  while (transport.started < wanted) {
    begun = std::chrono::steady_clock::now();
    dispatcher.turn();
    turns.push_back(ms_since(begun));
  }
  report(std::move(turns), transport.started, ms_since(all));
  std::printf("memory      %.1f MiB more than without it, %.1f MiB in all\n",
              static_cast<double>(resident_kib() - before) / 1024, static_cast<double>(resident_kib()) / 1024);
  return 0;
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto number = [&](int at, std::int64_t otherwise) {
    return at < count ? std::strtoll(arguments[at], nullptr, 10) : otherwise;
  };
  return callisto::bench::run(number(1, 1'000'000), number(2, 20'000));
}
