// The file of an import as one text, unpacked where it is gzip. It stays in memory as a whole: groups need not stand
// together, and rejected rows are given back as they were. zlib stays inside text.cc.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace callisto::importing {

// gzip is told by its first bytes, whatever the file is called.
Result<std::string> read_file(const std::string& path);

}  // namespace callisto::importing
