#include "engine/storage/postgres/database.h"

#include "engine/storage/postgres/connection.h"
#include "engine/storage/postgres/install.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace callisto::storage {
namespace {

constexpr int most_attempts = 30;          // two seconds at most, were each pause the longest
constexpr int most_attempts_at_a_key = 2;  // it may be the other's, whose row the next attempt finds
constexpr int longest_pause_ms = 64;

// Random page cost: writers that scan a table conflict with every change of it, those that use an index do not.
// Parallel setup cost: to start workers takes as long as a page of a walk several times over, and all of them where
// many ask.
constexpr std::string_view common_settings =
    "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET bytea_output = 'hex'; "
    "SET extra_float_digits = 1; SET application_name = 'callisto'; SET random_page_cost = 1.1; "
    "SET parallel_setup_cost = 5000; SET jit = off; ";
constexpr std::string_view writer_settings =
    "SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '60s';";
// What is lost in a crash is numbers that no row had: a commit that has one writes out all that went before it.
constexpr std::string_view counter_settings = "SET lock_timeout = '10s'; SET synchronous_commit = off;";
// A server that is gone without a word is given up: https://www.postgresql.org/docs/15/libpq-connect.html
constexpr std::pair<std::string_view, std::string_view> defaults[] = {
    {"connect_timeout", "5"}, {"tcp_user_timeout", "10000"}, {"keepalives_idle", "10"}, {"keepalives_interval", "3"}};
constexpr std::chrono::hours longest_write(24);     // one statement of it, such as an index that is made
constexpr std::chrono::seconds beyond_deadline(1);  // by which a server that lives has stopped a statement

std::string with(std::string url, std::string_view keyword, std::string_view value) {
  url += url.find('?') == std::string::npos ? '?' : '&';
  return url.append(keyword).append("=").append(value);
}

// The url as it is used. libpq's own message would repeat parts of a bad one, of its password too.
Result<std::string> checked(const std::string& url) {
  PQconninfoOption* options = PQconninfoParse(url.c_str(), nullptr);
  if (!options)
    return internal(
        "the setting 'database' must be a url such as postgresql://user@host/desk, its "
        "special characters percent-encoded");
  const auto is_given = [options](std::string_view keyword) {
    for (const PQconninfoOption* option = options; option->keyword; ++option)
      if (keyword == option->keyword) return option->val != nullptr;
    return false;
  };
  std::string whole = url;
  for (const auto& [keyword, value] : defaults)
    if (!is_given(keyword)) whole = with(std::move(whole), keyword, value);
  PQconninfoFree(options);
  return whole;
}

void pause(int attempt) {
  thread_local std::minstd_rand random(std::random_device{}());
  const int longest = std::min(longest_pause_ms, 1 << attempt);
  std::this_thread::sleep_for(std::chrono::milliseconds(random() % static_cast<unsigned>(longest)));
}

// A lock of the whole database, of the connection and not of a transaction, whose snapshot would be from before it.
class SchemaLock {
 public:
  static Result<SchemaLock> take(PostgresConnection& connection) {
    CALLISTO_CHECK(connection.run_script(
        "SET lock_timeout = 0; SELECT pg_advisory_lock(7164309522108846); SET lock_timeout = '10s'"));
    return SchemaLock(connection);
  }
  SchemaLock(SchemaLock&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  SchemaLock& operator=(SchemaLock&&) = delete;
  ~SchemaLock() {
    if (connection_) (void)connection_->run_script("SELECT pg_advisory_unlock(7164309522108846)");
  }

 private:
  explicit SchemaLock(PostgresConnection& connection) : connection_(&connection) {}
  PostgresConnection* connection_;
};

Result<std::int64_t> backend_of(PostgresConnection& connection) {
  CALLISTO_TRY(const auto row, connection.query(Sql("SELECT pg_backend_pid()"), {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : 0;
}

// Two that are open have two processes of the server, where nobody between lends one to both.
Result<void> check_for_pooler(PostgresConnection& one, PostgresConnection& other) {
  CALLISTO_TRY(const std::int64_t first, backend_of(one));
  CALLISTO_TRY(const std::int64_t second, backend_of(other));
  return first == second ? pooled("two connections have the process " + std::to_string(first)) : Result<void>();
}

class PostgresDatabase final : public Database {
 public:
  PostgresDatabase(std::string url, const DatabaseOptions& options)
      : url_(std::move(url)), options_(options), watch_(with(url_, "connect_timeout", "2")) {}

  Result<void> start() {
    if (options_.read_only) {
      CALLISTO_CHECK(connect_reader());
      return {};
    }
    CALLISTO_TRY(counters_.connection, connect(counter_settings, nullptr));
    CALLISTO_TRY(auto writer, connect(writer_settings, &counters_));
    CALLISTO_CHECK(check_for_pooler(*counters_.connection, *writer));
    watch_.start();
    {
      CALLISTO_TRY(const SchemaLock lock, SchemaLock::take(*writer));
      CALLISTO_CHECK(install_functions(*writer));
    }
    idle_.push_back(std::move(writer));
    return {};
  }

  Result<std::unique_ptr<Connection>> connect_reader() override {
    CALLISTO_TRY(auto reader, PostgresConnection::open(url_, postgres_reader_settings(options_.read_deadline), nullptr,
                                                       patience(options_.read_deadline + beyond_deadline)));
    reader->note_deadline(options_.read_deadline);
    if (!options_.read_only) reader->count_by(commits_);
    return std::unique_ptr<Connection>(std::move(reader));
  }

  WriterLoad writer_load() const override {
    const std::lock_guard lock(mutex_);
    return {waiting_, commits_, commits_, false};
  }
  std::optional<Commits> commits() const override { return Commits{commits_, true}; }
  Health health() const override { return watch_.health(); }
  std::size_t writers() const override { return std::max<std::size_t>(options_.writers, 1); }
  Result<void> write(const WriteFunction& function) override { return write(function, false); }
  Result<void> write_alone(const WriteFunction& function) override { return write(function, true); }

 private:
  using Writer = std::unique_ptr<PostgresConnection>;

  Result<Writer> connect(std::string_view settings, PostgresCounters* counters) {
    return PostgresConnection::open(with(url_, "target_session_attrs", "read-write"),
                                    std::string(common_settings) + std::string(settings), counters,
                                    patience(longest_write));
  }

  // Whoever reads alone has no watch.
  PostgresPatience patience(std::chrono::milliseconds longest_wait) {
    if (options_.read_only) return {};
    return {&watch_, longest_wait, true};
  }

  Result<void> write(const WriteFunction& function, bool alone) {
    if (options_.read_only) return internal("this database is open for reading only");
    if (writing_here_ == this) return internal("a write inside a write would wait for itself");
    if (!watch_.health().answers) return unreachable("it was found not to answer");
    wait_for_turn();
    const auto* around = std::exchange(writing_here_, this);
    auto result = write_in_turn(function, alone);
    writing_here_ = around;
    commits_ += result ? 1 : 0;
    std::lock_guard lock(mutex_);
    --writing_;
    turn_.notify_one();
    return result;
  }

  void wait_for_turn() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    turn_.wait(lock, [&] { return writing_ < writers(); });
    --waiting_;
    ++writing_;
  }

  Result<void> write_in_turn(const WriteFunction& function, bool alone) {
    CALLISTO_TRY(Writer writer, idle_writer());
    Result<void> result;
    if (alone) {
      auto lock = SchemaLock::take(*writer);
      result = lock ? attempts(*writer, function) : Result<void>(lock.error());
    } else {
      result = attempts(*writer, function);
    }
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(writer));
    return result;
  }

  Result<Writer> idle_writer() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Writer writer = std::move(idle_.back());
        idle_.pop_back();
        return writer;
      }
    }
    return connect(writer_settings, &counters_);
  }

  static Result<void> attempts(PostgresConnection& writer, const WriteFunction& function) {
    for (int attempt = 1;; ++attempt) {
      auto result = writer.write(function);
      if (writer.conflict() == PostgresConnection::Conflict::None) return result;
      const bool at_a_key = writer.conflict() == PostgresConnection::Conflict::Unique;
      if (attempt >= (at_a_key ? most_attempts_at_a_key : most_attempts)) return result;
      pause(attempt);
    }
  }

  const std::string url_;
  const DatabaseOptions options_;
  PostgresWatch watch_;  // goes after all connections
  PostgresCounters counters_;
  mutable std::mutex mutex_;
  std::condition_variable turn_;
  std::vector<Writer> idle_;
  std::size_t writing_ = 0, waiting_ = 0;
  std::atomic<std::uint64_t> commits_ = 0;
  static thread_local const PostgresDatabase* writing_here_;  // of this thread
};

thread_local const PostgresDatabase* PostgresDatabase::writing_here_ = nullptr;

}  // namespace

std::string postgres_reader_settings(std::chrono::milliseconds deadline) {
  const auto ms = std::max<std::chrono::milliseconds::rep>(deadline.count(), 1);  // 0 would mean for ever
  return std::string(common_settings) +
         "SET default_transaction_read_only = on; SET statement_timeout = " + std::to_string(ms) + ";";
}

Result<void> check_postgres_url(const std::string& url) {
  CALLISTO_CHECK(checked(url));
  return {};
}

Result<std::unique_ptr<Database>> open_postgres(const DatabaseOptions& options) {
  CALLISTO_TRY(std::string url, checked(options.url));
  auto database = std::make_unique<PostgresDatabase>(std::move(url), options);
  CALLISTO_CHECK(database->start());
  return std::unique_ptr<Database>(std::move(database));
}

}  // namespace callisto::storage
