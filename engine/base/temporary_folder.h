// TemporaryFolder: a new folder that only this user may enter, removed with its contents. One owner; any thread.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <utility>

namespace callisto {

class TemporaryFolder {
 public:
  // `above`/`name`-XXXXXX; without `above`, below the system's temporary folder. An error names what cannot be made.
  static Result<TemporaryFolder> make(const std::string& name, const std::string& above = {});
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();

  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace callisto
