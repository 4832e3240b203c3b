// The one thread that writes a SQLite database. It takes what is queued and lets all of it share one commit and one
// flush (performance.md 7). A function that fails after it wrote something makes the others of its group run again,
// each in its own savepoint: those cost a seventh of the time of writing. It alone checkpoints. write(): any thread.
#pragma once

#include "engine/base/arrival.h"
#include "engine/storage/sqlite_connection.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace callisto::storage {

class SqliteWriter {
 public:
  explicit SqliteWriter(std::unique_ptr<SqliteConnection> connection);
  ~SqliteWriter();  // after everything that is queued
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  Result<void> write(const WriteFunction& function);
  WriterLoad load();
  const std::atomic<std::uint64_t>& commits() const { return commits_; }

 private:
  struct Job {
    const WriteFunction* function;
    Result<void> result;
    Arrival finished;
  };
  using Group = std::vector<Job*>;
  enum class Care { None, Savepoints };
  enum class Ran { Whole, Undone, NeedsCare };

  void run();
  Group take();  // empty: time to stop
  void commit_together(const Group& group);
  Ran run_all(const Group& group, Care care);
  Result<void> run_one(const WriteFunction& function, Care care);
  Result<void> call(const WriteFunction& function);
  void commit(const Group& group);
  void roll_back();
  Ran undo(const Group& group, const Error& error);
  void checkpoint();
  void note_failure(const Error& error);
  static int count_frames(void* self, sqlite3*, const char*, int frames);

  std::unique_ptr<SqliteConnection> connection_;
  std::optional<Error> stopped_by_;  // writer thread only; a failed flush or a damaged file ends all writing
  int frames_ = 0;                   // in the log, after the last commit
  int checkpointed_at_ = 0;
  int careful_groups_ = 0;  // so many more get savepoints at once
  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> writes_ = 0;
  std::atomic<bool> has_stopped_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> queue_;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace callisto::storage
