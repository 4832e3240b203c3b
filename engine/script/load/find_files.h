// Which files the folders of entities or scripts hold, in the order of the folders. What was left behind there
// (left_behind.h) and documents are no such files. Reads no file; any thread.
#pragma once

#include "engine/catalog/problems.h"

#include <map>
#include <string>
#include <vector>

namespace callisto::script {

// Relative name -> paths, as shown in messages, in the order of their folders: the last one counts, of hooks all do.
using Files = std::map<std::string, std::vector<std::string>>;

// Told of what is no file and of folders that cannot be read.
Files find_files(const std::vector<std::string>& folders, catalog::Problems& problems);

}  // namespace callisto::script
