// Checks the chain of one or more files of an audit log, oldest first, and reads their lines. Streams: memory does not
// grow with the files. One thread. Errors are for the operator, in log_detail: a file that cannot be read.
#pragma once

#include "engine/audit/line.h"
#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::audit {

struct Broken {
  enum class How { Altered, Removed, Inserted, Torn };
  How how = How::Altered;
  std::string file;
  std::int64_t line = 0;  // of the file, from 1
  std::string what;       // "altered: ..."
};

struct Report {
  std::int64_t lines = 0;  // good ones
  std::int64_t torn = 0;   // places where a crash or a full disk left a torn line, told by the next one
  Link before, last;       // what the first line follows; the last good line
  std::optional<Broken> broken;
};

using OnProgress = std::function<void(std::uint64_t bytes_read)>;

// `head`: how far the log has come (head.h), where the last of the files is the one that is written.
Result<Report> verify(const std::vector<std::string>& files, const std::optional<Link>& head,
                      const OnProgress& on_progress);

// Calls `take` with each line, without its newline, until it answers false. `is_ended`: there was one. A line longer
// than any of this log comes in pieces.
Result<void> each_line(const std::string& file, const OnProgress& on_progress,
                       const std::function<bool(std::string_view text, bool is_ended)>& take);

}  // namespace callisto::audit
