// The one thread that writes a SQLite database. It takes all queued functions as a group that shares one commit and one
// flush (decision 0022); while many read, it waits between groups, so that more functions share one (decision 0023). If
// a function fails after it wrote something, the others of its group run again, each in its own savepoint (savepoints
// cost a seventh of the writing time). Only this thread checkpoints. write(): any thread.
#pragma once

#include "engine/base/arrival.h"
#include "engine/storage/sqlite/connection.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace callisto::storage {

class SqliteWriter {
 public:
  static constexpr std::size_t most_in_a_group = 128;
  static constexpr std::uint64_t returning = 2;  // groups after its own in which a thread is expected to be back
  static constexpr std::chrono::milliseconds usual_distance{6};

  // `distance`: from the begin of one group to that of the next, while many read.
  explicit SqliteWriter(std::unique_ptr<SqliteConnection> connection,
                        std::chrono::milliseconds distance = usual_distance);
  ~SqliteWriter();  // after everything that is queued
  SqliteWriter(const SqliteWriter&) = delete;
  SqliteWriter& operator=(const SqliteWriter&) = delete;

  Result<void> write(const WriteFunction& function);
  WriterLoad load();
  Traffic& traffic() { return traffic_; }

 private:
  struct Job {
    const WriteFunction* function;
    Result<void> result;
    Arrival finished;
    bool returns;             // its thread waits for one write after the other
    std::uint64_t group = 0;  // that it goes with
  };
  using Group = std::vector<Job*>;
  enum class Care { None, Savepoints };
  enum class Ran { Whole, Undone, NeedsCare };

  void run();
  Group take();  // empty: time to stop
  bool is_crowded() const;
  bool is_time() const;
  void commit_together(const Group& group);
  Ran run_all(const Group& group, Care care);
  Result<void> run_one(const WriteFunction& function, Care care);
  Result<void> run_bare(const WriteFunction& function);
  Result<void> call(const WriteFunction& function);
  void commit(const Group& group);
  Result<void> end_transaction();
  void roll_back();
  Ran undo(const Group& group, const Error& error);
  void checkpoint();
  void note_failure(const Error& error);
  static int count_frames(void* self, sqlite3*, const char*, int frames);

  const std::chrono::milliseconds distance_;
  std::unique_ptr<SqliteConnection> connection_;
  std::optional<Error> stopped_by_;  // writer thread only; a failed flush or a damaged file ends all writing
  int frames_ = 0;                   // in the log, after the last commit
  int checkpointed_at_ = 0;
  int tries_ = 0;           // to begin the log anew, since a reader was in the way
  int careful_groups_ = 0;  // so many more get savepoints at once
  Traffic traffic_;
  std::chrono::steady_clock::time_point begun_{};  // the last group, after so many reads
  std::uint64_t reads_before_ = 0;
  std::size_t size_before_ = 0;
  std::atomic<std::uint64_t> writes_ = 0;
  std::atomic<bool> has_stopped_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> queue_;
  std::uint64_t groups_ = returning + 1;  // taken out of it, and so many more
  bool stopping_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace callisto::storage
