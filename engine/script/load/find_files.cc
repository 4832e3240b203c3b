#include "engine/script/load/find_files.h"

#include "engine/script/load/left_behind.h"

#include <filesystem>
#include <system_error>

namespace callisto::script {
namespace {

namespace fs = std::filesystem;

bool is_ignored(const fs::path& path) {
  std::string name = path.filename().string();
  return name.empty() || name[0] == '.' || path.extension() == ".md";
}

// Followed, it would lead in circles.
bool leads_back(const fs::path& link) {
  std::error_code failed;
  for (fs::path above = link.parent_path(); !above.empty(); above = above.parent_path()) {
    if (fs::equivalent(above, link, failed)) return true;
    if (above == above.root_path()) return false;
  }
  return false;
}

// A folder that is named twice, or reached by a link as well, has its files once.
void add_path(std::vector<std::string>& paths, const std::string& path) {
  std::error_code failed;
  for (const std::string& known : paths)
    if (fs::equivalent(known, path, failed)) return;
  paths.push_back(path);
}

}  // namespace

Files find_files(const std::vector<std::string>& folders, catalog::Problems& problems) {
  Files files;
  for (const std::string& folder : folders) {
    fs::path root = fs::path(folder).lexically_normal();
    std::error_code failed;
    fs::recursive_directory_iterator walk(root, fs::directory_options::follow_directory_symlink, failed);
    for (; !failed && walk != fs::recursive_directory_iterator(); walk.increment(failed)) {
      if (is_ignored(walk->path()) || is_left_behind(walk->path())) {
        walk.disable_recursion_pending();
      } else if (walk->is_fifo(failed) || walk->is_socket(failed)) {  // to read one would wait for a writer
        problems.add({walk->path().generic_string(), 0}, "is a pipe or a socket, not a file", "take it out");
      } else if (walk->is_symlink(failed) && leads_back(walk->path())) {
        problems.add({walk->path().generic_string(), 0}, "is a link back to a folder that contains it", "take it out");
        walk.disable_recursion_pending();
      } else if (!walk->is_directory(failed)) {
        add_path(files[walk->path().lexically_relative(root).generic_string()], walk->path().generic_string());
      }
    }
    if (failed) problems.add({folder, 0}, "the folder cannot be read: " + failed.message());
  }
  return files;
}

}  // namespace callisto::script
