#include "engine/base/ticker.h"

#include <utility>

namespace callisto {

Ticker::Ticker(std::chrono::milliseconds pause, std::function<void()> function)
    : pause_(pause), function_(std::move(function)), thread_([this] { run(); }) {}

Ticker::~Ticker() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Ticker::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause_, [this] { return stopping_; })) {
    lock.unlock();
    function_();
    lock.lock();
  }
}

}  // namespace callisto
