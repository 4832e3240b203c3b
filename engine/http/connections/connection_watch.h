// Stops reading from clients that keep others waiting; their workers then see the end of the input, and can still write
// an answer. CivetWeb has a thread for each connection and ends silent ones, but not one whose body drips, and it does
// not become less patient while all its threads wait. Each worker records what it does in a Worker of its own; look(),
// called now and then by one thread, does the rest.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace callisto::http {

struct Connection;

using Clock = std::chrono::steady_clock;

class Worker {
 public:
  void begin_connection();
  void end_connection();
  void begin_request(std::string_view address, int port);  // the client's
  void end_request() { waiting_since_ = Clock::now(); }
  void begin_body(Clock::time_point due) { body_due_ = due; }
  void end_body() { body_due_ = never; }
  bool was_ended() const { return ended_; }  // look() ended the reading from this connection

 private:
  friend class ConnectionWatch;
  static constexpr Clock::time_point never = Clock::time_point::max();

  std::atomic<Clock::time_point> waiting_since_ = never;  // for a next request
  std::atomic<Clock::time_point> body_due_ = never;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  std::string peer_;  // under mutex_: "address:port", known from the first request of a connection on
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
  // `may_be_crowded`: false saves looking at each connection to `port`.
  void look(int port, bool may_be_crowded);

 private:
  struct Workers {
    std::unordered_map<std::string, Worker*> by_peer;
    bool overdue = false;  // one of them has waited too long for a body
  };
  static void end(const Connection& connection, Worker* worker);
  Workers workers(Clock::time_point now);
  Clock::duration patience(std::size_t connections) const;
  bool is_full(std::size_t connections) const { return connections >= static_cast<std::size_t>(limits_.threads); }
  Clock::time_point quiet_since(const std::string& peer, Clock::time_point now);

  const Limits limits_;
  std::mutex mutex_;
  std::deque<Worker> workers_;  // under mutex_; each stays where it is
  // Connections without a request so far, with the time when they were first seen to have nothing to be read. look()'s.
  std::unordered_map<std::string, Clock::time_point> quiet_, quiet_before_;
};

}  // namespace callisto::http
