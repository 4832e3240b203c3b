#include "engine/script/load/left_behind.h"

#include "engine/base/text.h"
#include "engine/script/program.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace callisto::script {

namespace fs = std::filesystem;

bool is_left_behind(const fs::path& path) {
  constexpr std::string_view names[] = {"Thumbs.db", "ehthumbs.db", "desktop.ini", "lost+found", "__MACOSX"};
  constexpr std::string_view endings[] = {"~",          ".orig",    ".rej",    ".bak",     ".old",      ".tmp",
                                          ".temp",      ".swp",     ".swo",    ".save",    ".dpkg-old", ".dpkg-new",
                                          ".dpkg-dist", ".rpmsave", ".rpmnew", ".ucf-old", ".ucf-dist"};
  const std::string name = path.filename().string();
  const auto is_name = [&](std::string_view each) { return text::fold(name) == text::fold(each); };
  const auto is_ending = [&](std::string_view each) { return name.ends_with(each); };
  return std::any_of(std::begin(names), std::end(names), is_name) ||
         std::any_of(std::begin(endings), std::end(endings), is_ending) ||
         (name.size() > 1 && name.front() == '#' && name.back() == '#') || name.find(".lua.") != name.npos;
}

std::vector<catalog::Problem> left_behind_in(const std::vector<std::string>& folders) {
  std::vector<catalog::Problem> told;
  for (const std::string& folder : folders) {
    std::error_code failed;
    fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && walk != fs::recursive_directory_iterator(); walk.increment(failed)) {
      if (!is_left_behind(walk->path())) continue;
      walk.disable_recursion_pending();
      told.push_back({{walk->path().lexically_normal().generic_string(), 0},
                      "is skipped: it looks like something that an editor, a merge or a file system left behind",
                      {}});
    }
  }
  return told;
}

}  // namespace callisto::script
