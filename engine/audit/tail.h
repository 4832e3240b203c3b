// Reads an audit log from its end, so that the newest lines of a large file cost little. Any thread, beside a log that
// is written.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::audit {

// Calls `take` with each whole line that ends at `end` or before (nothing: at the end of the file), the newest first
// and without its newline, until it answers false, or about `most_bytes` were read and it had one. The answer is where
// the line that it came to last begins: what `end` is for those before it; 0: there are none. Errors: bad_option where
// `end` is not the end of a line, as in a file that was begun anew; the file cannot be read.
Result<std::int64_t> newest_lines(const std::string& file, std::optional<std::int64_t> end, std::size_t most_bytes,
                                  const std::function<bool(std::string_view text)>& take);

}  // namespace callisto::audit
