// Sinks: several listeners as one, called in their order; the first error counts. One per transaction, like each of
// them.
#pragma once

#include "engine/events/sink.h"

#include <memory>
#include <utility>
#include <vector>

namespace callisto::events {

class Sinks final : public Sink {
 public:
  explicit Sinks(std::vector<std::unique_ptr<Sink>> sinks) : sinks_(std::move(sinks)) {}

  Result<void> emit(const Event& event) override {
    for (const auto& sink : sinks_) CALLISTO_CHECK(sink->emit(event));
    return {};
  }
  Result<void> replacing(const Replaced& bytes) override {
    for (const auto& sink : sinks_) CALLISTO_CHECK(sink->replacing(bytes));
    return {};
  }
  void committed() override {
    for (const auto& sink : sinks_) sink->committed();
  }

 private:
  std::vector<std::unique_ptr<Sink>> sinks_;
};

}  // namespace callisto::events
