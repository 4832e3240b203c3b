#include "engine/storage/postgres/connection.h"

#include "engine/base/process_limits.h"
#include "engine/storage/dialect.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace callisto::storage {
namespace {

// 0 where the line has none.
std::uint64_t number_behind(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  std::uint64_t number = 0;
  if (at != line.npos) std::from_chars(line.data() + at + word.size(), line.data() + line.size(), number);
  return number;
}

constexpr int oldest_server = 130000;
constexpr int text_format = 0;
constexpr std::chrono::seconds longest_opening{20};  // of several hosts too, each with its connect_timeout
constexpr std::chrono::milliseconds slow_plan{50};   // that serves all values, until its first row
constexpr std::uint64_t no_epoch = ~std::uint64_t{0};

// Nobody reads what the server remarks, such as that a table is there already.
void ignore_notice(void*, const char*) {}

bool is_change(std::string_view tag) {
  return tag.starts_with("INSERT") || tag.starts_with("UPDATE") || tag.starts_with("DELETE");
}

bool is_done(const PGresult* result) {
  const auto status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

// SOCI asks a first question before anybody has the connection, and waits for ever: on a thread that is left to itself
// then, until its connection ends.
Result<SociHandle> open_in_time(const std::string& url) {
  struct Opening {
    std::mutex mutex;
    std::condition_variable done;
    std::optional<Result<SociHandle>> session;
  };
  const auto opening = std::make_shared<Opening>();
  try {
    std::thread([opening, url] {
      auto session = SociHandle::open_postgres(url);
      const std::lock_guard lock(opening->mutex);
      opening->session.emplace(std::move(session));
      opening->done.notify_one();
    }).detach();
  } catch (const std::system_error&) { return unavailable("There is no thread to connect to the database with.", 1); }
  std::unique_lock lock(opening->mutex);
  if (!opening->done.wait_for(lock, longest_opening, [&] { return opening->session.has_value(); }))
    return unreachable("it was reached and does not answer");
  return *std::move(opening->session);
}

}  // namespace

PostgresConnection::PostgresConnection(std::string url, std::string settings, PostgresCounters* counters)
    : url_(std::move(url)), settings_(std::move(settings)), counters_(counters) {}

Result<std::unique_ptr<PostgresConnection>> PostgresConnection::open(const std::string& url, std::string settings,
                                                                     PostgresCounters* counters,
                                                                     const PostgresPatience& patience) {
  std::unique_ptr<PostgresConnection> self(new PostgresConnection(url, std::move(settings), counters));
  if (patience.watch) self->be_watched(patience);
  CALLISTO_CHECK(self->connect());
  return self;
}

PostgresConnection::~PostgresConnection() {
  if (watch_) watch_->remove(wait_);
}

// Before it connects: what it asks first may be swallowed as well.
void PostgresConnection::be_watched(const PostgresPatience& patience) {
  watch_ = patience.watch;
  longest_wait_ = patience.longest_wait;
  goes_by_health_ = patience.goes_by_health;
  watch_->add(wait_);
}

Result<void> PostgresConnection::connect() {
  if (watch_) epoch_ = watch_->epoch();
  statements_.forget();
  session_.reset();
  handle_ = nullptr;
  CALLISTO_TRY(SociHandle session, open_in_time(url_));
  session_.emplace(std::move(session));
  handle_ = static_cast<PGconn*>(session_->native());
  auto result = set_up();
  if (!result) handle_ = nullptr;  // so that the next statement tries again
  return result;
}

Result<void> PostgresConnection::set_up() {
  PQsetNoticeProcessor(handle_, ignore_notice, nullptr);
  if (PQserverVersion(handle_) < oldest_server) return internal("PostgreSQL 13 or newer is needed");
  const char* encoding = PQparameterStatus(handle_, "server_encoding");
  if (std::string_view(encoding ? encoding : "") != "UTF8")
    return internal("the PostgreSQL database must be made with ENCODING 'UTF8'");
  CALLISTO_CHECK(command(settings_));
  told_ = longest_;
  plans_once_ = false;
  return {};
}

// A server that is asked nothing sends its farewell at most; behind that a second look finds the end.
bool PostgresConnection::is_alive() const {
  char byte = 0;
  const auto seen = recv(PQsocket(handle_), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  const bool silent = seen < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
  if (!silent && (PQconsumeInput(handle_) == 0 || PQconsumeInput(handle_) == 0)) return false;
  return PQstatus(handle_) == CONNECTION_OK;
}

// A connection that is lost in a transaction fails with it.
Result<void> PostgresConnection::ready() {
  if (reading_) reading_->read_ahead();
  if (in_transaction_) return {};
  if (goes_by_health_ && !watch_->health().answers) return unreachable("it was found not to answer");
  if (handle_ && !is_of_before() && is_alive()) return {};
  return connect();
}

bool PostgresConnection::is_of_before() const { return watch_ && epoch_ != watch_->epoch(); }

ResultPointer PostgresConnection::receive(const PostgresCursor& cursor) {
  if (reading_ != &cursor) return nullptr;
  const auto guard = waiting();
  ResultPointer result(PQgetResult(handle_));
  if (!result) reading_ = nullptr;
  const auto asked = std::exchange(asked_, std::nullopt);
  if (asked && std::chrono::steady_clock::now() - *asked > slow_plan) statements_.plan_each(cursor.sql());
  return result;
}

void PostgresConnection::close(const PostgresCursor& cursor) {
  while (receive(cursor)) {}
}

Error PostgresConnection::failure(const PGresult* result, std::string_view sql) {
  const std::string_view state = sql_state(result);
  if (is_of_standby(state, result)) epoch_ = no_epoch;  // it connects anew for the next
  if (is_stopped(state) && row_time_) has_met_row_limit_ = true;
  if (is_serialization_failure(state)) conflict_ = Conflict::Serialization;
  else if (is_unique_violation(state) && conflict_ == Conflict::None) conflict_ = Conflict::Unique;
  return postgres_error(handle_, result, sql);
}

Result<std::unique_ptr<Cursor>> PostgresConnection::query(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_CHECK(ready());
  CALLISTO_TRY(const PostgresParameters parameters, PostgresParameters::of(values));
  CALLISTO_CHECK(tell_how_to_plan(sql.is_planned_once() && !statements_.is_planned_each(sql.text())));
  const auto guard = waiting();
  CALLISTO_TRY(const std::string name, statements_.prepare(handle_, sql.text(), parameters));
  if (PQsendQueryPrepared(handle_, name.c_str(), parameters.count(), parameters.data(), parameters.sizes(),
                          parameters.formats(), text_format) == 0)
    return failure(nullptr, sql.text());
  PQsetSingleRowMode(handle_);
  auto cursor = std::make_unique<PostgresCursor>(*this, sql.text());
  reading_ = cursor.get();
  if (plans_once_) asked_.emplace(std::chrono::steady_clock::now());
  return std::unique_ptr<Cursor>(std::move(cursor));
}

Result<std::int64_t> PostgresConnection::execute(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_CHECK(ready());
  CALLISTO_TRY(const PostgresParameters parameters, PostgresParameters::of(values));
  const auto guard = waiting();
  CALLISTO_TRY(const std::string name, statements_.prepare(handle_, sql.text(), parameters));
  const ResultPointer result(PQexecPrepared(handle_, name.c_str(), parameters.count(), parameters.data(),
                                            parameters.sizes(), parameters.formats(), text_format));
  if (!is_done(result.get())) return failure(result.get(), sql.text());
  if (!is_change(PQcmdStatus(result.get()))) return std::int64_t{0};
  const std::string_view digits = PQcmdTuples(result.get());
  std::int64_t changed = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), changed);
  return changed;
}

Result<ResultPointer> PostgresConnection::command(std::string_view sql) {
  const auto guard = waiting();
  ResultPointer result(PQexec(handle_, std::string(sql).c_str()));
  if (!is_done(result.get())) return failure(result.get(), sql);
  return result;
}

Result<void> PostgresConnection::run_script(std::string_view sql) {
  CALLISTO_CHECK(ready());
  CALLISTO_CHECK(command(sql));
  return {};
}

Result<std::vector<std::string>> PostgresConnection::explain(const Sql& sql, const std::vector<Value>& values) {
  Sql question("EXPLAIN ");
  question << sql;
  CALLISTO_TRY(auto steps, query(question, values));
  std::vector<std::string> lines;
  for (;;) {
    CALLISTO_TRY(bool row, steps->step());
    if (!row) return lines;
    lines.emplace_back(steps->text(0));
  }
}

// From lines such as "Index Scan using ix on call (actual rows=30 loops=2)", "Rows Removed by Filter: 7" behind it.
Result<Examined> PostgresConnection::examine(const Sql& sql, const std::vector<Value>& values) {
  Sql question("EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, COSTS OFF) ");
  question << sql;
  CALLISTO_TRY(auto steps, query(question, values));
  Examined examined;
  std::uint64_t loops = 1;
  for (bool first = true;; first = false) {
    CALLISTO_TRY(const bool row, steps->step());
    if (!row) return examined;
    const std::string_view line = steps->text(0);
    const std::uint64_t rows = number_behind(line, "actual rows=");
    if (first) examined.given = rows;
    if (line.find("loops=") != line.npos) loops = number_behind(line, "loops=");
    if (line.find(" Scan") != line.npos) examined.looked_at += rows * loops;
    examined.looked_at += loops * number_behind(line, "Rows Removed by Filter: ");
  }
}

// A statement that moves a counter and returns its number, or no row; on the connection of the counters.
Result<std::optional<std::int64_t>> PostgresConnection::count_apart(const Sql& sql, const std::vector<Value>& values) {
  if (!counters_) return internal("a connection without counters was asked for keys");
  const std::lock_guard lock(counters_->mutex);
  CALLISTO_TRY(const auto row, counters_->connection->query(sql, values));
  CALLISTO_TRY(const bool given, row->step());
  return given ? std::optional(row->integer(0)) : std::nullopt;
}

Result<std::int64_t> PostgresConnection::next_ids(std::string_view table, std::int64_t count) {
  if (count < 1) return internal("asked for " + std::to_string(count) + " keys");
  static const Sql sql(
      "INSERT INTO id_block (entity, next) VALUES (?1, 1 + ?2) "
      "ON CONFLICT (entity) DO UPDATE SET next = id_block.next + ?2 RETURNING next - ?2");
  CALLISTO_TRY(const auto first, count_apart(sql, {std::string(table), count}));
  if (!first) return internal("no keys left for " + std::string(table));
  return *first;
}

Result<void> PostgresConnection::keep_ids_above(std::string_view table, std::int64_t used) {
  static const Sql sql(
      "INSERT INTO id_block (entity, next) VALUES (?1, greatest(1, 1 + ?2)) "
      "ON CONFLICT (entity) DO UPDATE SET next = excluded.next WHERE excluded.next > id_block.next RETURNING next");
  CALLISTO_CHECK(count_apart(sql, {std::string(table), used}));
  return {};
}

Result<void> PostgresConnection::set_patience(std::chrono::milliseconds most) {
  patience_ = std::min(longest_, most);
  return tell_when_to_stop();
}

// A statement that is stopped ends its transaction, unless there is a savepoint to go back to.
Result<void> PostgresConnection::limit_rows(std::optional<std::uint64_t> most) {
  const auto left = leave_limit();
  has_met_row_limit_ = false;
  row_time_.reset();
  CALLISTO_CHECK(left);
  if (!most) return tell_when_to_stop();
  row_time_ = time_for_rows(*most);
  if (in_transaction_) {
    CALLISTO_CHECK(ready());
    CALLISTO_CHECK(command("SAVEPOINT limited"));
    is_limited_ = true;
    planned_once_at_limit_ = plans_once_;
  }
  return tell_when_to_stop();
}

Result<void> PostgresConnection::leave_limit() {
  if (!std::exchange(is_limited_, false)) return {};
  CALLISTO_CHECK(ready());
  if (PQtransactionStatus(handle_) != PQTRANS_INERROR) {  // what is left unread may have been stopped too
    CALLISTO_CHECK(command("RELEASE limited"));
    return {};
  }
  CALLISTO_CHECK(command("ROLLBACK TO limited"));
  told_ = std::chrono::milliseconds(-1);  // whatever it was before
  plans_once_ = planned_once_at_limit_;
  CALLISTO_CHECK(command("RELEASE limited"));
  return {};
}

Result<void> PostgresConnection::tell_when_to_stop() {
  const auto wanted = row_time_ ? std::min(patience_, *row_time_) : patience_;
  if (wanted == told_) return {};
  CALLISTO_CHECK(ready());
  CALLISTO_CHECK(command("SET statement_timeout = " + std::to_string(wanted.count())));
  told_ = wanted;
  return {};
}

// By itself PostgreSQL weighs the cost of a plan for these values with that of one for any, and not what planning
// takes. A writer, which asks one thing after the other, would tell it more often than that is worth.
Result<void> PostgresConnection::tell_how_to_plan(bool once) {
  const bool is_reader = longest_.count() > 0;
  if (once == plans_once_ || !is_reader) return {};
  CALLISTO_CHECK(command(once ? "SET plan_cache_mode = force_generic_plan" : "SET plan_cache_mode = DEFAULT"));
  plans_once_ = once;
  return {};
}

const Dialect& PostgresConnection::dialect() const { return postgres_dialect(); }

std::optional<Commits> PostgresConnection::commits() const {
  if (!commits_) return std::nullopt;
  return Commits{commits_->load(std::memory_order_acquire), true};
}

Result<void> PostgresConnection::begin(std::string_view sql) {
  CALLISTO_CHECK(ready());
  CALLISTO_CHECK(command(sql));
  in_transaction_ = true;
  planned_once_before_ = plans_once_;
  return {};
}

Result<bool> PostgresConnection::begin_read() {
  if (in_transaction_) return false;
  CALLISTO_CHECK(begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
  return true;
}

// A transaction that only read has nothing that could fail to commit.
void PostgresConnection::end_read() { roll_back(); }

void PostgresConnection::roll_back() {
  (void)ready();
  in_transaction_ = is_limited_ = false;
  if (PQtransactionStatus(handle_) == PQTRANS_IDLE) return;
  (void)command("ROLLBACK");
  plans_once_ = planned_once_before_;  // as the server has it again
}

Result<void> PostgresConnection::write(const WriteFunction& function) {
  conflict_ = Conflict::None;
  CALLISTO_CHECK(begin("BEGIN ISOLATION LEVEL SERIALIZABLE"));
  auto result = run(function);
  if (result) result = commit();
  const bool failed = PQtransactionStatus(handle_) == PQTRANS_INERROR;
  if (conflict_ == Conflict::Unique && !failed) conflict_ = Conflict::None;  // handled, behind a savepoint
  roll_back();
  return result;
}

// A function that overlooks a conflict has read what others changed: whatever it says does not count.
Result<void> PostgresConnection::run(const WriteFunction& function) {
  Result<void> result;
  try {
    result = function(*this);
  } catch (const std::exception& problem) {
    result = internal("a write function threw: " + process_limits::words_of(problem));
  }
  CALLISTO_CHECK(ready());
  if (conflict_ == Conflict::Serialization) return unavailable("The database is busy. Try again.", 1);
  if (!result) return result;
  switch (PQtransactionStatus(handle_)) {
    case PQTRANS_INTRANS:
      return result;
    case PQTRANS_IDLE:
      return internal("a write function ended the transaction");
    case PQTRANS_INERROR:
      return internal("a write function went on after a statement that failed, without a savepoint");
    default:
      return failure(nullptr, "a write");
  }
}

Result<void> PostgresConnection::commit() {
  auto committed = command("COMMIT");
  if (committed) return {};
  Error error = std::move(committed).error();
  if (PQstatus(handle_) == CONNECTION_BAD)
    error.message = "The database went away while the change was being written. It may or may not have been made.";
  return error;
}

}  // namespace callisto::storage
