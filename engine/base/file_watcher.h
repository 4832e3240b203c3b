// FileWatcher: waits until a Lua file below some folders, or one of some files, changes (Linux's inotify). It notices
// every change since its construction, also before wait() is called. One thread.
#pragma once

#include "engine/base/result.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace callisto {

class FileWatcher {
 public:
  // What does not exist is left out. An error, for the operator, when nothing can be watched.
  static Result<std::unique_ptr<FileWatcher>> over(const std::vector<std::string>& paths);
  ~FileWatcher();
  FileWatcher(const FileWatcher&) = delete;
  FileWatcher& operator=(const FileWatcher&) = delete;

  // For people, once a burst of changes is over: the path that changed first, and how many others did ("call/hooks.lua
  // and 2 more"). Empty: `stop` became readable before that.
  std::string wait(int stop);

 private:
  explicit FileWatcher(int descriptor) : descriptor_(descriptor) {}
  void add(const std::string& path, bool with_folders);
  void read_changes(std::vector<std::string>& paths);

  const int descriptor_;
  std::map<int, std::string> folders_;  // by what the kernel calls them
};

}  // namespace callisto
