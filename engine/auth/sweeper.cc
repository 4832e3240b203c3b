#include "engine/auth/sweeper.h"

#include <utility>

namespace callisto::auth {

Sweeper::Sweeper(std::chrono::milliseconds pause, std::function<void()> sweep)
    : pause_(pause), sweep_(std::move(sweep)), thread_([this] { run(); }) {}

Sweeper::~Sweeper() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Sweeper::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, pause_, [this] { return stopping_; })) {
    lock.unlock();
    sweep_();
    lock.lock();
  }
}

}  // namespace callisto::auth
