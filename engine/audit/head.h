// The head: a small file beside the log that says how far the log has come, so that lines taken from its end are
// missed, and that a new file goes on with the chain of the one before. Written only after what it names is on disk.
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
