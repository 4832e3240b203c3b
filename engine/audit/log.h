// The audit log: an append-only file of JSON lines, each chained to the previous one by its hash
// (decisions/0011-audit-log.md). note() returns when the line is on disk; waiting threads share one flush. Any thread;
// one Log per file in a process. Logs of several processes, such as a command beside a server, take turns by a lock on
// the file and continue each other's chain.
//
// If the file is renamed or removed, the next line opens a new file, which continues the chain. A line that a crash or
// a full disk cut short stays; the next line reports it. If writing fails, the server goes on: the program's log says
// so, lost() counts, and the first line that can be written again says how many are missing.
//
// Invariants: an acknowledged line is on the disk, and each line is chained to the previous one.
#pragma once

#include "engine/audit/event.h"
#include "engine/audit/line.h"
#include "engine/audit/throttle.h"
#include "engine/base/datetime.h"
#include "engine/base/result.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

namespace callisto::audit {

class Log final : public Sink {
 public:
  // Makes the file, of mode 0600, where there is none. Errors, for the operator, stand in log_detail: the file cannot
  // be opened, or holds something else. `clock` outlives this.
  static Result<std::unique_ptr<Log>> open(const std::string& path, const Clock& clock);
  ~Log() override;
  void note(const Event& event) override;
  void note_all(std::span<const Event> events) override;  // flushed once
  std::int64_t lost() const { return lost_; }             // events that could not be written
  // How many of this kind were noted, those that the log left out as repeats too.
  std::uint64_t noted(Kind kind) const {
    return noted_[static_cast<std::size_t>(kind)].load(std::memory_order_relaxed);
  }

 private:
  class File;
  struct Place {  // how far a file's good lines go, and what stands behind them
    Link last;
    std::string torn;
    bool is_open_ended = false;  // the last line has no newline yet
    std::int64_t size = 0;       // of the file, in bytes, as far as it is known
  };
  Log(std::string path, const Clock& clock);
  Result<Place> find_place(const File& file) const;
  Result<void> begin();
  bool follow();  // whether there is a file to write to
  void catch_up();
  bool keep(const Event* event);           // and how many were left out before; null: these alone
  std::int64_t write(const Event& event);  // the number of its line; 0: none
  bool put(const Event& event);
  bool append(const Event& event, const std::string& torn);
  void note_loss(const std::string& why);
  void flush(std::int64_t sequence);
  bool keep_head(const File& file, const Link& link);

  const std::string path_;
  const Clock& clock_;
  std::mutex mutex_;
  std::shared_ptr<const File> file_;
  Place place_;
  Throttle throttle_;
  std::int64_t missing_ = 0;  // events lost since the last line
  std::string problem_;       // what the next line has to tell
  std::atomic<std::int64_t> lost_{0};
  std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(Kind::RepeatsLeftOut) + 1> noted_{};

  std::mutex flush_mutex_;
  std::condition_variable flushed_changed_;
  std::int64_t flushed_ = 0;
  bool is_flushing_ = false;
};

}  // namespace callisto::audit
