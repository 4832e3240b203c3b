#include "engine/storage/sqlite/connection.h"

#include "engine/storage/dialect.h"
#include "engine/storage/sqlite/cursor.h"
#include "engine/storage/sqlite/error.h"
#include "engine/storage/sqlite/functions.h"
#include "engine/storage/sqlite/gather.h"
#include "engine/storage/sqlite/memory.h"

#include <time.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

namespace callisto::storage {
namespace {

constexpr int busy_timeout_ms = 2000;
constexpr int instructions_between_looks = 10'000;         // well under a millisecond
constexpr std::chrono::milliseconds until_giving_way(20);  // then a statement lets others use its processor first
constexpr int instructions_for_a_row = 12;                 // of a join, about
constexpr std::int64_t greatest_id = std::numeric_limits<std::int64_t>::max();

// That the thread has run.
std::chrono::nanoseconds own_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// A Bloom filter of SQLite (seen in 3.40.1) hashes a text by its length, and loses pairs that a collation calls equal
// although their bytes differ in number, such as k and the Kelvin sign. The numbers are those of sqliteInt.h.
void forgo_bloom_filters(sqlite3* db) {
  constexpr int bloom_filter = 0x00080000, bloom_pulldown = 0x00100000;
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, bloom_filter | bloom_pulldown);
}

}  // namespace

// Debian's SQLite takes a global mutex for each allocation to keep statistics, and one per call for connections that
// here belong to one thread at a time anyway. Both must be said before SQLite starts; too late costs speed alone.
void configure_sqlite() {
  static std::once_flag once;
  std::call_once(once, [] {
    keep_freed_pages();
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
    // Pages one by one: what others have written empties a reader's cache, and the first 88 KiB of each would be given
    // back and taken again with it.
    sqlite3_config(SQLITE_CONFIG_PAGECACHE, nullptr, 0, 0);
  });
}

std::uint64_t Traffic::version_of(std::string_view table) const {
  const std::shared_lock lock(mutex_);
  const auto found = versions_.find(table);
  return found == versions_.end() ? 0 : found->second;
}

void Traffic::publish(const Versions& changed) {
  const std::uint64_t before = newest_;
  const std::unique_lock lock(mutex_);
  for (const auto& [table, version] : changed) {
    if (version <= before) continue;
    versions_.insert_or_assign(table, version);
    newest_ = std::max(newest_, version);
  }
}

SqliteConnection::SqliteConnection(SociHandle session)
    : session_(std::move(session)), db_(static_cast<sqlite3*>(session_.native())), statements_(db_) {}

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open_writer(const std::string& path, bool durable) {
  configure_sqlite();
  const char* const file_system = durable ? gathering_file_system() : "";
  CALLISTO_TRY(SociHandle session, SociHandle::open_sqlite(path, false, file_system));
  std::unique_ptr<SqliteConnection> self(new SqliteConnection(std::move(session)));
  CALLISTO_CHECK(self->prepare_common());
  CALLISTO_TRY(auto mode, self->query(Sql("PRAGMA journal_mode = WAL"), {}));
  CALLISTO_TRY(bool answered, mode->step());
  if (!answered || mode->text(0) != "wal") return internal("the database cannot use a write-ahead log: " + path);
  mode.reset();
  // The writer alone checkpoints, when SqliteWriter says so (decision 0009). A log that a long read let grow
  // shrinks to the limit again.
  CALLISTO_CHECK(self->run_script("PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864;"));
  // A savepoint for each request keeps its journal in memory: in a file it cost a third of a create. A small cache,
  // which SQLite walks whole at each commit that has split a page, but for what one transaction changes.
  CALLISTO_CHECK(self->run_script("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -2048; PRAGMA cache_spill = 8192;"));
  CALLISTO_CHECK(self->run_script(durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = OFF"));
  self->writes_ = true;
  sqlite3_update_hook(self->db_, note_change, self.get());
  sqlite3_rollback_hook(self->db_, note_rollback, self.get());
  return self;
}

Result<std::unique_ptr<SqliteConnection>> SqliteConnection::open_reader(const std::string& path, std::size_t cache_kib,
                                                                        std::chrono::milliseconds deadline) {
  configure_sqlite();
  CALLISTO_TRY(SociHandle session, SociHandle::open_sqlite(path, true));
  std::unique_ptr<SqliteConnection> self(new SqliteConnection(std::move(session)));
  CALLISTO_CHECK(self->prepare_common());
  sqlite3_db_config(self->db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // No mmap: each reader would map the whole file and count its pages again, gigabytes of a large database, and lookups
  // gain nothing from it over a cache of their own.
  CALLISTO_CHECK(self->run_script("PRAGMA cache_size = -" + std::to_string(cache_kib)));
  CALLISTO_CHECK(self->run_script("PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = ON;"));
  self->arm_deadline(deadline);
  return self;
}

std::optional<Commits> SqliteConnection::commits() const {
  if (!traffic_) return std::nullopt;
  return Commits{traffic_->commits.load(std::memory_order_acquire)};
}

std::optional<std::uint64_t> SqliteConnection::version_of(std::string_view table) const {
  if (!writes_) return traffic_ ? std::optional(traffic_->version_of(table)) : std::nullopt;
  const auto changed = changed_at_.find(table);
  return changed == changed_at_.end() ? undone_at_ : std::max(undone_at_, changed->second);
}

void SqliteConnection::note_change(void* self, int, const char*, const char* table, sqlite3_int64) {
  auto& connection = *static_cast<SqliteConnection*>(self);
  const std::string_view name(table);
  auto changed = connection.changed_at_.find(name);
  if (changed == connection.changed_at_.end()) changed = connection.changed_at_.emplace(name, 0).first;
  changed->second = ++connection.changes_;
}

void SqliteConnection::note_rollback(void* self) {
  auto& connection = *static_cast<SqliteConnection*>(self);
  connection.undone_at_ = ++connection.changes_;
}

// SQLite calls the hook for whole transactions alone.
void SqliteConnection::go_back_to(const IdCounters& counters) {
  ids_ = counters;
  note_rollback(this);
}

Result<void> SqliteConnection::prepare_common() {
  sqlite3_extended_result_codes(db_, 0);  // codes stay primary; sqlite_error asks for the extended one
  sqlite3_busy_timeout(db_, busy_timeout_ms);
  // A misspelt "Column" is an error then, not a text of that spelling.
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DML, 0, nullptr);
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DQS_DDL, 0, nullptr);
  if (const int code = register_functions(db_); code != SQLITE_OK)
    return sqlite_error(db_, code, "register the collation and functions");
  forgo_bloom_filters(db_);
  // The last one reads the file: what is no database says so here.
  return run_script("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; SELECT count(*) FROM sqlite_schema;");
}

void SqliteConnection::arm_deadline(std::chrono::milliseconds deadline) {
  deadline_ = longest_ = deadline;
  stop_at_ = std::chrono::steady_clock::now() + deadline;
  sqlite3_progress_handler(db_, instructions_between_looks, must_stop, this);
}

int SqliteConnection::must_stop(void* self) {
  auto& connection = *static_cast<SqliteConnection*>(self);
  const auto now = std::chrono::steady_clock::now();
  if (auto& left = connection.looks_left_) {
    if (*left > 0) --*left;
    if (own_time() >= connection.rows_due_) left = 0;  // rows whose comparison costs more than others'
    if (*left == 0) return 1;
  }
  if (now >= connection.stop_at_) return 1;
  if (connection.stop_at_ - now < connection.deadline_ - until_giving_way) std::this_thread::yield();
  return 0;
}

Result<void> SqliteConnection::set_patience(std::chrono::milliseconds most) {
  deadline_ = std::min(longest_, most);
  return {};
}

// Few rows take fewer instructions than usually stand between two looks. SQLite counts all that a statement has ever
// executed: the first look comes at any time.
Result<void> SqliteConnection::limit_rows(std::optional<std::uint64_t> most) {
  constexpr std::uint64_t usual = instructions_between_looks, looks_at_few = 8;
  const std::uint64_t instructions = most ? *most * instructions_for_a_row : usual * looks_at_few;
  const std::uint64_t between = std::clamp<std::uint64_t>(instructions / looks_at_few, 1, usual);
  if (longest_.count() > 0) sqlite3_progress_handler(db_, static_cast<int>(between), must_stop, this);
  if (most) rows_due_ = own_time() + time_for_rows(*most);
  looks_left_ = most ? std::optional(instructions / between + 1) : std::nullopt;
  return {};
}

Result<StatementCache::Lease> SqliteConnection::bind(const Sql& sql, const std::vector<Value>& values, Texts texts) {
  stop_at_ = std::chrono::steady_clock::now() + deadline_;
  if (traffic_) traffic_->reads.fetch_add(1, std::memory_order_relaxed);
  CALLISTO_TRY(StatementCache::Lease statement, statements_.borrow(sql.text()));
  CALLISTO_CHECK(bind_values(statement.get(), values, texts));
  if (sqlite3_stmt_readonly(statement.get()) == 0) has_written_ = true;
  return statement;
}

Result<std::unique_ptr<Cursor>> SqliteConnection::query(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_TRY(StatementCache::Lease statement, bind(sql, values, Texts::Copied));
  return std::unique_ptr<Cursor>(std::make_unique<SqliteCursor>(std::move(statement)));
}

Result<std::int64_t> SqliteConnection::execute(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_TRY(StatementCache::Lease statement, bind(sql, values, Texts::Borrowed));
  const auto before = sqlite3_total_changes64(db_);
  SqliteCursor cursor(std::move(statement));
  for (;;) {
    CALLISTO_TRY(bool row, cursor.step());
    if (!row) break;
  }
  // changes() speaks of the last statement that changed rows, which this one need not be.
  return sqlite3_total_changes64(db_) == before ? 0 : sqlite3_changes64(db_);
}

Result<void> SqliteConnection::run_script(std::string_view sql) {
  stop_at_ = std::chrono::steady_clock::now() + deadline_;
  has_written_ = true;
  const std::string text(sql);
  if (int code = sqlite3_exec(db_, text.c_str(), nullptr, nullptr, nullptr); code != SQLITE_OK)
    return sqlite_error(db_, code, sql);
  return {};
}

Result<std::vector<std::string>> SqliteConnection::explain(const Sql& sql, const std::vector<Value>& values) {
  Sql question("EXPLAIN QUERY PLAN ");
  question << sql;
  CALLISTO_TRY(auto steps, query(question, values));
  std::vector<std::string> lines;
  for (;;) {
    CALLISTO_TRY(bool row, steps->step());
    if (!row) return lines;
    lines.emplace_back(steps->text(3));  // id, parent, unused, detail
  }
}

Result<Examined> SqliteConnection::examine(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_TRY(StatementCache::Lease statement, bind(sql, values, Texts::Copied));
  sqlite3_stmt* const counted = statement.get();
  sqlite3_stmt_status(counted, SQLITE_STMTSTATUS_VM_STEP, 1);
  SqliteCursor cursor(std::move(statement));
  Examined examined;
  for (;; ++examined.given) {
    CALLISTO_TRY(const bool row, cursor.step());
    if (!row) break;
  }
  const auto instructions = static_cast<std::uint64_t>(sqlite3_stmt_status(counted, SQLITE_STMTSTATUS_VM_STEP, 0));
  examined.looked_at = std::max(examined.given, instructions / instructions_for_a_row);
  return examined;
}

Result<IdCounter*> SqliteConnection::id_counter(std::string_view table) {
  if (const auto known = ids_.find(table); known != ids_.end()) return &known->second;
  CALLISTO_TRY(const auto row, query(Sql("SELECT next FROM id_block WHERE entity = ?1"), {Value(std::string(table))}));
  CALLISTO_TRY(const bool found, row->step());
  const std::int64_t next = found ? row->integer(0) : 1;
  return &ids_.emplace(table, IdCounter{next, next}).first->second;
}

Result<std::int64_t> SqliteConnection::next_ids(std::string_view table, std::int64_t count) {
  if (count < 1) return internal("asked for " + std::to_string(count) + " keys");
  CALLISTO_TRY(IdCounter* const counter, id_counter(table));
  if (counter->next > greatest_id - count) return internal("no keys left for " + std::string(table));
  return std::exchange(counter->next, counter->next + count);
}

Result<void> SqliteConnection::keep_ids_above(std::string_view table, std::int64_t used) {
  CALLISTO_TRY(IdCounter* const counter, id_counter(table));
  counter->next = std::max(counter->next, std::min(used, greatest_id - 1) + 1);
  return {};
}

Result<void> SqliteConnection::store_ids() {
  static const Sql sql(
      "INSERT INTO id_block (entity, next) VALUES (?1, ?2) ON CONFLICT (entity) DO UPDATE SET next = excluded.next");
  for (auto& [table, counter] : ids_)
    if (counter.next != counter.stored) CALLISTO_CHECK(execute(sql, {Value(table), Value(counter.next)}));
  return {};
}

const Dialect& SqliteConnection::dialect() const { return sqlite_dialect(); }

Result<bool> SqliteConnection::begin_read() {
  if (in_transaction()) return false;
  CALLISTO_CHECK(execute(Sql("BEGIN"), {}));
  return true;
}

// A transaction that only read has nothing that could fail to commit; open cursors finish on their snapshot.
void SqliteConnection::end_read() { (void)execute(Sql("COMMIT"), {}); }

}  // namespace callisto::storage
