// Sweeper: what sign-in does by the clock, on a thread of its own: ends expired sessions, takes away what is long dead,
// writes when sessions were last used, and counts the licences again once an hour. Its thread starts with it and is
// joined by its destructor; the Service it works for outlives it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace callisto::auth {

class Sweeper {
 public:
  Sweeper(std::chrono::milliseconds pause, std::function<void()> sweep);
  ~Sweeper();
  Sweeper(const Sweeper&) = delete;
  Sweeper& operator=(const Sweeper&) = delete;

 private:
  void run();

  const std::chrono::milliseconds pause_;
  const std::function<void()> sweep_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace callisto::auth
