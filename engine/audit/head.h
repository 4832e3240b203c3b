// The head: a small file beside the log that says how far the log has come. It shows when lines were cut off the end,
// and lets a new file continue the previous file's chain. Written only after the lines it names are on disk.
#pragma once

#include "engine/audit/line.h"

#include <optional>
#include <string>

namespace callisto::audit {

std::string head_path(const std::string& log_path);  // .../audit.jsonl -> .../audit.head

// Nothing where there is none that can be read.
std::optional<Link> read_head(const std::string& path);
bool write_head(const std::string& path, const Link& link);

}  // namespace callisto::audit
