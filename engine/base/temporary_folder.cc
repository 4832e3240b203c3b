#include "engine/base/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace callisto {

namespace fs = std::filesystem;

Result<TemporaryFolder> TemporaryFolder::make(const std::string& name, const std::string& above) {
  std::error_code failed;
  const fs::path folder = above.empty() ? fs::temp_directory_path(failed) : fs::path(above);
  if (failed) return internal("there is no temporary folder: " + failed.message());
  std::string path = folder / (name + "-XXXXXX");
  if (!mkdtemp(path.data())) return internal("the folder " + path + " cannot be made: " + std::strerror(errno));
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace callisto
