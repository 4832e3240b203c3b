// An exclusive lock on a file, held until this goes or the process dies: one process alone may write a database
// (trust.md finding 6). Any thread.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <utility>

namespace callisto::storage {

class FileLock {
 public:
  // Makes `path`, writes our process id into it. An error that names the holder when it is taken.
  static Result<FileLock> take(const std::string& path);
  FileLock() = default;
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace callisto::storage
