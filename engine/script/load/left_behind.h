// Files and folders among entities and scripts that nobody put there: what editors, merges, package managers, file
// managers and file systems leave behind, as call.lua~ or lost+found. They are passed over. Any thread.
#pragma once

#include <filesystem>

namespace callisto::script {

bool is_left_behind(const std::filesystem::path& path);  // by its name alone

}  // namespace callisto::script
