// Reloads whenever an entity or a script changes (`serve --watch`): a thread of its own that sends this process SIGHUP.
#pragma once

#include "engine/base/result.h"
#include "engine/base/watch.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace callisto::app {

class ReloadWatch {
 public:
  // After SIGHUP was blocked, so that the thread does not take it.
  static Result<std::unique_ptr<ReloadWatch>> start(std::vector<std::string> folders);
  ~ReloadWatch();
  ReloadWatch(const ReloadWatch&) = delete;
  ReloadWatch& operator=(const ReloadWatch&) = delete;

 private:
  explicit ReloadWatch(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  void run();

  const std::vector<std::string> folders_;
  std::unique_ptr<Watch> watch_;
  int stop_ = -1;  // an eventfd
  std::thread thread_;
};

}  // namespace callisto::app
