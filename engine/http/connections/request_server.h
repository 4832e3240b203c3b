// Serves one request after the other: checks its head, has it handled, writes the answer. Any thread that has a Worker
// and a connection of CivetWeb's.
#pragma once

#include "engine/base/memory_budget.h"
#include "engine/http/connections/connection.h"
#include "engine/http/connections/connection_watch.h"
#include "engine/http/server.h"
#include "engine/http/spill.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>

namespace callisto::http {

class RequestServer {
 public:
  RequestServer(const ServerOptions& options, Handler handler);  // `options` outlive it

  // `authority`: the server's own, for a client that names none (HTTP/1.0).
  void serve(mg_connection* connection, Worker& worker, const std::string& authority);
  // What CivetWeb could not read, or not in time. It closes the connection afterwards.
  void refuse(mg_connection* connection, int status);

  void begin_connection() { ++connections_; }
  void end_connection() { --connections_; }
  bool is_crowded() const { return connections_.load() * 4 > options_.threads * 3; }

  // From now on requests are refused; waits until those that run are done, but not longer.
  void stop(std::chrono::seconds patience);

 private:
  void answer_one(mg_connection* connection, Worker& worker, const std::string& authority);
  void answer(mg_connection* connection, Response& response, bool close, bool without_body);
  void respond(ReceivedRequest& request, Response& response);
  void run_handler(Request& request, Response& response);
  void render(const Error& error, Response& response);
  void leave();

  const ServerOptions& options_;
  const Handler handler_;
  MemoryBudget bodies_;
  SpillArea spilled_;
  std::atomic<int> connections_ = 0;
  std::atomic<int> running_ = 0;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable idle_;
};

}  // namespace callisto::http
