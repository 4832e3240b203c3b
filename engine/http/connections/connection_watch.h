// Stops reading from clients that keep others waiting; their workers then see the end of the input, and can still write
// an answer. CivetWeb has a thread for each connection and ends silent ones, but not one whose body drips, and it does
// not become less patient while all its threads wait. Each worker records what it does in a Worker of its own, and the
// thread that accepts tells of each connection; look(), called now and then by one thread, does the rest.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace callisto::http {

using Clock = std::chrono::steady_clock;

class Worker {
 public:
  void begin_connection() { ended_ = false; }
  void end_connection();
  void end_request() { waiting_since_ = Clock::now(); }
  void begin_body(Clock::time_point due) { body_due_ = due; }
  void end_body() { body_due_ = never; }
  bool was_ended() const { return ended_; }  // look() ended the reading from this connection
  // Its address, from the first request of a connection on; the worker's own thread.
  std::string_view client() const { return client_; }

 private:
  friend class ConnectionWatch;
  static constexpr Clock::time_point never = Clock::time_point::max();

  std::atomic<Clock::time_point> waiting_since_ = never;  // for a next request
  std::atomic<Clock::time_point> body_due_ = never;
  std::atomic<bool> ended_ = false;
  std::string client_;
};

class ConnectionWatch {
 public:
  struct Limits {
    int threads;
    // How long the head of a request is waited for while three quarters of the threads have connections, and while all.
    std::chrono::milliseconds crowded, full;
    // By how much a body is due sooner with all of them taken.
    std::chrono::milliseconds body_haste;
  };
  explicit ConnectionWatch(Limits limits) : limits_(limits) {}

  Worker& add_worker();  // lives as long as the watch
  void accepted(int descriptor, std::string client);
  // On the worker's thread; the connection is its own until end_connection().
  void begin_request(Worker& worker, int descriptor);
  // `may_be_crowded`: false saves looking at each connection.
  void look(bool may_be_crowded);
  // Whoever waits for a next request sees its end. What is being written still goes out.
  void end_reading();
  // After CivetWeb has stopped: closes what it accepted and gave to no worker.
  void close_left();

 private:
  struct Open {
    ino_t socket = 0;  // no other one has this number as long as the machine runs
    std::string client;
    Worker* worker = nullptr;  // from its first request on
    // Before that: since when it has had nothing to be read, as far as looks saw it, and the last look that did.
    Clock::time_point quiet_since{};
    std::uint64_t seen_quiet = 0;
  };
  bool is_a_body_overdue(Clock::time_point now) const;
  void forget_closed();
  Clock::duration patience(std::size_t connections) const;
  bool is_full(std::size_t connections) const { return connections >= static_cast<std::size_t>(limits_.threads); }
  Clock::time_point quiet_since(Open& open, Clock::time_point now) const;

  const Limits limits_;
  mutable std::mutex mutex_;
  std::deque<Worker> workers_;          // under mutex_; each stays where it is
  std::unordered_map<int, Open> open_;  // under mutex_: by descriptor, with some that were closed meanwhile
  std::uint64_t looks_ = 1;             // under mutex_; the first one is 2, and no connection was seen by 1
};

}  // namespace callisto::http
