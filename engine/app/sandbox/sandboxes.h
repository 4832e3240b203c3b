// Sandboxes: the one sandbox that a server has at a time, for whoever has the right Administration (API rule 3.17). It
// ends with the server, or an hour after it was last used. Any thread; its requests take turns.
#pragma once

#include "engine/api/request_trace.h"
#include "engine/app/sandbox/sandbox.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace callisto::app {

class Sandboxes {
 public:
  // References outlive it.
  Sandboxes(const Runtime& runtime, const api::Options& options, webhooks::Schedule schedule);

  // `$sandbox`: a POST begins one, instead of the one that there is; a PUT moves its clock and sets how receivers
  // answer; a DELETE ends it. Each answers as tell() does.
  Result<void> begin();
  Result<void> change(std::chrono::minutes time, std::optional<int> receivers);
  Result<void> end();
  Result<void> tell(json::Writer& writer);

  // False, and nothing done, for a request without the header Callisto-Sandbox.
  bool handle(http::Request& request, http::Response& response, api::RequestTrace& trace);
  void look();                    // now and then: ends what nobody uses
  void stop() { stops_ = true; }  // a clock that moves stops soon

 private:
  using Turn = std::unique_lock<std::timed_mutex>;
  Result<Turn> take_turn();
  Result<void> answer(http::Request& request, http::Response& response, api::RequestTrace& trace);

  const Runtime& runtime_;
  const api::Options& options_;
  const webhooks::Schedule schedule_;
  std::atomic<bool> stops_ = false;
  std::timed_mutex mutex_;
  std::unique_ptr<Sandbox> sandbox_;  // null: none
  std::int64_t used_ = 0;             // steady
};

}  // namespace callisto::app
