#include "engine/app/data_folder.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace callisto::app {

namespace {

std::string pid_file(const Settings& settings) { return settings.data + "/callisto.pid"; }

}  // namespace

Result<void> make_data_folder(const Settings& settings) {
  std::error_code failed;
  std::filesystem::create_directories(settings.data, failed);
  if (!failed) return {};
  return internal("the data folder " + settings.data + " cannot be made: " + failed.message() +
                  ". Choose another with --data.");
}

Result<storage::FileLock> claim_data_folder(const Settings& settings) {
  CALLISTO_CHECK(make_data_folder(settings));
  return storage::FileLock::take(pid_file(settings), "another server runs on the data folder " + settings.data +
                                                         "; stop it, or give this one a folder of its own with --data");
}

Result<std::optional<pid_t>> server_of_data_folder(const Settings& settings) {
  return storage::FileLock::holder(pid_file(settings));
}

}  // namespace callisto::app
