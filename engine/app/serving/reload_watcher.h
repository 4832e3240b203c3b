// Reloads whenever an entity or a script changes (`serve --watch`): a thread of its own that sends this process SIGHUP.
#pragma once

#include "engine/base/file_watcher.h"
#include "engine/base/result.h"

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace callisto::app {

class ReloadWatcher {
 public:
  // After SIGHUP was blocked, so that the thread does not take it.
  static Result<std::unique_ptr<ReloadWatcher>> start(std::vector<std::string> folders);
  ~ReloadWatcher();
  ReloadWatcher(const ReloadWatcher&) = delete;
  ReloadWatcher& operator=(const ReloadWatcher&) = delete;

 private:
  explicit ReloadWatcher(std::vector<std::string> folders) : folders_(std::move(folders)) {}
  void run();

  const std::vector<std::string> folders_;
  std::unique_ptr<FileWatcher> watch_;
  int stop_ = -1;  // an eventfd
  std::thread thread_;
};

}  // namespace callisto::app
