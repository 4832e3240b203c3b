// PostgresWatch: whether a PostgreSQL server answers, and whether it takes writes. A thread asks it once a second; a
// second one cuts the connections whose server keeps them waiting too long, since libpq itself waits for ever; behind
// a time without answers also those that were asked something before it was over, which may be lost. While the server
// does not answer, statements fail at once instead of waiting. Whoever was connected before it took writes
// again connects anew: it may be another server by now. Any thread; connections that are watched go first.
#pragma once

#include "engine/base/ticker.h"
#include "engine/storage/database.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace callisto::storage {

class PostgresConnection;

// What one connection waits for at the moment. Its connection's thread, and the watch's.
class PostgresWait {
 public:
  using Clock = std::chrono::steady_clock;

  // While it lives, the connection waits for its server, for `longest` at most.
  class Guard {
   public:
    Guard(PostgresWait& wait, int socket, std::chrono::milliseconds longest);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    PostgresWait& wait_;
  };

  // Ends the waiting where it is due, or has begun before `cut`.
  void end_if_due(Clock::time_point now, std::optional<Clock::time_point> cut);

 private:
  std::mutex mutex_;
  int socket_ = -1;  // -1: it waits for nothing
  Clock::time_point since_, due_;
};

class PostgresWatch {
 public:
  explicit PostgresWatch(std::string url);  // of any server, whether it takes writes or not
  ~PostgresWatch();

  void start();  // until then all is taken to be well
  Health health() const { return {answers_, takes_writes_}; }
  std::uint64_t epoch() const { return epoch_; }  // changes whenever connections may lead to a previous server
  void add(PostgresWait& wait);
  void remove(PostgresWait& wait);

 private:
  void ask();
  Result<bool> ask_once();  // whether it takes writes
  void cut();

  const std::string url_;
  std::unique_ptr<PostgresConnection> connection_;  // the asking thread's
  int unanswered_ = 0;                              // the same: questions in a row
  std::atomic<bool> answers_ = true, takes_writes_ = true;
  std::atomic<std::uint64_t> epoch_ = 0;
  std::mutex mutex_;
  std::set<PostgresWait*> waits_;                         // under mutex_
  std::optional<PostgresWait::Clock::time_point> found_;  // the same: when it last began to answer again
  std::optional<Ticker> cutting_, asking_;
};

}  // namespace callisto::storage
