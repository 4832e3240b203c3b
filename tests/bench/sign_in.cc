// bench_sign_in [SECONDS]: what signing in costs, as JSON. "check_us": a token that memory knows; "refreshes": a
// second, by 32 clients at once, each with its own session, on a database on disk; "logins" beside "hashes", the raw
// rate of scrypt with as many threads as there are cores, both measured by turns. Medians; "ratios": logins to hashes,
// of each round.
#include "engine/auth/admin.h"
#include "engine/auth/service.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "tests/bench/desk.h"
#include "tests/support/temporary_folder.h"

#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

namespace callisto::bench {
namespace {

constexpr unsigned clients = 32;
constexpr int rounds = 5;

void must_do(const Result<void>& done) {
  if (!done) fail(done.error().message + " " + done.error().log_detail);
}

// A desk with one person and one client, in a folder that goes with it.
// The audit log's flushes are the disk's speed, not sign-in's.
class NobodyListens final : public audit::Sink {
  void note(const audit::Event&) override {}
};

class SignInDesk {
 public:
  SignInDesk() {
    database_ = must(storage::Database::open({.url = "sqlite:" + folder_ / "desk.db"}));
    const Desk desk;
    must(storage::apply(*database_, storage::engine_migrations(), records::tables_of(desk.model().catalog()),
                        clock_.now()));
    const std::string hash = auth::PasswordHash::make("callisto", {}, random_).text();
    must_do(database_->write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(
          connection.run_script("INSERT INTO person (\"Ref\", \"LoginId\", \"IsActive\", \"IsUser\", \"IsDeleted\") "
                                "VALUES (1, 'BENCH', 1, 1, 0)"));
      CALLISTO_CHECK(auth::put_password_hash(connection, 1, hash));
      auth::Client client;
      client.id = client.name = "bench";
      client.grants = {"password", "refresh_token"};
      return auth::put_client(connection, client, {clock_.now(), random_});
    }));
    auth::Options options;
    options.attempts_per_minute = 0;
    service_ = must(auth::Service::create(*database_, clock_, random_, options, nobody_listens_));
  }
  ~SignInDesk() {
    service_.reset();
    database_.reset();
  }

  auth::TokenPair login() {
    return tokens({{"grant_type", "password"},
                   {"client_id", "bench"},
                   {"username", "bench"},
                   {"password", "callisto"},
                   {"scope", "session-type:User"}});
  }
  auth::TokenPair refresh(const auth::TokenPair& pair) {
    return tokens({{"grant_type", "refresh_token"}, {"client_id", "bench"}, {"refresh_token", pair.refresh_token}});
  }
  auth::Service& service() { return *service_; }

 private:
  auth::TokenPair tokens(std::map<std::string, std::string> fields) {
    auth::LoginRequest request;
    request.fields = std::move(fields);
    const auth::LoginAnswer answer = must(service_->login(request));
    if (const auto* error = std::get_if<auth::OAuthError>(&answer)) fail(error->error + ": " + error->description);
    return std::get<auth::TokenPair>(answer);
  }

  test::TemporaryFolder folder_;
  SystemClock clock_;
  SystemRandom random_;
  NobodyListens nobody_listens_;
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<auth::Service> service_;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

// How often a second `threads` threads do `work`, each with its number.
template <typename Work>
double rate(unsigned threads, double seconds, Work work) {
  std::atomic<int> done = 0;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> crowd;
  for (unsigned i = 0; i < threads; ++i)
    crowd.emplace_back([&, i] {
      while (seconds_since(start) < seconds) {
        work(i);
        ++done;
      }
    });
  for (std::thread& thread : crowd) thread.join();
  return done / seconds_since(start);
}

double check_us(SignInDesk& desk) {
  constexpr int batch = 100'000;
  const std::string token = desk.login().access_token;
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (int each = 0; each < batch; ++each) must(desk.service().authenticate(token));
    times.push_back(seconds_since(start) * 1e6 / batch);
  }
  return median(times);
}

double refreshes(SignInDesk& desk, double seconds) {
  std::vector<auth::TokenPair> pairs(clients);
  for (auth::TokenPair& pair : pairs) pair = desk.login();
  std::vector<double> rates;
  for (int i = 0; i < rounds; ++i)
    rates.push_back(rate(clients, seconds, [&](unsigned client) { pairs[client] = desk.refresh(pairs[client]); }));
  return median(rates);
}

int run(double seconds) {
  SignInDesk desk;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const double check = check_us(desk), refreshed = refreshes(desk, seconds);
  std::vector<double> hashes, logins;
  for (int i = 0; i < rounds; ++i) {
    hashes.push_back(rate(cores, 2 * seconds, [](unsigned) {
      if (!auth::scrypt("callisto", "0123456789abcdef", {}, 32)) fail("no hash");
    }));
    logins.push_back(rate(4 * cores, 2 * seconds, [&](unsigned) { desk.login(); }));
  }
  std::string ratios;
  for (int i = 0; i < rounds; ++i) ratios += (i ? ", " : "") + std::to_string(logins[i] / hashes[i]);
  std::printf("{\"check_us\": %.3f, \"refreshes\": %.0f, \"logins\": %.2f, \"hashes\": %.2f, \"ratios\": [%s]}\n",
              check, refreshed, median(logins), median(hashes), ratios.c_str());
  return 0;
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) { return callisto::bench::run(count > 1 ? std::atof(arguments[1]) : 1); }
