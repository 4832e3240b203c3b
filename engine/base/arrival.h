// Arrival: one thread waits for another, once. The waiter owns it and may destroy it as soon as wait() returns, even
// while the other thread is still inside tell(). So tell() needs no lock, for which the woken thread would then have to
// wait.
#pragma once

#include <semaphore.h>
#include <time.h>

#include <atomic>
#include <cerrno>
#include <chrono>

namespace callisto {

class Arrival {
 public:
  Arrival() { sem_init(&semaphore_, 0, 0); }
  ~Arrival() { sem_destroy(&semaphore_); }
  Arrival(const Arrival&) = delete;
  Arrival& operator=(const Arrival&) = delete;

  void tell() {
    told_.store(true, std::memory_order_release);
    sem_post(&semaphore_);
  }
  void wait() {
    while (sem_wait(&semaphore_) != 0) {}  // a signal came
  }
  // Whether it came within `patience`.
  bool wait_for(std::chrono::milliseconds patience) {
    timespec until{};
    clock_gettime(CLOCK_MONOTONIC, &until);
    const auto later = std::chrono::nanoseconds(until.tv_nsec) + patience;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(later);
    until.tv_sec += seconds.count();
    until.tv_nsec = (later - seconds).count();
    int code = 0;
    do code = sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &until);
    while (code != 0 && errno == EINTR);
    return code == 0 && told_.load(std::memory_order_acquire);
  }

 private:
  sem_t semaphore_;
  std::atomic<bool> told_ = false;  // for ThreadSanitizer, which knows nothing of sem_clockwait
};

}  // namespace callisto
