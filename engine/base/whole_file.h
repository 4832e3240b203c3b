// A file that gets its name when it is whole and on the disk. Until then it has a temporary name of this process in the
// same folder, and it is removed unless it is kept. One thread.
#pragma once

#include "engine/base/result.h"

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

namespace callisto {

class WholeFile {
 public:
  // `mode` as for open(): what the umask leaves of it.
  static Result<WholeFile> make(std::string path, unsigned mode);
  WholeFile(WholeFile&&) noexcept = default;
  WholeFile& operator=(WholeFile&&) = delete;
  ~WholeFile();

  Result<void> write(std::string_view bytes);
  Result<void> keep_as_new();  // refused where anything has the name by now
  Result<void> replace();      // what has the name gives way, at once

 private:
  struct Closer {
    void operator()(FILE* file) const { std::fclose(file); }
  };
  WholeFile(FILE* file, std::string path, std::string partial)
      : file_(file), path_(std::move(path)), partial_(std::move(partial)) {}
  bool is_on_disk();
  Result<void> named(bool done);

  std::unique_ptr<FILE, Closer> file_;  // null: kept, or moved from
  std::string path_, partial_;
};

// Whether anything has this name: a folder, a device and a link to nothing too.
bool is_taken(const std::string& path);

}  // namespace callisto
