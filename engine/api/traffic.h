// Traffic: the requests that pass the front. Gives each one its id, writes its line of the access log and counts it by
// route, method and status. Any thread.
#pragma once

#include "engine/api/request_trace.h"
#include "engine/base/metrics.h"
#include "engine/base/random.h"
#include "engine/http/message.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace callisto::api {

class Traffic {
 public:
  struct Logged {
    bool requests = true;
    bool probes = false;  // those that went well, too
  };
  // `slow`: a request that takes longer is logged and counted; 0: none is.
  Traffic(Logged logged, std::chrono::milliseconds slow, Random& random);
  ~Traffic();  // what waits of the log goes out
  Traffic(const Traffic&) = delete;
  Traffic& operator=(const Traffic&) = delete;

  using Next = std::function<void(http::Request&, http::Response&, RequestTrace&)>;
  void handle(http::Request& request, http::Response& response, const Next& next);
  // What the front answered by itself: a request that is none.
  void refused(http::Response& response);

  void append(MetricsText& text) const;
  struct Totals {
    Histogram::Counts time;    // of all routes
    std::uint64_t failed = 0;  // answered with 500 or more
  };
  Totals totals() const;

 private:
  static constexpr std::size_t most_statuses = 32;
  struct Series {
    std::string method, route;
    Histogram time;
    std::array<std::atomic<std::uint64_t>, most_statuses> by_status{};
  };

  std::string id_of(std::string_view given, std::string_view trace);
  void count(std::string_view method, const std::string& route, int status, std::int64_t microseconds);
  Series& series(std::string_view method, const std::string& route);

  void note_slow(const http::Request& request, const RequestTrace& trace, int status, std::chrono::microseconds time);

  const Logged logged_;
  const std::chrono::milliseconds slow_;
  std::atomic<std::uint64_t> slow_requests_ = 0;
  const std::string prefix_;  // of request ids, of this run
  std::atomic<std::uint64_t> number_ = 0;
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::unique_ptr<Series>, std::less<>> series_;  // by method and route
};

}  // namespace callisto::api
