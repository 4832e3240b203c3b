// bench_write_floor: the least that writing can cost, for ./dev bench to compare the server with. It lets the engine do
// one write, records its statements and repeats them by raw sqlite3, prepared once, so many to a commit, on one thread:
// no HTTP, no scripts, no checks, no answer. Prints how many writes a second. It changes the database: give it a copy.
#include "engine/json/read.h"
#include "engine/records/write.h"
#include "engine/storage/sqlite/functions.h"
#include "tests/bench/write_recorder.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <memory>

namespace callisto::bench {
namespace {

constexpr int rehearsals = 4;  // the last is recorded: every statement is prepared, every fact of the session known
constexpr std::size_t guid_time = 15;  // characters of a GUID of version 7 that tell its time and its version

struct Options {
  std::string database, entity, action, body;
  std::int64_t person = 0, partition = 0, key = 0, step = 1, keys = 1;
  std::size_t group = 1;
  double seconds = 1;
};

class NobodyListens final : public events::Sink {
  Result<void> emit(const events::Event&) override { return {}; }
};

struct Script {
  std::vector<Recorded> statements;
  std::int64_t key = 0, order = 0;  // of the record that was written, and of its history row
};

// As write.py does: an update changes something.
std::string with_another_word(std::string body) {
  constexpr std::string_view word = "\"x\"";
  std::uint32_t number = 0;
  sqlite3_randomness(sizeof number, &number);
  if (const std::size_t found = body.find(word); found != body.npos) body.insert(found + 2, std::to_string(number));
  return body;
}

std::int64_t last_order(storage::Database& database, std::int64_t key) {
  const auto connection = must(database.connect_reader());
  const auto row = must(connection->query(Sql("SELECT LastHistoryOrder FROM call WHERE Ref = ?1"), {Value(key)}));
  return must(row->step()) ? row->integer(0) : 0;
}

Script rehearse(const Options& options) {
  Recorder recorder;
  Desk desk;
  const auto database = must(storage::Database::open({.url = "sqlite:" + options.database}));
  const SystemClock clock;
  SystemRandom random;
  records::Writer writer(desk.model(), *database, desk.take_scripts(), clock, random,
                         [](const records::Context&) { return std::make_unique<NobodyListens>(); });
  auth::Session session;
  session.type = auth::SessionType::Analyst;
  session.person = options.person;
  session.partitions = {options.partition};
  session.rights = {"*:Read", "*:Create", "*:Update", "*:Action"};
  const catalog::Entity& entity = desk.entity(options.entity);
  Script script;
  for (int i = 0; i < rehearsals; ++i) {
    recorder.clear();
    const records::WriteRequest request{session, json::parse(with_another_word(options.body))};
    script.key = must(options.action == "create" ? writer.create(entity, request)
                                                 : writer.act(entity, options.key, options.action, request))
                     .key;
  }
  script.statements = recorder.statements();
  script.order = last_order(*database, script.key);
  return script;
}

void check(int code, sqlite3* db) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) fail(sqlite3_errmsg(db));
}

class Replay {
 public:
  Replay(const Options& options, Script script) : options_(options), script_(std::move(script)) {
    check(sqlite3_open(options.database.c_str(), &db_), db_);
    if (storage::register_functions(db_) != SQLITE_OK) fail("SQLite refuses the functions");
    execute("PRAGMA journal_mode = WAL");
    execute("PRAGMA synchronous = FULL");
    execute("PRAGMA foreign_keys = ON");
    execute("PRAGMA temp_store = MEMORY");  // as the server's writer
    execute("PRAGMA cache_size = -2048");
    execute("PRAGMA cache_spill = 8192");
    execute("PRAGMA wal_autocheckpoint = 4000");
    for (const Recorded& each : script_.statements) {
      sqlite3_stmt* statement = nullptr;
      check(sqlite3_prepare_v3(db_, each.sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr), db_);
      prepared_.push_back(statement);
    }
    if (script_.statements.size() < 3 || script_.statements.front().sql.find("BEGIN") == std::string::npos ||
        script_.statements.back().sql != "COMMIT")
      fail("the recorded write is no transaction");
  }
  ~Replay() {
    for (sqlite3_stmt* each : prepared_) sqlite3_finalize(each);
    sqlite3_close(db_);
  }
  Replay(const Replay&) = delete;
  Replay& operator=(const Replay&) = delete;

  // The log grows until its first checkpoint, and a file that grows is flushed more slowly; so the first part does not
  // count.
  double writes_per_second() {
    run(options_.seconds / 2);
    return run(options_.seconds);
  }

 private:
  double run(double wanted) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const std::int64_t before = count_;
    double seconds = 0;
    for (; seconds < wanted; seconds = std::chrono::duration<double>(Clock::now() - start).count()) {
      step(0);
      for (std::size_t i = 1; i <= options_.group; ++i) write(++count_, i == options_.group);
      step(prepared_.size() - 1);
    }
    return static_cast<double>(count_ - before) / seconds;
  }

  void execute(const char* sql) { check(sqlite3_exec(db_, sql, nullptr, nullptr, nullptr), db_); }

  void write(std::int64_t number, bool is_last) {
    const bool creates = options_.action == "create";
    key_ = creates ? script_.key + number : options_.key + options_.step * (number * 7919 % options_.keys);
    order_ = script_.order + (creates ? 0 : 1 + number / options_.keys);
    for (std::size_t i = 1; i + 1 < prepared_.size(); ++i) {
      if (!is_last && script_.statements[i].sql.find("id_block") != std::string::npos) continue;  // once to a commit
      for (std::size_t value = 0; value < script_.statements[i].values.size(); ++value)
        bind(prepared_[i], static_cast<int>(value) + 1, script_.statements[i].values[value]);
      step(i);
    }
  }

  void bind(sqlite3_stmt* statement, int at, const Literal& literal) {
    if (const auto* whole = std::get_if<std::int64_t>(&literal))
      check(sqlite3_bind_int64(statement, at,
                               *whole == script_.key       ? key_
                               : *whole == script_.key + 1 ? key_ + 1  // the counter
                               : *whole == script_.order   ? order_
                                                           : *whole),
            db_);
    else if (const auto* real = std::get_if<double>(&literal)) check(sqlite3_bind_double(statement, at, *real), db_);
    else if (const auto* text = std::get_if<std::string>(&literal)) bind_text(statement, at, *text);
    else check(sqlite3_bind_null(statement, at), db_);
  }

  // A GUID is new each time, but for its time, and what names the record names this one.
  void bind_text(sqlite3_stmt* statement, int at, const std::string& text) {
    std::string own = text;
    const std::string number = std::to_string(script_.key);
    if (text.size() == 36 && std::count(text.begin(), text.end(), '-') == 4) {
      sqlite3_randomness(sizeof random_, random_);
      for (std::size_t i = guid_time; i < own.size(); ++i)
        if (own[i] != '-') own[i] = "0123456789abcdef"[random_[i] % 16];
    } else if (const std::size_t found = text.find(number); found != text.npos) {
      own.replace(found, number.size(), std::to_string(key_));
    }
    check(sqlite3_bind_text(statement, at, own.data(), static_cast<int>(own.size()), SQLITE_TRANSIENT), db_);
  }

  void step(std::size_t index) {
    int code = SQLITE_ROW;
    while (code == SQLITE_ROW) code = sqlite3_step(prepared_[index]);
    check(code, db_);
    check(sqlite3_reset(prepared_[index]), db_);
  }

  const Options& options_;
  Script script_;
  sqlite3* db_ = nullptr;
  std::vector<sqlite3_stmt*> prepared_;
  std::int64_t count_ = 0, key_ = 0, order_ = 0;
  unsigned char random_[36] = {};
};

Options read_options(int count, char** arguments) {
  Options options;
  CLI::App program("The least that writing can cost.");
  program.add_option("--database", options.database, "A copy of a desk; it is changed")->required();
  program.add_option("--entity", options.entity)->required();
  program.add_option("--action", options.action)->required();
  program.add_option("--body", options.body, "JSON")->required();
  program.add_option("--person", options.person)->required();
  program.add_option("--partition", options.partition)->required();
  program.add_option("--key", options.key, "The first key that is written");
  program.add_option("--step", options.step, "From one key to the next");
  program.add_option("--keys", options.keys, "How many keys are written in turn");
  program.add_option("--group", options.group, "Writes to a commit");
  program.add_option("--seconds", options.seconds);
  try {
    program.parse(count, arguments);
  } catch (const CLI::ParseError& error) { std::exit(program.exit(error) == 0 ? 0 : 2); }
  return options;
}

}  // namespace
}  // namespace callisto::bench

int main(int count, char** arguments) {
  using namespace callisto::bench;
  const Options options = read_options(count, arguments);
  Script script = rehearse(options);
  const std::size_t statements = script.statements.size() - 2;  // but BEGIN and COMMIT
  std::printf("{\"rate\": %.1f, \"statements\": %zu}\n", Replay(options, std::move(script)).writes_per_second(),
              statements);
}
