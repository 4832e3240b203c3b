// An exclusive lock on a file, held until this object is destroyed or the process dies: only one process may write a
// database (decision 0009), and only one server may serve a data folder. Any thread.
#pragma once

#include "engine/base/result.h"

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace callisto {

class FileLock {
 public:
  // Makes `path`, writes our process id into it. Where another process has it, an error that says `why_not` and names
  // that process.
  static Result<FileLock> take(const std::string& path, std::string_view why_not);
  // The process that has it; nothing where none does. An error where it cannot be asked, as of somebody else's file.
  static Result<std::optional<pid_t>> holder(const std::string& path);

  FileLock() = default;
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();  // the file stays, empty

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace callisto
