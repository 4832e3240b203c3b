#include "engine/testing/spec_files.h"

#include "engine/script/program.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace callisto::testing {

namespace {

namespace fs = std::filesystem;

// By name relative to the folder.
std::map<std::string, std::string> found_below(const fs::path& folder, bool in_spec_folders) {
  std::map<std::string, std::string> files;
  std::error_code failed;
  for (auto walk = fs::recursive_directory_iterator(folder, failed); walk != fs::recursive_directory_iterator();
       walk.increment(failed)) {
    const fs::path relative = walk->path().lexically_relative(folder);
    const bool is_placed = !in_spec_folders || std::find(relative.begin(), relative.end(), "spec") != relative.end();
    if (is_placed && relative.string().ends_with(script::spec_suffix) && walk->is_regular_file(failed))
      files[relative.generic_string()] = walk->path().generic_string();
  }
  return files;
}

std::vector<std::string> paths_of(const std::map<std::string, std::string>& files) {
  std::vector<std::string> paths;
  paths.reserve(files.size());
  for (const auto& [name, path] : files) paths.push_back(path);
  return paths;
}

}  // namespace

std::vector<std::string> specs_of_folders(const std::vector<std::string>& script_folders) {
  std::map<std::string, std::string> files;
  for (const std::string& folder : script_folders)
    for (auto& [name, path] : found_below(folder, true)) files[name] = path;
  return paths_of(files);
}

Result<std::vector<std::string>> specs_at(const std::string& path) {
  std::error_code failed;
  if (fs::is_regular_file(path, failed)) return std::vector<std::string>{path};
  if (!fs::is_directory(path, failed)) return bad_format("there is no file or folder " + path);
  auto paths = paths_of(found_below(path, false));
  if (paths.empty())
    return bad_format("no file below " + path + " has a name that ends in " + std::string(script::spec_suffix));
  return paths;
}

}  // namespace callisto::testing
