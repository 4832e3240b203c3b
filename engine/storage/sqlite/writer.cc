#include "engine/storage/sqlite/writer.h"

#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/storage/sqlite/error.h"

#include <unistd.h>

#include <algorithm>
#include <exception>

namespace callisto::storage {
namespace {

constexpr int groups_after_a_failure = 20;  // where one fails others often do; a group that runs twice costs twice
// A PASSIVE checkpoint disturbs nobody but lets the log grow while readers follow each other; RESTART waits for them,
// so that the log begins anew.
constexpr int frames_between_checkpoints = 4000;
constexpr int frames_before_restart = 12'000;
// Where a reader was in the way for too long; twice as many after each further try, for those wait as long again.
constexpr int frames_after_a_first_try = 500;
constexpr int most_tries = 4;             // 4000
constexpr std::uint64_t many_reads = 16;  // since the last group
constexpr int most_naps = 25;             // what a writer waits at most for one who reads long
constexpr std::chrono::microseconds nap(1000);
constexpr int busy_timeout_ms = 2000;
// To the clients on this machine, which would wait behind a whole group; less than the threads that serve (decision
// 0023). On Linux this is of one thread.
constexpr int gives_way_by = 2;

// SQLite's own naps get longer and longer, while everyone who writes waits.
int wait_for_readers(void*, int naps) {
  if (naps >= most_naps) return 0;
  std::this_thread::sleep_for(nap);
  return 1;
}

}  // namespace

SqliteWriter::SqliteWriter(std::unique_ptr<SqliteConnection> connection, std::chrono::milliseconds distance)
    : distance_(distance), connection_(std::move(connection)) {
  sqlite3_wal_hook(connection_->handle(), count_frames, this);
  thread_ = std::thread([this] { run(); });
}

SqliteWriter::~SqliteWriter() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  thread_.join();
}

Result<void> SqliteWriter::write(const WriteFunction& function) {
  if (std::this_thread::get_id() == thread_.get_id()) return internal("a write inside a write would wait for itself");
  thread_local std::uint64_t group = 0;  // that the last write of this thread went with
  Job job{.function = &function, .result = {}, .finished = {}, .returns = false};
  bool is_awaited = false;
  {
    const std::lock_guard lock(mutex_);
    job.returns = groups_ - group <= returning;
    queue_.push_back(&job);
    is_awaited = queue_.size() == 1 || queue_.size() == most_in_a_group || job.returns;
  }
  if (is_awaited) wake_.notify_one();
  job.finished.wait();
  group = job.group;
  return std::move(job.result);
}

WriterLoad SqliteWriter::load() {
  const std::lock_guard lock(mutex_);
  return {queue_.size(), traffic_.commits, writes_, has_stopped_};
}

void SqliteWriter::run() {
  [[maybe_unused]] const int rank = nice(gives_way_by);
  for (Group group = take(); !group.empty(); group = take()) {
    commit_together(group);
    for (Job* job : group) job->finished.tell();
    checkpoint();
  }
}

SqliteWriter::Group SqliteWriter::take() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
  if (is_crowded()) wake_.wait_until(lock, begun_ + distance_, [&] { return is_time(); });
  begun_ = std::chrono::steady_clock::now();
  reads_before_ = traffic_.reads.load(std::memory_order_relaxed);
  const auto count = static_cast<std::ptrdiff_t>(std::min(queue_.size(), most_in_a_group));
  Group group(queue_.begin(), queue_.begin() + count);
  queue_.erase(queue_.begin(), queue_.begin() + count);
  ++groups_;
  for (Job* job : group) job->group = groups_;
  size_before_ = group.size();
  return group;
}

// Each commit costs a flush, and every reader its cache: where many read, groups keep their distance, and what comes
// meanwhile goes with the next. What the answers to a large group ask for is no crowd.
bool SqliteWriter::is_crowded() const {
  return traffic_.reads.load(std::memory_order_relaxed) - reads_before_ >
         std::max<std::uint64_t>(size_before_, many_reads);
}

// Enough have come, or one who writes record after record: he would wait each time, and for nobody.
bool SqliteWriter::is_time() const {
  return stopping_ || queue_.size() >= most_in_a_group ||
         std::any_of(queue_.begin(), queue_.end(), [](const Job* job) { return job->returns; });
}

void SqliteWriter::commit_together(const Group& group) {
  const Care care = careful_groups_ > 0 ? Care::Savepoints : Care::None;
  if (care == Care::Savepoints) --careful_groups_;
  Ran ran = run_all(group, care);
  if (ran == Ran::NeedsCare) {
    careful_groups_ = groups_after_a_failure;
    ran = run_all(group, Care::Savepoints);
  }
  if (ran == Ran::Whole) commit(group);
}

SqliteWriter::Ran SqliteWriter::run_all(const Group& group, Care care) {
  if (stopped_by_) return undo(group, *stopped_by_);
  connection_->forget_ids();
  if (auto begun = connection_->execute(Sql("BEGIN IMMEDIATE"), {}); !begun) return undo(group, begun.error());
  for (Job* job : group) {
    if (!job->result) continue;  // it failed when the group ran before, behind the same writes
    connection_->forget_writes();
    job->result = run_one(*job->function, care);
    if (stopped_by_) return undo(group, *stopped_by_);
    // A full disk makes SQLite roll the whole transaction back by itself; what ran before in it is gone too.
    if (!connection_->in_transaction())
      return undo(group, job->result ? internal("a write function ended the transaction") : job->result.error());
    if (job->result || care == Care::Savepoints || !connection_->has_written()) continue;
    roll_back();
    return group.size() == 1 ? Ran::Undone : Ran::NeedsCare;
  }
  return Ran::Whole;
}

Result<void> SqliteWriter::run_one(const WriteFunction& function, Care care) {
  if (care == Care::None) return run_bare(function);
  CALLISTO_TRY(Savepoint part, Savepoint::begin(*connection_));
  auto result = call(function);
  if (stopped_by_ || !connection_->in_transaction()) return result;
  CALLISTO_CHECK(result ? part.release() : part.roll_back());
  return result;
}

// A function that fails before it has written only returns the ids that it took.
Result<void> SqliteWriter::run_bare(const WriteFunction& function) {
  const IdCounters before = connection_->id_counters();
  auto result = call(function);
  if (!result) connection_->set_id_counters(before);
  return result;
}

// Nothing may end this thread, so an exception of the function counts as its error.
Result<void> SqliteWriter::call(const WriteFunction& function) {
  Result<void> result;
  try {
    result = function(*connection_);
  } catch (const std::exception& problem) {
    result = internal("a write function threw: " + process_limits::words_of(problem));
  }
  if (!result) note_failure(result.error());
  return result;
}

void SqliteWriter::commit(const Group& group) {
  writes_.fetch_add(group.size(), std::memory_order_relaxed);
  if (auto committed = end_transaction(); !committed) {
    note_failure(committed.error());
    undo(group, committed.error());
    return;
  }
  traffic_.publish(connection_->changed_at());
  traffic_.commits.fetch_add(1, std::memory_order_release);
}

Result<void> SqliteWriter::end_transaction() {
  CALLISTO_CHECK(connection_->store_ids());
  CALLISTO_CHECK(connection_->execute(Sql("COMMIT"), {}));
  return {};
}

void SqliteWriter::roll_back() {
  if (connection_->in_transaction()) (void)connection_->execute(Sql("ROLLBACK"), {});
}

// Nothing of the group is in the database: whoever thought to have succeeded has not.
SqliteWriter::Ran SqliteWriter::undo(const Group& group, const Error& error) {
  roll_back();
  for (Job* job : group)
    if (job->result) job->result = error;
  return Ran::Undone;
}

void SqliteWriter::note_failure(const Error& error) {
  const char* const reason = reason_to_stop(sqlite3_extended_errcode(connection_->handle()));
  if (!reason) return;
  sqlite3_db_config(connection_->handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  stopped_by_ = internal("writing has stopped, because " + std::string(reason) + ": " + error.log_detail);
  has_stopped_ = true;
  log::error(stopped_by_->log_detail);
}

int SqliteWriter::count_frames(void* self, sqlite3*, const char*, int frames) {
  static_cast<SqliteWriter*>(self)->frames_ = frames;
  return SQLITE_OK;
}

void SqliteWriter::checkpoint() {
  if (frames_ < checkpointed_at_) checkpointed_at_ = 0;  // the log has begun anew
  if (stopped_by_ || frames_ - checkpointed_at_ < frames_between_checkpoints) return;
  checkpointed_at_ = frames_;
  sqlite3* db = connection_->handle();
  const bool restart = frames_ >= frames_before_restart;
  if (restart) sqlite3_busy_handler(db, wait_for_readers, nullptr);
  const int mode = restart ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE;
  const int code = sqlite3_wal_checkpoint_v2(db, nullptr, mode, nullptr, nullptr);
  if (restart) sqlite3_busy_timeout(db, busy_timeout_ms);
  const bool is_busy = (code & 0xff) == SQLITE_BUSY;
  tries_ = restart && is_busy ? std::min(tries_ + 1, most_tries) : 0;
  if (tries_ > 0) checkpointed_at_ -= frames_between_checkpoints - (frames_after_a_first_try << (tries_ - 1));
  if (code == SQLITE_OK || is_busy) return;
  const Error error = sqlite_error(db, code, "checkpoint");
  note_failure(error);
  if (!stopped_by_) log::warning(error.log_detail);
}

}  // namespace callisto::storage
