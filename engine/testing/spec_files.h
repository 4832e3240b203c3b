// Finds the files that hold specs. Errors name the path that was given.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace callisto::testing {

// <folder>/<entity>/spec/..._spec.lua of every scripts folder, in order of their names. As for scripts, a file of a
// later folder stands in for that of the same name in an earlier one.
std::vector<std::string> specs_of_folders(const std::vector<std::string>& script_folders);

// The file, or every ..._spec.lua below the folder.
Result<std::vector<std::string>> specs_at(const std::string& path);

}  // namespace callisto::testing
