// AnsweringTransport: all receivers at once. Nothing leaves the process: each request is answered with the status that
// was chosen last, and told to `sent`. One thread, except for wake().
#pragma once

#include "engine/base/datetime.h"
#include "webhooks/transport.h"

#include <functional>
#include <utility>
#include <vector>

namespace callisto::app {

struct SentRequest {
  std::int64_t delivery = 0;  // its Ref
  std::string url;
  int status = 0;
};

class AnsweringTransport final : public webhooks::Transport {
 public:
  // `clock` outlives it.
  AnsweringTransport(const Clock& clock, std::function<void(SentRequest)> sent)
      : clock_(clock), sent_(std::move(sent)) {}
  void answer_with(int status) { status_ = status; }
  int status() const { return status_; }

  void start(webhooks::Request request) override;
  std::size_t in_flight() const override { return answered_.size(); }
  std::vector<webhooks::Response> wait(std::chrono::milliseconds) override { return std::exchange(answered_, {}); }
  void wake() override {}

 private:
  const Clock& clock_;
  const std::function<void(SentRequest)> sent_;
  int status_ = 204;
  std::vector<webhooks::Response> answered_;
};

}  // namespace callisto::app
