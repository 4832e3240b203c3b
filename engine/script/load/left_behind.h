// Files and folders among entities and scripts that nobody put there on purpose: editors, merges, package managers,
// file managers and file systems leave them behind, such as call.lua~ or lost+found. They are skipped. Any thread.
#pragma once

#include <filesystem>

namespace callisto::script {

bool is_left_behind(const std::filesystem::path& path);  // by its name alone

}  // namespace callisto::script
