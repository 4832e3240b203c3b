// An import's file as one text, unpacked if it is gzip. It stays in memory as a whole: a group's rows need not be
// neighbours, and rejected rows are written back as they were. zlib stays inside text.cc.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace callisto::importing {

// gzip is told by its first bytes, whatever the file is called.
Result<std::string> read_file(const std::string& path);

}  // namespace callisto::importing
