// Files and folders among entities and scripts that nobody put there: what editors, merges, package managers, file
// managers and file systems leave behind, as call.lua~ or lost+found. They are passed over. Any thread.
#pragma once

#include "engine/catalog/builder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace callisto::script {

bool is_left_behind(const std::filesystem::path& path);                                 // by its name alone
std::vector<catalog::Problem> left_behind_in(const std::vector<std::string>& folders);  // each of them, for `check`

}  // namespace callisto::script
