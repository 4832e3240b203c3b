// Ticker: calls a function again and again on a thread of its own, with a pause after each call. The thread starts with
// the Ticker; its destructor waits for a running call and joins the thread. What the function uses must outlive the
// Ticker.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace callisto {

class Ticker {
 public:
  Ticker(std::chrono::milliseconds pause, std::function<void()> function);
  ~Ticker();
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void run();

  const std::chrono::milliseconds pause_;
  const std::function<void()> function_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace callisto
